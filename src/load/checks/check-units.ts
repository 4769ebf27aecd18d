import { SQFT_PER_SQM } from '../rows/cell-values.ts';
import type { ColumnSource } from '../rows/column-source.ts';
import type { TableKind } from '../rows/columns.ts';
import { doNotRead, LEAST_VALUES, MAX_VALUES, multiply, type Finding } from './finding.ts';

/** A column whose values show that it is in another unit. */
interface UnitRule {
  readonly column: string;
  readonly isUnlikely: (median: number, values: readonly number[]) => boolean;
  readonly cause: string;
  /** The factor that makes the values right; null for none. */
  readonly times: number | null;
}

const UNIT_RULES: readonly UnitRule[] = [
  {
    column: 'living_area',
    isUnlikely: (median) => median < 300,
    cause: 'it may be in square meters, or another column',
    times: SQFT_PER_SQM,
  },
  {
    column: 'size',
    isUnlikely: (median) => median < 150,
    cause: 'it may be in square meters',
    times: SQFT_PER_SQM,
  },
  { column: 'lot_size', isUnlikely: (median) => median < 100, cause: 'it may be in acres', times: 43_560 },
  {
    column: 'lot_size',
    isUnlikely: (median) => median > 5e6,
    cause: 'its column of acres may hold square feet',
    times: 1 / 43_560,
  },
  {
    column: 'bathrooms',
    // Buildings have 12 or 16 baths; homes with 15 or 20 would have 1.5 or 2.
    isUnlikely: (median, values) =>
      median >= 10 && values.filter((baths) => baths % 5 === 0).length >= 0.9 * values.length,
    cause: 'it may be multiplied by 10',
    times: 0.1,
  },
  {
    column: 'year_built',
    isUnlikely: (median) => median < 1700,
    cause: 'it may be an age or have two digits',
    times: null,
  },
  {
    column: 'garage_spaces',
    isUnlikely: (median) => median > 100,
    cause: 'it may be the area of the garage',
    times: null,
  },
  {
    column: 'sale_price',
    isUnlikely: (median) => median < 5000,
    cause: 'it may be in thousands of dollars',
    times: 1000,
  },
  { column: 'sale_price', isUnlikely: (median) => median > 1e7, cause: 'it may be in cents', times: 0.01 },
  { column: 'rent', isUnlikely: (median) => median < 100, cause: 'it may be in hundreds', times: 100 },
  { column: 'rent', isUnlikely: (median) => median > 20_000, cause: 'it may be per year', times: 1 / 12 },
];

/** Columns of which some values may be in another unit: those below a limit that become usual by a factor. */
const MIXED_UNITS = [
  { column: 'sale_price', below: 5000, times: 1000, unit: 'thousands of dollars', usual: 'dollars' },
  {
    column: 'living_area',
    below: 300,
    times: SQFT_PER_SQM,
    unit: 'square meters',
    usual: 'square feet',
  },
] as const;
/** Fewer such values are errors of their rows, and are flagged. */
const MIXED_SHARE = 0.03;

/**
 * Finds columns of which all or some values are in another unit.
 *
 * @param readAs says how a column is read
 */
export function createUnitCheck(
  file: string,
  kind: TableKind,
  sourceOf: (column: string) => string,
  readAs: (column: string) => ColumnSource,
) {
  const rules = UNIT_RULES.filter(
    ({ column }) => (column !== 'rent' && column !== 'size') || kind === 'rents',
  );
  const values = new Map<string, number[]>(rules.map(({ column }) => [column, []]));

  function add(numberIn: (column: string) => number): void {
    for (const [column, list] of values) {
      if (list.length >= MAX_VALUES) continue;
      const value = numberIn(column);
      if (value > 0) list.push(value);
    }
  }

  function findings(): Finding[] {
    const mixed = MIXED_UNITS.flatMap((rule) => findMixedUnits(rule, values.get(rule.column) ?? []));
    const isMixed = (column: string): boolean => mixed.some((found) => found.column === column);
    return [...mixed, ...rules.flatMap((rule) => (isMixed(rule.column) ? [] : findUnlikelyUnits(rule)))];
  }

  function findUnlikelyUnits({ column, isUnlikely, cause, times }: UnitRule): Finding[] {
    const known = (values.get(column) ?? []).toSorted((a, b) => a - b);
    const middle = known.length >> 1;
    if (known.length < LEAST_VALUES || !isUnlikely(known[middle], known)) return [];
    const source = sourceOf(column);
    return [
      {
        check: 'unlikely_units',
        column,
        count: known.length,
        message: `The median ${column} of ${file} is ${known[middle]}: ${cause}.`,
        examples: known.slice(middle, middle + 3).map(String),
        remedy:
          times === null
            ? 'Export the column in its usual form (years of four digits, numbers of cars), or do not read it.'
            : `Multiply ${column} by a factor, or export it in the usual unit.`,
        fixes: [
          times === null
            ? doNotRead(`Do not read "${source}"`, column)
            : multiply(column, source, times * (readAs(column).times ?? 1)),
        ],
        isBlocking: true,
      },
    ];
  }

  function findMixedUnits(rule: (typeof MIXED_UNITS)[number], known: readonly number[]): Finding[] {
    const { column, below, times, unit, usual } = rule;
    const low = known.filter((value) => value < below).toSorted((a, b) => a - b);
    const rest = known.filter((value) => value >= below).toSorted((a, b) => a - b);
    const least = Math.max(LEAST_VALUES / 2, MIXED_SHARE * known.length);
    // Nominal prices such as 1 and 10 are few different ones.
    if (low.length < least || rest.length < least || new Set(low).size < low.length / 2) return [];
    const converted = low[low.length >> 1] * times;
    const [usualLow, usualHigh] = [0.05, 0.95].map((share) => rest[Math.floor(share * (rest.length - 1))]);
    if (converted < usualLow || converted > usualHigh) return [];
    return [
      {
        check: 'unlikely_units',
        column,
        count: low.length,
        message: `${low.length} of ${known.length} values of ${column} in ${file} are below ${below}: they may be in ${unit}, and the others in ${usual}.`,
        examples: low.slice(low.length >> 1, (low.length >> 1) + 3).map(String),
        remedy: `Give all values of ${sourceOf(column)} in ${usual}.`,
        isBlocking: true,
      },
    ];
  }

  return { add, findings };
}
