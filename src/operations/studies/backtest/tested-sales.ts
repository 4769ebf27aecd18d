import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import type { RatioCases } from '../../../valuation/ratio-study/cases.ts';
import { casesOf, pointCases } from '../../../valuation/ratio-study/cases.ts';
import type { StudyValues } from './study-method.ts';
import { STUDY_PERCENTILES } from './study-method.ts';

/** Every tested sale, or listing, with its value: what the study measures and the CSV lists. By training, then by column order. */
export interface TestedSales {
  readonly columns: SaleColumns;
  /** Rows of the columns. */
  readonly rows: Int32Array;
  readonly values: StudyValues;
  readonly baselines: Readonly<Record<string, Float64Array>>;
  /** 1 where at least three parcels were sold on the same day at the same price; 0 for listings. */
  readonly isBundle: Uint8Array;
  /** 1 where the market's own checks flag the sale, at any time, as no measure of value. */
  readonly isFlagged: Uint8Array;
}

/** What one training of a study valued. */
export interface TestedPart {
  readonly rows: Int32Array;
  readonly values: StudyValues;
  readonly baselines: Readonly<Record<string, Float64Array>>;
}

export function joinTested(
  columns: SaleColumns,
  parts: readonly TestedPart[],
  bundles: Uint8Array | null,
): TestedSales {
  const rows = Int32Array.from(parts.flatMap((part) => [...part.rows]));
  const join = (column: (part: TestedPart) => Float64Array): Float64Array => {
    const joined = new Float64Array(rows.length);
    let at = 0;
    for (const part of parts) {
      joined.set(column(part), at);
      at += part.rows.length;
    }
    return joined;
  };
  const names = parts.length > 0 ? Object.keys(parts[0].baselines) : [];
  return {
    columns,
    rows,
    values: {
      valueUsd: join((part) => part.values.valueUsd),
      percentilesUsd: STUDY_PERCENTILES.map((_, p) => join((part) => part.values.percentilesUsd[p])),
      fsd: join((part) => part.values.fsd),
    },
    baselines: Object.fromEntries(names.map((name) => [name, join((part) => part.baselines[name])])),
    isBundle: Uint8Array.from(rows, (row) => bundles?.[row] ?? 0),
    isFlagged: Uint8Array.from(rows, (row) => (columns.flag[row] === 0 ? 0 : 1)),
  };
}

/** The model's values against the prices. */
export function modelCases(tested: TestedSales): RatioCases {
  const { percentilesUsd, valueUsd, fsd } = tested.values;
  const at = (level: (typeof STUDY_PERCENTILES)[number]) => percentilesUsd[STUDY_PERCENTILES.indexOf(level)];
  return {
    n: tested.rows.length,
    price: pricesOf(tested),
    value: valueUsd,
    interval80: { low: at(10), high: at(90) },
    interval90: { low: at(5), high: at(95) },
    interval95: { low: at(2.5), high: at(97.5) },
    fsd,
  };
}

export function baselineCases(tested: TestedSales, name: string): RatioCases {
  return pointCases(pricesOf(tested), tested.baselines[name]);
}

/** The cases of the kept sales, with their positions among the tested ones. */
export function keepCases(
  cases: RatioCases,
  isKept: (position: number) => boolean,
): { cases: RatioCases; positions: number[] } {
  const positions: number[] = [];
  for (let position = 0; position < cases.n; position++) if (isKept(position)) positions.push(position);
  return { cases: casesOf(cases, positions), positions };
}

/**
 * 1 for every row whose day and price are shared by three parcels or more, among the study rows. Other studies can
 * repeat this definition (docs/methods/measuring.md). With months only, round prices also match by chance.
 */
export function markBundles(columns: SaleColumns, studied: Int32Array): Uint8Array {
  const parcelsOf = new Map<string, Set<number>>();
  const keyOf = (row: number): string => `${columns.soldOn[row]} ${columns.priceUsd[row]}`;
  for (const row of studied) {
    const key = keyOf(row);
    const parcels = parcelsOf.get(key) ?? new Set<number>();
    parcelsOf.set(key, parcels.add(columns.parcel[row]));
  }
  const marks = new Uint8Array(columns.n);
  for (const row of studied) marks[row] = (parcelsOf.get(keyOf(row))?.size ?? 0) >= 3 ? 1 : 0;
  return marks;
}

function pricesOf(tested: TestedSales): Float64Array {
  return Float64Array.from(tested.rows, (row) => tested.columns.priceUsd[row]);
}
