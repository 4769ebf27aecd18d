import { EQUITY_MEASURES, type EquityMeasure, type EquityVerdict } from '../../domain/equity.ts';
import { PROPERTY_TYPES, type PropertyType } from '../../domain/property.ts';
import { casesOf, hitRows, type RatioCases } from './cases.ts';
import { medianEstimate, studyStratum, type Interval95 } from './strata.ts';

/**
 * Ranges of the IAAO's Standard on Ratio Studies: median ratio of 2013, COD by type of property, PRD and PRB as of 2013, VEI as of the
 * exposure draft of 2025 (section 8.2.1). docs/methods/measuring.md has the definitions.
 */
const RANGES: Readonly<Record<Exclude<EquityMeasure, 'cod'>, Interval95>> = {
  median_ratio: [0.9, 1.1],
  prd: [0.98, 1.03],
  prb: [-0.05, 0.05],
  vei: [-10, 10],
};
const COD_RANGE: Interval95 = [5, 15];
/** Buildings of 2–4 units, manufactured homes and income property vary more than single-family homes. */
const WIDE_COD_RANGE: Interval95 = [5, 20];
const WIDE_COD_TYPES: ReadonlySet<string> = new Set<PropertyType>([
  'small_multifamily',
  'multifamily',
  'mobile',
]);

interface EquityFigure {
  readonly measure: EquityMeasure;
  /** Null where it is undefined: too few sales, or one price for all. */
  readonly figure: number | null;
  readonly ci95: Interval95 | null;
  readonly range: Interval95;
  readonly verdict: EquityVerdict;
}

/** The uniformity and vertical equity of a set of sales. */
export interface EquityStudy {
  /** 'all' or a property type. */
  readonly stratum: string;
  readonly n: number;
  readonly isSmall: boolean;
  readonly measures: readonly EquityFigure[];
}

function rangeOf(measure: EquityMeasure, stratum: string): Interval95 {
  if (measure !== 'cod') return RANGES[measure];
  return WIDE_COD_TYPES.has(stratum) ? WIDE_COD_RANGE : COD_RANGE;
}

/** The standard decides by confidence interval: a figure outside of the range can be chance. */
export function verdictOf(ci95: Interval95 | null, [low, high]: Interval95): EquityVerdict {
  if (ci95 === null) return 'uncertain';
  if (ci95[1] < low) return 'below';
  if (ci95[0] > high) return 'above';
  return ci95[0] >= low && ci95[1] <= high ? 'in_range' : 'uncertain';
}

/** A figure of all sales or of a type, compared with its range. */
export function equityFigure(
  measure: EquityMeasure,
  stratum: string,
  figure: number | null,
  ci95: Interval95 | null,
): EquityFigure {
  const range = rangeOf(measure, stratum);
  return { measure, figure, ci95, range, verdict: verdictOf(ci95, range) };
}

function studyEquity(stratum: string, cases: RatioCases): EquityStudy {
  const { n, isSmall, figures, ci95 } = studyStratum(cases);
  // As in the errors by type: one figure has one interval on a page.
  const { ci95: ofMedian } = medianEstimate(sortedRatios(cases));
  const measures = EQUITY_MEASURES.map((measure): EquityFigure => {
    return measure === 'median_ratio'
      ? equityFigure(measure, stratum, figures.medianRatio, ofMedian)
      : equityFigure(measure, stratum, figures[measure], ci95[measure]);
  });
  return { stratum, n, isSmall, measures };
}

function sortedRatios(cases: RatioCases): Float64Array {
  const { price, value } = casesOf(cases, hitRows(cases));
  return price.map((usd, i) => value[i] / usd).sort();
}

/** All sales, then each type. `types` are indexes into PROPERTY_TYPES. */
export function studyEquityByType(cases: RatioCases, types: Uint8Array): EquityStudy[] {
  if (cases.n === 0) return [];
  const rowsOf = Map.groupBy(types.keys(), (row) => types[row]);
  const byType = PROPERTY_TYPES.flatMap((type, code) => {
    const rows = rowsOf.get(code);
    return rows ? [studyEquity(type, casesOf(cases, rows))] : [];
  });
  return [studyEquity('all', cases), ...byType];
}
