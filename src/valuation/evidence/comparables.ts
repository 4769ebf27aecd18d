import { ATTRIBUTES } from '../../domain/property.ts';
import { EVIDENCE, RELATED_TYPES, SIMILARITY } from './evidence-constants.ts';
import { comparedValues, typeCode } from './market-evidence.ts';
import type { MarketEvidence, TypeEvidence } from './market-evidence.ts';
import { nearestRows } from './near-rows.ts';
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
 * K of its own are found), visible at the moment, no sale of the home's own parcel, spread over buildings.
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
  for (const type of types) {
    const own = evidence.types[type];
    if (own === null) continue;
    const found = nearestVisible(evidence, own, subject.home, moment, limits);
    const similarity = similarityTo(evidence, own, subject, moment);
    for (let i = 0; i < found.n; i++) {
      pool.rows[pool.n] = found.rows[i];
      pool.distancesMi[pool.n] = found.distancesMi[i];
      pool.similarity[pool.n] = similarity(found.rows[i], found.distancesMi[i]);
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
  const maxMi = Math.min(EVIDENCE.maxMi, limits.radiusMi ?? EVIDENCE.maxMi);
  const search = (soldFrom: number) =>
    nearestRows(evidence, type, home, moment, { k: EVIDENCE.candidates, soldFrom, maxMi });
  const windowStart = moment.asOf - EVIDENCE.windowDays;
  const recent = search(Math.max(windowStart, limits.soldFrom ?? windowStart));
  if (recent.n >= EVIDENCE.comparables || (limits.soldFrom ?? -Infinity) >= windowStart) return recent;
  return search(limits.soldFrom ?? -Infinity);
}

/** How much a sale of a type says about the home, by row and distance: the loop of every valuation. */
function similarityTo(
  evidence: MarketEvidence,
  type: TypeEvidence,
  { home, logValueAtTraining }: ComparableSubject,
  moment: Moment,
): (row: number, distanceMi: number) => number {
  const { columns, compared, logValueOfSale } = evidence;
  const { attributePrice, attributeSpread } = type;
  const values = comparedValues(home);
  const told = type.pricedAttributes.filter((a) => !Number.isNaN(values[a]));
  const ownType = typeCode(home.type);
  const distanceUnitMi = type.distanceScaleMi * SIMILARITY.distanceUnits;
  return (row, distanceMi) => {
    const days = (moment.asOf - columns.soldOn[row]) / SIMILARITY.days;
    const gap = (logValueOfSale(row) - logValueAtTraining) / SIMILARITY.logValue;
    let cost = 1 + distanceMi / distanceUnitMi + days * days + gap * gap;
    const at = row * ATTRIBUTES.length;
    for (let i = 0; i < told.length; i++) {
      const a = told[i];
      const difference = compared[at + a] - values[a];
      // What the sale does not tell may differ by as much as homes do: one standard deviation.
      const priced = (Number.isNaN(difference) ? attributeSpread[a] : difference) * attributePrice[a];
      cost += (priced / SIMILARITY.attributes) ** 2;
    }
    if (columns.type[row] !== ownType) cost += SIMILARITY.otherType;
    return 1 / cost;
  };
}

/**
 * Best first; at most so many of one building and of one parcel. Twenty of 160 are taken one by one: sorting them all
 * takes five times as long.
 */
function keepBest(evidence: MarketEvidence, k: number, pool: Pool): ComparableSelection {
  const { columns } = evidence;
  const rows = new Int32Array(k);
  const distancesMi = new Float64Array(k);
  const similarity = new Float64Array(k);
  const isTaken = new Uint8Array(pool.n);
  let n = 0;
  for (let taken = 0; taken < pool.n && n < k; taken++) {
    const best = bestOf(evidence, pool, isTaken);
    isTaken[best] = 1;
    const row = pool.rows[best];
    let ofBuilding = 0;
    let ofParcel = 0;
    for (let j = 0; j < n; j++) {
      if (columns.parcel[rows[j]] === columns.parcel[row]) ofParcel++;
      if (columns.lat[rows[j]] === columns.lat[row] && columns.lon[rows[j]] === columns.lon[row])
        ofBuilding++;
    }
    if (ofParcel >= EVIDENCE.perParcel[columns.evidence] || ofBuilding >= EVIDENCE.perBuilding) continue;
    rows[n] = row;
    distancesMi[n] = pool.distancesMi[best];
    similarity[n] = pool.similarity[best];
    n++;
  }
  const reachMi = pool.distancesMi.subarray(0, pool.n).reduce((most, miles) => Math.max(most, miles), 0);
  return { n, rows, distancesMi, similarity, candidates: pool.n, reachMi };
}

/** The most similar sale not taken yet, ties by record id. */
function bestOf(evidence: MarketEvidence, pool: Pool, isTaken: Uint8Array): number {
  const { similarity, rows } = pool;
  let best = -1;
  for (let i = 0; i < pool.n; i++) {
    if (isTaken[i] === 1) continue;
    const isBetter =
      best === -1 ||
      similarity[i] > similarity[best] ||
      (similarity[i] === similarity[best] && compareIds(evidence, rows[i], rows[best]) < 0);
    if (isBetter) best = i;
  }
  return best;
}

function compareIds(evidence: MarketEvidence, a: number, b: number): number {
  const idA = evidence.recordId(a);
  const idB = evidence.recordId(b);
  return idA < idB ? -1 : idA > idB ? 1 : 0;
}
