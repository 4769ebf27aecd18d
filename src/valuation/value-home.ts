import { addMonths } from '../domain/day.ts';
import { adjustComparables, adjustedPrice, logSteps } from './comparables/adjustments.ts';
import { selectComparables, type ComparableSelection } from './comparables/select-comparables.ts';
import { imputeSubject, type AttributeSources } from './imputation/impute-subject.ts';
import { distributionOf, wider, type Distribution } from './calibration/distribution.ts';
import { estimateValues, type Estimate, type RawEstimate } from './comparables/estimate.ts';
import { COMPARABLES } from './comparables/comparables-constants.ts';
import { priceUsdOf, soldOnOf, typeCode } from './comparables/sales-data.ts';
import {
  asRecorded,
  differsFromRecord,
  implausibleInputs,
  implausibleSpread,
  withoutImplausible,
} from './plausibility.ts';
import type { Home, Moment } from './subject.ts';
import type { BoundMarket } from './train-market.ts';

/** Which comparables to list. Affects the list only, never the value. */
export interface ListedComparables {
  readonly numComps: number;
  readonly radiusMi: number;
  /** null = no limit but the market's own window. */
  readonly lookbackMonths: number | null;
  /** Rows to list before others whatever their similarity; the list stays sorted. */
  readonly prefers?: (row: number) => boolean;
}

/** A listed comparable. Its address and date are at `row` of the market's columns. Whole USD. */
export type ListedComparable = ReturnType<typeof listComparables>[number];

export type HomeValue = ReturnType<typeof valueHomes>[number];

export interface ValuedHome extends HomeValue {
  readonly comparables: {
    readonly items: readonly ListedComparable[];
    /** Number of sales compared within the limits; 0 when no list was requested. */
    readonly candidates: number;
  };
}

/** Lists no comparables. Backtests and benchmarks use this. */
export const NO_COMPARABLES: ListedComparables = { numComps: 0, radiusMi: 5, lookbackMonths: null };

/** Values one home. Service, backtest and benchmarks all call this. */
export function valueHome(
  market: BoundMarket,
  home: Home,
  sources: AttributeSources,
  moment: Moment,
  listed: ListedComparables = NO_COMPARABLES,
): ValuedHome {
  const [value] = valueHomes(market, [home], sources, moment);
  if (listed.numComps === 0) return { ...value, comparables: { items: [], candidates: 0 } };
  const found = findListed(market, value, moment, listed);
  const items = listComparables(market, value, moment, found, [...Array(found.n).keys()]);
  return { ...value, comparables: { items, candidates: found.candidates } };
}

/** A home without a comparable within this distance is far from everything that was sold. */
export const NEARBY_MI = 1;
/** Error added for it in squares, ln USD for each factor of e in distance, up to a limit. */
const REMOTE_SD = 0.1;
const MOST_MI = 25;

/** Infinity without comparables. */
export function nearestComparableMi({ comparables }: RawEstimate): number {
  return comparables.distancesMi.reduce((least, miles) => Math.min(least, miles), Infinity);
}

/** Values several homes without listing comparables. Common work is done once. */
export function valueHomes(
  market: BoundMarket,
  homes: readonly Home[],
  sources: AttributeSources,
  moment: Moment,
) {
  const { salesData, trained } = market;
  const subjects = homes.map((home) => imputeSubject(salesData, home, sources, moment));
  const alternatives = homes.map(alternativesOf);
  const others = alternatives.flat().map(({ home }) => imputeSubject(salesData, home, {}, moment));
  const estimates = estimateValues(salesData, trained, [...subjects, ...others], moment);
  let after = homes.length;
  return homes.map((home, i) => {
    const estimate = estimates[i];
    const ofAlternatives = estimates.slice(after, (after += alternatives[i].length));
    const implausible = implausibleInputs(market.columns, trained.trainedOn, home, sources);
    const miles = Math.min(MOST_MI, nearestComparableMi(estimate.raw));
    const remote = REMOTE_SD * Math.log(Math.max(1, miles / NEARBY_MI));
    const distances = ofAlternatives.map(({ logPoint }) => Math.abs(logPoint - estimate.logPoint));
    const recordedDistance = home.recorded ? distances[0] : 0;
    const unusual = Math.hypot(implausibleSpread(implausible), remote);
    if (recordedDistance > 0) {
      const { fsd } = distributionWith(market, home, estimate, unusual);
      if (recordedDistance > Math.min(MUCH, fsd))
        implausible.push(...differsFromRecord(home, sources, implausible));
    }
    // Standard deviation of ln value around the home's own.
    const meant = Math.hypot(...distances.map((d, at) => Math.sqrt(alternatives[i][at].probability) * d));
    const spread = Math.hypot(unusual, meant);
    const stated = distributionWith(market, home, estimate, spread);
    const corrected = implausible.length === 0 ? null : withoutImplausible(home, implausible);
    const distribution = corrected
      ? wider(stated, distributionAt(market, corrected, moment, spread))
      : stated;
    return { subject: subjects[i], estimate, distribution, implausible, spread };
  });
}

/** @param spread standard deviation of ln value for what the estimate itself does not know */
export function distributionWith(
  { trained }: BoundMarket,
  { lat, lon, type }: Home,
  { raw, logPoint, pointUsd }: Estimate,
  spread: number,
): Distribution {
  const variantsSpread = Math.hypot(raw.variantsSpread, spread);
  const inMarket = { ...raw, lat, lon, type: typeCode(type), logPoint, variantsSpread };
  return distributionOf(trained.calibration, inMarket, pointUsd);
}

function distributionAt(market: BoundMarket, home: Home, moment: Moment, spread: number): Distribution {
  const { salesData, trained } = market;
  const subject = imputeSubject(salesData, home, {}, moment);
  const [estimate] = estimateValues(salesData, trained, [subject], moment);
  return distributionWith(market, home, estimate, spread);
}

/** How often the record is right where the request differs from it. */
const RECORDED_PROBABILITY = 0.5;
/** A change of ln value by the record's figures is reported above the model's own error, and always above this. */
const MUCH = 0.2;

/** The home as recorded, if that differs, and then the other homes that may be meant. */
function alternativesOf(home: Home) {
  const recorded = asRecorded(home);
  return [
    ...(recorded ? [{ home: recorded, probability: RECORDED_PROBABILITY }] : []),
    ...(home.alternatives ?? []),
  ];
}

/** The comparables at these positions of `found` with their adjustment grids, the costly part. */
export function listComparables(
  market: BoundMarket,
  { subject, estimate }: HomeValue,
  moment: Moment,
  found: ComparableSelection,
  positions: readonly number[],
) {
  const { salesData } = market;
  const listed = positions.map((i) => {
    const row = found.rows[i];
    return { i, row, steps: logSteps(salesData, row, estimate.raw.predicted, moment) };
  });
  const grids = adjustComparables(salesData, subject, listed, moment);
  return listed.map(({ i, row, steps }, at) => ({
    row,
    distanceMi: found.distancesMi[i],
    daysSinceSale: moment.asOf - soldOnOf(salesData, row),
    similarity: found.similarity[i],
    /** Weight in the comparables estimator; 0 for a listed sale that is not one of its K. */
    weight: estimate.comparableWeights[estimate.raw.comparables.rows.indexOf(row)] ?? 0,
    /** adjustedPriceUsd == salePriceUsd + Σ adjustments.amount */
    ...adjustedPrice(priceUsdOf(salesData, row), steps),
    adjustments: grids[at],
  }));
}

/**
 * The comparables to list: the estimator's own search within the caller's limits. Where the limits
 * exclude nothing, the estimator's comparables are reused.
 */
export function findListed(
  market: BoundMarket,
  { subject, estimate }: HomeValue,
  moment: Moment,
  listed: ListedComparables,
): ComparableSelection {
  const own = estimate.raw.comparables;
  const { numComps, prefers } = listed;
  const isNarrower = listed.lookbackMonths !== null || own.reachMi > listed.radiusMi;
  if (!isNarrower && !prefers && numComps <= COMPARABLES.comparables) {
    return { ...own, n: Math.min(own.n, numComps) };
  }
  const { predicted } = estimate.raw;
  const found = selectComparables(market.salesData, { home: subject.home, predicted }, moment, {
    k: prefers ? COMPARABLES.candidates[market.columns.kind] : numComps,
    radiusMi: listed.radiusMi,
    soldFrom: listed.lookbackMonths === null ? undefined : addMonths(moment.asOf, -listed.lookbackMonths),
  });
  return prefers ? preferredOf(found, numComps, prefers) : found;
}

/** The preferred comparables first, filled up with the others to `most`; sorted by similarity. */
function preferredOf(
  found: ComparableSelection,
  most: number,
  prefers: (row: number) => boolean,
): ComparableSelection {
  const isPreferred = Array.from(found.rows, (row) => Number(prefers(row)));
  const kept = [...isPreferred.keys()]
    .sort((a, b) => isPreferred[b] - isPreferred[a])
    .slice(0, most)
    .sort((a, b) => a - b);
  return {
    ...found,
    n: kept.length,
    rows: Int32Array.from(kept, (i) => found.rows[i]),
    distancesMi: Float64Array.from(kept, (i) => found.distancesMi[i]),
    similarity: Float64Array.from(kept, (i) => found.similarity[i]),
  };
}
