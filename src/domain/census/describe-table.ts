import { ACS_TABLES, LABEL_SEPARATOR, subjectOfTable } from './acs-tables.ts';
import { variableKeyText } from './variable-key.ts';

export type ValueType = 'total' | 'percentage' | 'currency';

export interface CensusVariable {
  readonly key: string;
  readonly tableId: string;
  readonly suffix: string;
  readonly category: string;
  readonly subcategory: string;
  readonly valueType: ValueType;
  /** Key of the variable that a percentage is a share of. */
  readonly baseVariable: string | null;
  /** Suffix of the base of a derived share; null for figures that the Bureau publishes. */
  readonly shareOf: string | null;
  readonly label: string | null;
}

/** A table as read from files: its estimates, and their labels if the files have them. */
export interface GivenTable {
  readonly tableId: string;
  readonly suffixes: readonly string[];
  /** Suffix → label, parts joined by "!!". */
  readonly labels: Readonly<Record<string, string>>;
}

/** The subjects of the four data profiles, which have no subject number. */
const PROFILES: Readonly<Record<string, string>> = {
  DP02: 'social',
  DP03: 'economic',
  DP04: 'housing',
  DP05: 'demographic',
};

/** Each estimate, and after each count its share of the universe. Labels of files replace built-in ones. */
export function describeTable(given: GivenTable): CensusVariable[] {
  const labels = { ...ACS_TABLES.get(given.tableId)?.labels, ...given.labels };
  return given.suffixes.flatMap((suffix) => {
    const label = labels[suffix] ?? null;
    const estimate: CensusVariable = {
      key: variableKeyText({ tableId: given.tableId, suffix, isShare: false }),
      tableId: given.tableId,
      suffix,
      category: snakeCase(PROFILES[given.tableId.slice(0, 4)] ?? subjectOfTable(given.tableId) ?? 'other'),
      subcategory: subcategoryOf(given.tableId, label),
      valueType: valueTypeOf(given.tableId, suffix, label),
      baseVariable: publishedBaseOf(given.tableId, suffix, labels),
      shareOf: null,
      label: label === null ? null : label.split(LABEL_SEPARATOR).join(' / '),
    };
    const base = shareBaseOf(given.tableId, suffix, labels);
    if (base === null || !given.suffixes.includes(base)) return [estimate];
    const share: CensusVariable = {
      ...estimate,
      key: `${estimate.key}_pct`,
      valueType: 'percentage',
      baseVariable: variableKeyText({ tableId: given.tableId, suffix: base, isShare: false }),
      shareOf: base,
    };
    return [estimate, share];
  });
}

/** Subcategory: the section for a profile, otherwise the title, otherwise the table's number. */
function subcategoryOf(tableId: string, label: string | null): string {
  const section = tableId.startsWith('DP') ? label?.split(LABEL_SEPARATOR)[0] : undefined;
  return snakeCase(
    section?.replace(/ \(in \d{4}[^)]*dollars\)/i, '') ?? ACS_TABLES.get(tableId)?.title ?? tableId,
  );
}

function snakeCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

function valueTypeOf(tableId: string, suffix: string, label: string | null): ValueType {
  if (suffix.endsWith('PE')) return 'percentage';
  const measure = ACS_TABLES.get(tableId)?.measure;
  if (measure) return measure === 'dollars' ? 'currency' : measure === 'percent' ? 'percentage' : 'total';
  if (label === null) return 'total';
  if (isOfDollars(tableId, label.split(LABEL_SEPARATOR))) return 'currency';
  // Labels of subject tables start with the column: "Percent below poverty level!!…".
  return /^percent\b/i.test(label) ? 'percentage' : 'total';
}

/** A section may be titled "(in 2021 inflation-adjusted dollars)" although its lines count homes. */
function isOfDollars(tableId: string, parts: readonly string[]): boolean {
  if (/^[BC]/.test(tableId)) return parts.some((part) => /dollars\)/i.test(part));
  return /dollars\)$/i.test(parts[parts.length - 1]) || parts.some((part) => /\(dollars\)/i.test(part));
}

type Labels = Readonly<Record<string, string | undefined>>;

/** The universe of a count. Medians, means and sums of dollars have none. */
function shareBaseOf(tableId: string, suffix: string, labels: Labels): string | null {
  const table = ACS_TABLES.get(tableId);
  if (table) return table.baseSuffix === suffix ? null : table.baseSuffix;
  // In detailed tables known only from the labels of their files, the labels of counts start with "Total!!…".
  const isCount = /^[BC]/.test(tableId) && labels['001E'] === 'Total';
  const label = labels[suffix] ?? '';
  return isCount && label.startsWith(`Total${LABEL_SEPARATOR}`) && !/dollars/i.test(label) ? '001E' : null;
}

/** The base of a percentage that the Bureau publishes, as far as the labels show it. */
function publishedBaseOf(tableId: string, suffix: string, labels: Labels): string | null {
  const label = labels[suffix];
  if (label === undefined) return null;
  const parts = label.split(LABEL_SEPARATOR);
  const found = suffix.endsWith('PE') ? profileBaseOf(parts, labels) : subjectBaseOf(suffix, parts, labels);
  return found === null ? null : variableKeyText({ tableId, suffix: found, isShare: false });
}

/** Profiles give percentages of a section's first line: "HOUSEHOLDS BY TYPE!!Total households!!…". */
function profileBaseOf(parts: readonly string[], labels: Labels): string | null {
  if (parts.length < 3) return null;
  const base = parts.slice(0, 2).join(LABEL_SEPARATOR);
  return Object.keys(labels).find((suffix) => !suffix.endsWith('PE') && labels[suffix] === base) ?? null;
}

/** Subject tables: the base of "Percent below poverty level!!…" is the same line under "Total". */
function subjectBaseOf(suffix: string, parts: readonly string[], labels: Labels): string | null {
  if (!/^percent\s+\S/i.test(parts[0]) || !/^C\d{2}_/.test(suffix)) return null;
  const base = `C01${suffix.slice(3)}`;
  return labels[base] === ['Total', ...parts.slice(1)].join(LABEL_SEPARATOR) ? base : null;
}

/** Every variable of the built-in tables by key. Requests may use these before any of them is loaded. */
export const BUILT_IN_VARIABLES: ReadonlyMap<string, CensusVariable> = new Map(
  [...ACS_TABLES.values()]
    .flatMap(({ id, labels }) => describeTable({ tableId: id, suffixes: Object.keys(labels), labels }))
    .map((variable) => [variable.key, variable]),
);
