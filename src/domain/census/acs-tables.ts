import extracted from './acs-tables.json' with { type: 'json' };

/** The kinds of tables' figures; only counts have shares. */
const MEASURES = ['count', 'dollars', 'percent', 'number'] as const;

type ExtractedTable = (typeof extracted.tables)[number];

/** A built-in table. acs-tables.json was extracted from the Bureau's metadata of the 2023 release. */
function tableOf({ id, title, universe, measure, denominator, lines }: ExtractedTable) {
  const known = MEASURES.find((candidate) => candidate === measure);
  if (!known) throw new Error(`acs-tables.json: ${id} is measured in "${measure}"`);
  // Shares refer to the table's universe.
  const baseSuffix = denominator === null ? null : suffixOf(denominator);
  return { id, title, universe, measure: known, baseSuffix, labels: labelsOf(lines) };
}

function suffixOf(line: number): string {
  return `${String(line).padStart(3, '0')}E`;
}

/**
 * Suffix of each estimate → its label: outer to inner level, joined by "!!" as in the Bureau's files. A line
 * belongs to the nearest earlier line with less indentation. Line numbers like 0.5 are headings.
 */
function labelsOf(lines: ExtractedTable['lines']): Record<string, string> {
  const labels: Record<string, string> = {};
  const above: { indent: number; text: string }[] = [];
  for (const [line, indent, title] of lines) {
    while (above.length > 0 && above[above.length - 1].indent >= Number(indent)) above.pop();
    above.push({ indent: Number(indent), text: plainLabel(String(title)) });
    if (Number.isInteger(line))
      labels[suffixOf(Number(line))] = above.map(({ text }) => text).join(LABEL_SEPARATOR);
  }
  return labels;
}

export const LABEL_SEPARATOR = '!!';

/** Removes the colon or dashes that lead to the lines below. */
export function plainLabel(text: string): string {
  return text.replace(/\s*(:|--)\s*$/, '').trim();
}

export const ACS_TABLES = new Map(extracted.tables.map((table) => [table.id, tableOf(table)]));

const SUBJECTS: ReadonlyMap<string, string> = new Map(Object.entries(extracted.subjects));

/** The Bureau's subject of a detailed or subject table, from the first two digits of its number. */
export function subjectOfTable(tableId: string): string | null {
  const [, digits] = /^[BCS](\d{2})/.exec(tableId) ?? [];
  return SUBJECTS.get(digits ?? '') ?? null;
}
