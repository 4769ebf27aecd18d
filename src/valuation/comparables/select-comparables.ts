import { ATTRIBUTES } from '../../domain/property.ts';
import type { Nearest } from '../../geo/point-index.ts';
import { COMPARABLES, RELATED_TYPES, SIMILARITY } from './comparables-constants.ts';
import { comparedValues, typeCode } from './sales-data.ts';
import type { SalesData, TypeSalesData } from './sales-data.ts';
import { nearestEligible } from './eligible-rows.ts';
import { selectBest } from './select-best.ts';
import type { Home, Moment } from '../subject.ts';

/** The home to compare with, and its predicted value at the training day. */
export interface ComparableSubject {
  readonly home: Home;
  readonly logValueAtTraining: number;
}

/** Limits of a search. Only the caller's list is narrowed, never the estimator's search. */
export interface SearchLimits {
  readonly k: number;
  readonly radiusMi?: number;
  /** Closed on or after this day. */
  readonly soldFrom?: number;
}

/** Sales most like a home, best first, ties by record id. */
export interface ComparableSelection {
  readonly n: number;
  readonly rows: Int32Array;
  readonly distancesMi: Float64Array;
  /** 0…1. */
  readonly similarity: Float64Array;
  /** Number of sales compared. */
  readonly candidates: number;
  /** Distance to the farthest sale compared: a search with at least this radius finds the same. */
  readonly reachMi: number;
}

/**
 * The k most similar sales: of the home's type (related types where those are fewer than K),
 * eligible at the moment, at most a few per building.
 */
export function selectComparables(
  salesData: SalesData,
  subject: ComparableSubject,
  moment: Moment,
  limits: SearchLimits,
): ComparableSelection {
  const type = typeCode(subject.home.type);
  const candidates = findCandidates(salesData, subject, moment, limits, [type]);
  if (candidates.n < COMPARABLES.comparables) {
    const related = RELATED_TYPES[subject.home.type].map(typeCode);
    return bestOf(
      salesData,
      limits.k,
      findCandidates(salesData, subject, moment, limits, [type, ...related]),
    );
  }
  return bestOf(salesData, limits.k, candidates);
}

interface Candidates {
  readonly n: number;
  readonly rows: Int32Array;
  readonly distancesMi: Float64Array;
  readonly similarity: Float64Array;
}

function findCandidates(
  salesData: SalesData,
  subject: ComparableSubject,
  moment: Moment,
  limits: SearchLimits,
  types: readonly number[],
): Candidates {
  const capacity = types.length * COMPARABLES.candidates;
  const candidates = {
    n: 0,
    rows: new Int32Array(capacity),
    distancesMi: new Float64Array(capacity),
    similarity: new Float64Array(capacity),
  };
  for (const type of types) {
    const own = salesData.types[type];
    if (own === null) continue;
    const found = nearestVisible(salesData, own, subject.home, moment, limits);
    candidates.rows.set(found.rows.subarray(0, found.n), candidates.n);
    candidates.distancesMi.set(found.distancesMi.subarray(0, found.n), candidates.n);
    writeSimilarity(salesData, own, subject, moment, found, candidates.similarity.subarray(candidates.n));
    candidates.n += found.n;
  }
  return candidates;
}

/** Nearest sales of the window; of any age where the window has too few. */
function nearestVisible(
  salesData: SalesData,
  type: TypeSalesData,
  home: Home,
  moment: Moment,
  limits: SearchLimits,
): Nearest {
  const maxMi = Math.min(COMPARABLES.maxMi, limits.radiusMi ?? COMPARABLES.maxMi);
  const search = (soldFrom: number) =>
    nearestEligible(salesData, type, home, moment, { k: COMPARABLES.candidates, soldFrom, maxMi });
  const windowStart = moment.asOf - COMPARABLES.windowDays;
  const recent = search(Math.max(windowStart, limits.soldFrom ?? windowStart));
  if (recent.n >= COMPARABLES.comparables || (limits.soldFrom ?? -Infinity) >= windowStart) return recent;
  return search(limits.soldFrom ?? -Infinity);
}

/** Similarity of each found sale to the home: the hottest loop of a valuation. */
function writeSimilarity(
  salesData: SalesData,
  type: TypeSalesData,
  { home, logValueAtTraining }: ComparableSubject,
  moment: Moment,
  found: Nearest,
  similarity: Float64Array,
): void {
  const { columns, compared, logValueOfSale } = salesData;
  const { attributePrice, attributeSpread } = type;
  const values = comparedValues(home);
  const priced = type.pricedAttributes.filter((a) => !Number.isNaN(values[a]));
  const ownType = typeCode(home.type);
  const distanceUnitMi = type.distanceScaleMi * SIMILARITY.distanceUnits;
  for (let i = 0; i < found.n; i++) {
    const row = found.rows[i];
    const days = (moment.asOf - columns.soldOn[row]) / SIMILARITY.days;
    const gap = (logValueOfSale(row) - logValueAtTraining) / SIMILARITY.logValue;
    let cost = 1 + found.distancesMi[i] / distanceUnitMi + days * days + gap * gap;
    const at = row * ATTRIBUTES.length;
    for (let t = 0; t < priced.length; t++) {
      const a = priced[t];
      const difference = compared[at + a] - values[a];
      // A value missing in the sale counts as a difference of one standard deviation.
      const priceGap = (Number.isNaN(difference) ? attributeSpread[a] : difference) * attributePrice[a];
      cost += (priceGap / SIMILARITY.attributes) ** 2;
    }
    if (columns.type[row] !== ownType) cost += SIMILARITY.otherType;
    similarity[i] = 1 / cost;
  }
}

/** Best first, ties by record id; limited per building and per parcel. */
function bestOf(salesData: SalesData, k: number, candidates: Candidates): ComparableSelection {
  const { columns } = salesData;
  const { rows } = candidates;
  const kept: number[] = [];
  const hasRoom = (position: number): boolean => {
    const row = rows[position];
    let ofBuilding = 0;
    let ofParcel = 0;
    for (const other of kept) {
      if (columns.parcel[other] === columns.parcel[row]) ofParcel++;
      if (columns.lat[other] === columns.lat[row] && columns.lon[other] === columns.lon[row]) ofBuilding++;
    }
    if (ofParcel >= COMPARABLES.perParcel[columns.kind] || ofBuilding >= COMPARABLES.perBuilding)
      return false;
    kept.push(row);
    return true;
  };
  const best = selectBest(
    candidates.similarity.subarray(0, candidates.n),
    k,
    (a, b) => salesData.recordId(rows[a]) < salesData.recordId(rows[b]),
    hasRoom,
  );
  const reachMi = candidates.distancesMi
    .subarray(0, candidates.n)
    .reduce((most, miles) => Math.max(most, miles), 0);
  return {
    n: best.length,
    rows: Int32Array.from(best, (position) => rows[position]),
    distancesMi: Float64Array.from(best, (position) => candidates.distancesMi[position]),
    similarity: Float64Array.from(best, (position) => candidates.similarity[position]),
    candidates: candidates.n,
    reachMi,
  };
}
