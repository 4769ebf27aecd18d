import { ATTRIBUTES, PROPERTY_TYPES } from '../../domain/property.ts';
import { nearest } from '../../geo/point-index.ts';
import { EVIDENCE, RELATED_TYPES, SIMILARITY } from './evidence-constants.ts';
import { comparedValue, comparedValues, isVisible, typeCode } from './market-evidence.ts';
import type { MarketEvidence, TypeEvidence } from './market-evidence.ts';
import { textAt } from '../columns/string-column.ts';
import type { Home, Moment } from '../subject.ts';

/** The home that comparables are sought for, with what the model says of it on the training day. */
export interface ComparableSubject {
  readonly home: Home;
  readonly logValueAtTraining: number;
}

/** What a caller may narrow the returned list by; the estimator's own search is never narrowed. */
export interface SearchLimits {
  readonly k: number;
  readonly radiusMi?: number;
  /** Closed on or after this day. */
  readonly soldFrom?: number;
}

/** Sales most like a home, best first, ties by record id. Columns, not objects: made for every valuation. */
export interface ComparableSelection {
  readonly n: number;
  readonly rows: Int32Array;
  readonly distancesMi: Float64Array;
  /** 0…1. */
  readonly similarity: Float64Array;
  /** How many sales were compared. */
  readonly candidates: number;
  /** Distance to the farthest of them: a search that reaches as far finds the same. */
  readonly reachMi: number;
}

/**
 * The k sales that say most about a home: of the same type (related types only where fewer than the estimator's
 * K of its own are found), visible at the moment, never of the home's own parcel, spread over buildings.
 */
export function selectComparables(
  evidence: MarketEvidence,
  subject: ComparableSubject,
  moment: Moment,
  limits: SearchLimits,
): ComparableSelection {
  const type = typeCode(subject.home.type);
  const pool = candidatePool(evidence, subject, moment, limits, [type]);
  if (pool.n < EVIDENCE.comparables) {
    const related = RELATED_TYPES[subject.home.type].map(typeCode);
    return keepBest(evidence, limits.k, candidatePool(evidence, subject, moment, limits, [type, ...related]));
  }
  return keepBest(evidence, limits.k, pool);
}

interface Pool {
  readonly n: number;
  readonly rows: Int32Array;
  readonly distancesMi: Float64Array;
  readonly similarity: Float64Array;
}

function candidatePool(
  evidence: MarketEvidence,
  subject: ComparableSubject,
  moment: Moment,
  limits: SearchLimits,
  types: readonly number[],
): Pool {
  const capacity = types.length * EVIDENCE.candidates;
  const pool = {
    n: 0,
    rows: new Int32Array(capacity),
    distancesMi: new Float64Array(capacity),
    similarity: new Float64Array(capacity),
  };
  const values = comparedValues(subject.home);
  for (const type of types) {
    const own = evidence.types[type];
    if (own === null) continue;
    const found = nearestVisible(evidence, own, subject.home, moment, limits);
    for (let i = 0; i < found.n; i++) {
      pool.rows[pool.n] = found.rows[i];
      pool.distancesMi[pool.n] = found.distancesMi[i];
      pool.similarity[pool.n] = similarityOf(
        evidence,
        own,
        subject,
        values,
        found.rows[i],
        found.distancesMi[i],
        moment,
      );
      pool.n++;
    }
  }
  return pool;
}

/** Nearest sales of the window; of any age where the window holds too few. */
function nearestVisible(
  evidence: MarketEvidence,
  type: TypeEvidence,
  home: Home,
  moment: Moment,
  limits: SearchLimits,
): { n: number; rows: Int32Array; distancesMi: Float64Array } {
  const ownParcel = evidence.parcelCode(home.parcelId);
  const { soldOn } = evidence.columns;
  const search = (soldFrom: number) =>
    nearest(
      type.index,
      home.lat,
      home.lon,
      EVIDENCE.candidates,
      (row) => soldOn[row] >= soldFrom && isVisible(evidence, row, moment, ownParcel),
      Math.min(EVIDENCE.maxMi, limits.radiusMi ?? EVIDENCE.maxMi),
    );
  const windowStart = moment.asOf - EVIDENCE.windowDays;
  const recent = search(Math.max(windowStart, limits.soldFrom ?? windowStart));
  if (recent.n >= EVIDENCE.comparables || (limits.soldFrom ?? -Infinity) >= windowStart) return recent;
  return search(limits.soldFrom ?? -Infinity);
}

function similarityOf(
  evidence: MarketEvidence,
  type: TypeEvidence,
  subject: ComparableSubject,
  values: Float64Array,
  row: number,
  distanceMi: number,
  moment: Moment,
): number {
  const { columns } = evidence;
  const days = (moment.asOf - columns.soldOn[row]) / SIMILARITY.days;
  const gap = (evidence.logValueOfSale(row) - subject.logValueAtTraining) / SIMILARITY.logValue;
  let cost = 1 + distanceMi / (type.distanceScaleMi * SIMILARITY.distanceUnits) + days * days + gap * gap;
  for (let a = 0; a < values.length; a++) {
    const price = type.attributePrice[a];
    if (price === 0 || Number.isNaN(values[a])) continue;
    const difference = comparedValue(a, columns.attributes[ATTRIBUTES[a]][row]) - values[a];
    // What the sale does not tell may differ by as much as homes do: one standard deviation.
    const priced = (Number.isNaN(difference) ? type.attributeSpread[a] : difference) * price;
    cost += (priced / SIMILARITY.attributes) ** 2;
  }
  if (PROPERTY_TYPES[columns.type[row]] !== subject.home.type) cost += SIMILARITY.otherType;
  return 1 / cost;
}

/** Best first; at most so many of one building, one of a parcel. */
function keepBest(evidence: MarketEvidence, k: number, pool: Pool): ComparableSelection {
  const { columns } = evidence;
  const order = Array.from({ length: pool.n }, (_, i) => i);
  order.sort(
    (a, b) => pool.similarity[b] - pool.similarity[a] || compareIds(evidence, pool.rows[a], pool.rows[b]),
  );
  const rows = new Int32Array(k);
  const distancesMi = new Float64Array(k);
  const similarity = new Float64Array(k);
  let n = 0;
  for (let i = 0; i < order.length && n < k; i++) {
    const row = pool.rows[order[i]];
    let ofBuilding = 0;
    let ofParcel = 0;
    for (let j = 0; j < n; j++) {
      if (columns.parcel[rows[j]] === columns.parcel[row]) ofParcel++;
      if (columns.lat[rows[j]] === columns.lat[row] && columns.lon[rows[j]] === columns.lon[row])
        ofBuilding++;
    }
    if (ofParcel > 0 || ofBuilding >= EVIDENCE.perBuilding) continue;
    rows[n] = row;
    distancesMi[n] = pool.distancesMi[order[i]];
    similarity[n] = pool.similarity[order[i]];
    n++;
  }
  const reachMi = pool.distancesMi.subarray(0, pool.n).reduce((most, miles) => Math.max(most, miles), 0);
  return { n, rows, distancesMi, similarity, candidates: pool.n, reachMi };
}

function compareIds(evidence: MarketEvidence, a: number, b: number): number {
  const idA = textAt(evidence.columns.recordId, a);
  const idB = textAt(evidence.columns.recordId, b);
  return idA < idB ? -1 : idA > idB ? 1 : 0;
}
