import type { Inspection } from './inspect-file.ts';

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
  ' ': 'spaces',
};

interface DescribedTable extends Pick<Inspection, 'format'> {
  readonly columns: readonly unknown[];
}

/** What a file is: its form, encoding, delimiter and size. */
export function describeFormat({ format, columns }: DescribedTable): string {
  if (!format) return `${columns.length} columns`;
  const { kind, encoding, delimiter, sheet, archiveEntry, titleRows = 0 } = format;
  const parts = [
    kind === 'csv' ? 'text' : kind === 'xlsx' ? 'an Excel workbook' : 'Parquet',
    ...(encoding ? [encoding] : []),
    ...(delimiter === undefined ? [] : [`separated by ${DELIMITER_NAMES[delimiter] ?? `"${delimiter}"`}`]),
    ...(sheet === undefined ? [] : [`worksheet "${sheet}"`]),
    ...(archiveEntry === undefined ? [] : [`${archiveEntry} of the archive`]),
    ...(titleRows > 0 ? [`header in row ${titleRows + 1}`] : []),
    `${columns.length} columns`,
  ];
  return parts.join(', ');
}
