import type { ColumnSource } from '../rows/column-source.ts';

/** Checks of a whole file. `--accept NAME` loads a file that fails one. */
export const CHECKS = [
  'ambiguous_dates',
  'mixed_dates',
  'serial_dates',
  'shifted_dates',
  'placeholder_dates',
  'ambiguous_numbers',
  'mixed_numbers',
  'unlikely_units',
  'bath_notation',
  'zero_rooms',
  'placeholder_years',
  'half_baths_not_read',
  'missing_columns',
  'unreadable_column',
  'sale_validity',
  'other_sales_not_read',
  'facts_of_parcels',
  'addresses_without_numbers',
  'mailing_addresses',
  'swapped_coordinates',
  'wrong_sign',
  'projected_coordinates',
  'degrees_minutes_seconds',
  'far_coordinates',
  'shared_coordinates',
  'coordinates_of_areas',
  'rounded_ids',
  'lost_zeros',
  'shared_parcel_ids',
  'garbled_text',
  'other_sheets',
  'merged_cells',
  'hidden_rows',
  'changed_prices',
  'lost_facts',
  'other_ids',
  'most_rows_flagged',
  'recoded_feature',
  'recoded_attribute',
  'index_jumps',
  'index_rebased',
] as const;

export type Check = (typeof CHECKS)[number];

/**
 * Checks of single rows. `--leave-out NAME` loads the file without the rows that fail one: of rounded ids and of
 * coordinates of areas without these only, and of two prices without the earlier row.
 */
export const ROW_CHECKS = [
  'placeholder_dates',
  'swapped_coordinates',
  'wrong_sign',
  'projected_coordinates',
  'degrees_minutes_seconds',
  'far_coordinates',
  'coordinates_of_areas',
  'rounded_ids',
  'garbled_text',
  'hidden_rows',
  'changed_prices',
] as const satisfies readonly Check[];

export type RowCheck = (typeof ROW_CHECKS)[number];

export function isRowCheck(check: Check): check is RowCheck {
  return ROW_CHECKS.some((name) => name === check);
}

/** A change of the mapping that resolves a finding. */
export interface Fix {
  /** What it does, in a few words. */
  readonly label: string;
  readonly mapping: Readonly<Record<string, string | ColumnSource>>;
}

/** What a check found. */
export interface Finding {
  readonly check: Check;
  /** A sentence that names the file. */
  readonly message: string;
  readonly column: string | null;
  /** Rows concerned. */
  readonly count: number;
  /** Up to three. */
  readonly examples: readonly string[];
  readonly remedy: string;
  /** For a missing column: the column of the file that may be it. */
  readonly likely?: string;
  /** Other mappings of the columns concerned, of which one is right. */
  readonly fixes?: readonly Fix[];
  /** Whether nothing is loaded unless the operator accepts the check. Others are reported only. */
  readonly isBlocking: boolean;
}

/** A column that is not read, but that one of the file's columns may be. */
export function unreadColumn(
  file: string,
  column: string,
  likely: readonly string[],
): Pick<Finding, 'check' | 'column' | 'message' | 'likely' | 'remedy' | 'fixes'> {
  const [first] = likely;
  return {
    check: 'missing_columns',
    column,
    message: `No column of ${file} is read as ${column}, but ${quoted(likely)} may be it.`,
    likely: first,
    remedy: `Read it as ${column}, or leave it out.`,
    fixes: [
      ...likely.slice(0, 3).map((name) => ({
        label: `Read "${name}" as ${column.replaceAll('_', ' ')}`,
        mapping: { [column]: name },
      })),
      { label: likely.length > 1 ? 'None of them' : 'It is not', mapping: { [column]: NOT_READ } },
    ],
  };
}

/** Names of columns in a sentence. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

const NOT_READ: ColumnSource = { const: '' };

export function doNotRead(label: string, ...columns: string[]): Fix {
  return { label, mapping: Object.fromEntries(columns.map((column) => [column, NOT_READ])) };
}

export function multiply(column: string, source: string, times: number): Fix {
  const factor = Number(times.toPrecision(6));
  return { label: `Multiply by ${factor}`, mapping: { [column]: { source, times: factor } } };
}

export function addZeros(column: string, source: string, digits: number): Fix {
  return { label: `Add zeros up to ${digits} digits`, mapping: { [column]: { source, pad: digits } } };
}

/** A median of fewer values shows nothing. */
export const LEAST_VALUES = 10;
/** Of each column, so many values are remembered. */
export const MAX_VALUES = 20_000;

/** Fewer rows than this share are reported, and do not stop an import. */
const BLOCKING_SHARE = 0.001;

export function isCommon(count: number, rows: number): boolean {
  return count > 0 && count >= BLOCKING_SHARE * rows;
}

/** Checks whose remedy is to replace all rows of the market. */
const REPLACING: ReadonlySet<Check> = new Set(['other_ids', 'index_rebased']);

/** For the console, which lists the examples and offers the rest itself. */
export function sayFinding({ message, remedy }: Finding): string {
  return `${message} ${remedy}`;
}

/** For the command line: the sentence, examples, and what to do, with mappings to copy and options. */
export function describeFinding({
  check,
  message,
  examples,
  remedy,
  fixes = [],
  isBlocking,
}: Finding): string {
  const shown = examples.length > 0 ? ` Such as ${examples.join('; ')}.` : '';
  const mappings = fixes.map(({ label, mapping }) => `${label}: ${describeMapping(mapping)}`);
  const mapped = mappings.length > 0 ? ` In a mapping: ${mappings.join('; or ')}.` : '';
  const replacing = REPLACING.has(check) ? ' With --replace, the files replace all rows.' : '';
  const leaving = isRowCheck(check) ? ` ${leavingOut(check)}: --leave-out ${check}.` : '';
  const options = isBlocking ? `${leaving} To load the file as it is: --accept ${check}.` : '';
  return `${check}: ${message}${shown} ${remedy}${replacing}${mapped}${options}`;
}

/** JSON in one line, with spaces. */
function describeMapping(mapping: Fix['mapping']): string {
  return JSON.stringify(mapping, null, 1).replaceAll(/\n */g, ' ');
}

/** The findings, of which those do not stop an import whose rows are left out. */
export function withoutLeftOut(findings: readonly Finding[], leaveOut: readonly string[] = []): Finding[] {
  return findings.map((finding) =>
    leaveOut.includes(finding.check) ? { ...finding, isBlocking: false } : finding,
  );
}

/** What leaving out the rows of a check does, as an instruction. */
export function leavingOut(check: RowCheck): string {
  if (check === 'rounded_ids') return 'Load these rows without the ids';
  if (check === 'coordinates_of_areas') return 'Load these rows without the coordinates';
  return check === 'changed_prices' ? 'Load only the last row of each' : 'Leave these rows out';
}

const MAX_EXAMPLES = 3;
/** An address with a day and two prices fits. */
const MAX_EXAMPLE_CHARACTERS = 100;

export type Tally = ReturnType<typeof createTally>;

/** Counts rows, with the first three different ones as examples. */
export function createTally() {
  const examples = new Set<string>();
  let count = 0;
  return {
    add(text: string, line: number | null = null): void {
      count++;
      if (examples.size >= MAX_EXAMPLES) return;
      const cut = text.length > MAX_EXAMPLE_CHARACTERS ? `${text.slice(0, MAX_EXAMPLE_CHARACTERS)}…` : text;
      const shown = cut.replaceAll(/\p{Cc}/gu, ' ').trim();
      examples.add(line === null ? shown : `${shown} (line ${line})`);
    },
    count: () => count,
    examples: () => [...examples],
    /** What was counted, as a finding; none if nothing was. */
    finding(found: Omit<Finding, 'count' | 'examples'>): Finding[] {
      return count === 0 ? [] : [{ ...found, count, examples: [...examples] }];
    },
  };
}
