import { ATTRIBUTES, type PropertyType } from '../../domain/property.ts';
import { milesApart } from '../../geo/distance.ts';
import { nearest, type Nearest } from '../../geo/point-index.ts';
import { isUsable, type OnParcel } from '../columns/sale-columns.ts';
import { COMPARABLES, RELATED_TYPES, SIMILARITY } from './comparables-constants.ts';
import {
  comparedValues,
  homeOf,
  soldOnOf,
  typeCode,
  type SalesData,
  type TypeSalesData,
} from './sales-data.ts';
import type { Home, Moment } from '../subject.ts';

/** A home's predicted ln value at the training day. */
export interface PredictedValue {
  /** Mean of the members. */
  readonly logValue: number;
  /** By member. */
  readonly members: Float64Array;
}

/** The home to compare with. */
interface ComparableSubject {
  readonly home: Home;
  readonly predicted: PredictedValue;
}

/**
 * What the model pays for the differences between a home and a sale, ln USD. The home's value is by the members
 * that never saw the sale, as the sale's own is. A value by all members has learned from the sale's price, which
 * would count its error twice.
 *
 * A rent is valued by all members: what they learned from the own building is wanted (OWN_BUILDING).
 */
export function logDifference(
  salesData: SalesData,
  { logValue, members }: PredictedValue,
  row: number,
): number {
  const fold = salesData.columns.kind === 'sales' ? salesData.predictor.foldOfSale(row) : -1;
  return (fold < 0 ? logValue : members[fold]) - salesData.logValueOfSale(row);
}

/** Limits of a search. Only the caller's list is narrowed, never the estimator's search. */
interface SearchLimits {
  readonly k: number;
  readonly radiusMi?: number;
  /** Closed on or after this day. */
  readonly soldFrom?: number;
}

/** Sales most like a home, best first, ties by record id. */
export type ComparableSelection = ReturnType<typeof bestOf>;

/**
 * The k most similar sales: of the home's type (related types where those are fewer than K),
 * eligible at the moment, at most a few per building. Pinned sales are always among them.
 */
export function selectComparables(
  salesData: SalesData,
  subject: ComparableSubject,
  moment: Moment,
  limits: SearchLimits,
): ComparableSelection {
  const { type } = subject.home;
  const search = { salesData, subject, moment, limits };
  if (!salesData.choice.isFilled) return bestOf(search, findCandidates(search, []));
  const candidates = findCandidates(search, [type]);
  const isEnough = candidates.n >= COMPARABLES.comparables;
  return bestOf(search, isEnough ? candidates : findCandidates(search, [type, ...RELATED_TYPES[type]]));
}

interface Search {
  readonly salesData: SalesData;
  readonly subject: ComparableSubject;
  readonly moment: Moment;
  readonly limits: SearchLimits;
}

function findCandidates(search: Search, types: readonly PropertyType[]) {
  const capacity = types.length * COMPARABLES.candidates[search.salesData.columns.kind];
  const candidates = {
    n: 0,
    rows: new Int32Array(capacity),
    distancesMi: new Float64Array(capacity),
    similarity: new Float64Array(capacity),
  };
  for (const type of types) {
    const own = search.salesData.types[typeCode(type)];
    if (own === null) continue;
    const found = nearestVisible(search, own);
    candidates.rows.set(found.rows.subarray(0, found.n), candidates.n);
    candidates.distancesMi.set(found.distancesMi.subarray(0, found.n), candidates.n);
    writeSimilarity(search, own, found, candidates.similarity.subarray(candidates.n));
    candidates.n += found.n;
  }
  return candidates;
}

/**
 * Nearest sales of the window, which ends on the as-of date, or with the sales that a late training knew; of any age
 * where the window has too few.
 */
function nearestVisible({ salesData, subject, moment, limits }: Search, type: TypeSalesData): Nearest {
  const k = COMPARABLES.candidates[salesData.columns.kind];
  const maxMi = Math.min(COMPARABLES.maxMi, limits.radiusMi ?? COMPARABLES.maxMi);
  const search = (soldFrom: number) =>
    nearestEligible(salesData, type, subject.home, moment, { k, soldFrom, maxMi });
  const { trainedOn, windowsEnd } = salesData.predictor;
  const end = windowsEnd < trainedOn ? Math.min(moment.asOf, windowsEnd) : moment.asOf;
  const windowStart = end - COMPARABLES.windowDays;
  const recent = search(Math.max(windowStart, limits.soldFrom ?? windowStart));
  if (recent.n >= COMPARABLES.comparables || (limits.soldFrom ?? -Infinity) >= windowStart) return recent;
  return search(limits.soldFrom ?? -Infinity);
}

/** Similarity of each found sale to the home: the hottest loop of a valuation. */
function writeSimilarity(
  search: Search,
  type: TypeSalesData,
  found: Nearest,
  similarity: Float64Array,
): void {
  const { columns, compared } = search.salesData;
  const similarityOf = similarityTo(search, type);
  for (let i = 0; i < found.n; i++) {
    const row = found.rows[i];
    const at = row * ATTRIBUTES.length;
    similarity[i] = similarityOf(
      row,
      found.distancesMi[i],
      columns.soldOn[row],
      columns.type[row],
      compared,
      at,
    );
  }
}

/** The similarity of a sale with the attributes `compared[at]` and following. */
function similarityTo({ salesData, subject, moment }: Search, type: TypeSalesData) {
  const { columns } = salesData;
  const { home, predicted } = subject;
  const { attributePrice, attributeSpread } = type;
  const values = comparedValues(home);
  const priced = type.pricedAttributes.filter((a) => !Number.isNaN(values[a]));
  const ownType = typeCode(home.type);
  const distanceUnitMi = type.distanceScaleMi * SIMILARITY.distanceUnits;
  const { net: netUnit, gross: grossUnit, placeShare } = SIMILARITY[columns.kind];
  return (
    row: number,
    distanceMi: number,
    soldOn: number,
    saleType: number,
    compared: Float64Array,
    at: number,
  ): number => {
    const days = (moment.asOf - soldOn) / SIMILARITY.days;
    const net = logDifference(salesData, predicted, row);
    let gross = 0;
    // What the attributes do not explain of the difference is mostly location.
    let place = net;
    for (let t = 0; t < priced.length; t++) {
      const a = priced[t];
      const difference = compared[at + a] - values[a];
      const isKnown = !Number.isNaN(difference);
      // A value missing in the sale counts as a difference of one standard deviation.
      gross += Math.abs(isKnown ? difference : attributeSpread[a]) * attributePrice[a];
      if (isKnown) place += difference * attributePrice[a];
    }
    gross += placeShare * Math.abs(place);
    let cost = 1 + distanceMi / distanceUnitMi + days * days;
    cost += (net / netUnit) ** 2 + (gross / grossUnit) ** 2;
    if (saleType !== ownType) cost += SIMILARITY.otherType;
    return 1 / cost;
  };
}

/** The pinned sales with their distances and similarity, wherever they are. */
function pinnedSales(search: Search) {
  const { salesData, subject } = search;
  const { types, columns } = salesData;
  return salesData.choice.pinned.map((row) => {
    const home = homeOf(salesData, row);
    const type = typeCode(home.type);
    const distanceMi = milesApart(subject.home, home);
    const ofType = types[type] ?? types[typeCode(subject.home.type)] ?? types.find((one) => one !== null);
    if (!ofType) throw new Error('A market without sales has no comparables.');
    const isOwn = row < columns.n;
    const compared = isOwn ? salesData.compared : comparedValues(home);
    const at = isOwn ? row * ATTRIBUTES.length : 0;
    const soldOn = soldOnOf(salesData, row);
    const similarity = similarityTo(search, ofType)(row, distanceMi, soldOn, type, compared, at);
    return { row, distanceMi, similarity };
  });
}

/** Best first, ties by record id; others than the pinned are limited per building and per parcel. */
function bestOf(search: Search, candidates: ReturnType<typeof findCandidates>) {
  const { salesData, limits } = search;
  const { columns, choice } = salesData;
  const { rows } = candidates;
  const pinned = pinnedSales(search);
  const kept = [...choice.pinned];
  const hasRoom = (position: number): boolean => {
    const row = rows[position];
    if (choice.excluded.has(row) || choice.pinned.includes(row)) return false;
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
    limits.k - pinned.length,
    (a, b) => salesData.recordId(rows[a]) < salesData.recordId(rows[b]),
    hasRoom,
  );
  let reachMi = 0;
  for (let i = 0; i < candidates.n; i++) reachMi = Math.max(reachMi, candidates.distancesMi[i]);
  const found = best.map((position) => ({
    row: rows[position],
    distanceMi: candidates.distancesMi[position],
    similarity: candidates.similarity[position],
  }));
  const isBefore = (a: number, b: number) => (salesData.recordId(a) < salesData.recordId(b) ? -1 : 1);
  if (pinned.length > 0) {
    found.push(...pinned);
    found.sort((a, b) => b.similarity - a.similarity || isBefore(a.row, b.row));
  }
  return {
    n: found.length,
    rows: Int32Array.from(found, ({ row }) => row),
    distancesMi: Float64Array.from(found, ({ distanceMi }) => distanceMi),
    similarity: Float64Array.from(found, ({ similarity }) => similarity),
    /** Number of sales compared. */
    candidates: candidates.n,
    /** Distance to the farthest sale compared: a search with at least this radius finds the same. */
    reachMi,
  };
}

/**
 * The parcel whose rows are never comparables of a home: its own; −1 for none. For listings none is
 * excluded, because those in the same building are the best comparables.
 */
function excludedParcel(salesData: SalesData, home: OnParcel): number {
  return salesData.columns.kind === 'sales' ? salesData.parcelCode(home) : -1;
}

/** Whether a row is on record, unflagged, closed by the as-of date and of another parcel. */
function isEligible(salesData: SalesData, row: number, moment: Moment, excluded: number): boolean {
  const { columns } = salesData;
  return (
    columns.availableOn[row] <= moment.knownBy &&
    isUsable(columns, row, moment.knownBy) &&
    columns.soldOn[row] <= moment.asOf &&
    columns.parcel[row] !== excluded
  );
}

interface CachedSearch {
  readonly type: TypeSalesData;
  readonly key: readonly number[];
  readonly found: Nearest;
}

/** Latest searches in each market: the units of one building repeat the same search. */
const searches = new WeakMap<SalesData, CachedSearch[]>();
/** Different searches in one valuation: donors, comparables, older ones, related types. */
const SEARCHES_KEPT = 5;

/** The nearest rows of a type that are eligible at a moment. */
export function nearestEligible(
  salesData: SalesData,
  type: TypeSalesData,
  home: Home,
  moment: Moment,
  { k, soldFrom, maxMi }: { readonly k: number; readonly soldFrom: number; readonly maxMi: number },
): Nearest {
  const excluded = excludedParcel(salesData, home);
  const key = [home.lat, home.lon, moment.asOf, moment.knownBy, excluded, k, soldFrom, maxMi];
  const kept = searches.get(salesData) ?? [];
  const same = kept.find((search) => search.type === type && search.key.every((part, i) => part === key[i]));
  if (same) return same.found;
  const { soldOn } = salesData.columns;
  const found = nearest(
    soldFrom >= type.recentFrom ? type.recent : type.index,
    home.lat,
    home.lon,
    k,
    (row) => soldOn[row] >= soldFrom && isEligible(salesData, row, moment, excluded),
    maxMi,
  );
  searches.set(salesData, [{ type, key, found }, ...kept.slice(0, SEARCHES_KEPT - 1)]);
  return found;
}

/**
 * Positions of the `k` highest scores that `accepts` takes, each seen once, best first; `isBefore`
 * settles ties. A heap: sorting all of 480 to get 20 takes five times as long.
 */
export function selectBest(
  scores: Float64Array,
  k: number,
  isBefore: (a: number, b: number) => boolean,
  accepts: (position: number) => boolean,
): number[] {
  const isBetter = (a: number, b: number) =>
    scores[a] > scores[b] || (scores[a] === scores[b] && isBefore(a, b));
  // Filled by a loop: an iterator takes longer than the heap.
  const heap = new Int32Array(scores.length);
  for (let i = 0; i < heap.length; i++) heap[i] = i;
  let left = heap.length;
  const sink = (start: number): void => {
    const position = heap[start];
    let at = start;
    for (let child = 2 * at + 1; child < left; child = 2 * at + 1) {
      if (child + 1 < left && isBetter(heap[child + 1], heap[child])) child++;
      if (!isBetter(heap[child], position)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = position;
  };
  for (let at = left >> 1; at > 0;) sink(--at);
  const taken: number[] = [];
  while (left > 0 && taken.length < k) {
    const best = heap[0];
    heap[0] = heap[--left];
    sink(0);
    if (accepts(best)) taken.push(best);
  }
  return taken;
}
