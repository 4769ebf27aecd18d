import type { TableFormat } from '../tables/table.ts';
import type { Inspection } from './inspect-file.ts';

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
  ' ': 'spaces',
};

const FORMAT_NAMES: Readonly<Record<TableFormat['kind'], string>> = {
  csv: 'text',
  xlsx: 'an Excel workbook',
  parquet: 'Parquet',
  geojson: 'GeoJSON',
  shapefile: 'a shapefile',
  geoparquet: 'GeoParquet',
};

interface DescribedTable extends Pick<Inspection, 'format'> {
  readonly columns: readonly unknown[];
}

/** What a file is: its form, encoding, delimiter and size. */
export function describeFormat({ format, columns }: DescribedTable): string {
  if (!format) return `${columns.length} columns`;
  const { kind, encoding, delimiter, sheet, archiveEntry, titleRows = 0 } = format;
  const parts = [
    FORMAT_NAMES[kind],
    ...(encoding ? [encoding] : []),
    ...(delimiter === undefined ? [] : [`separated by ${DELIMITER_NAMES[delimiter] ?? `"${delimiter}"`}`]),
    ...(sheet === undefined ? [] : [`worksheet "${sheet}"`]),
    ...(archiveEntry === undefined ? [] : [`${archiveEntry} of the archive`]),
    ...(titleRows > 0 ? [`header in row ${titleRows + 1}`] : []),
    `${columns.length} columns`,
  ];
  return parts.join(', ');
}
