import type { Day } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { PRICE_INDEX } from '../model/constants.ts';
import { RAW_EAST, RAW_NORTH, RAW_TYPE, rawColumn, rawOf, type AsOfSample } from '../model/features.ts';
import { areaCount, areaOf, planAreas, type AreaPlan } from './area-plan.ts';
import { externalFiguresKnown, type ExternalIndexes } from './external-index.ts';
import { curveAt, flatCurve, smoothGroup, type Curve } from './group-curve.ts';
import { MARKET_FILTER } from './index-constants.ts';
import { findLevelJumps, jumpsUntil, refineLevelJumps, type LevelJump } from './level-jumps.ts';
import { filterMarket, type OwnFigure } from './market-filter.ts';
import { logOn, monthOf, type MarketPath } from './market-path.ts';
import { ownFigures } from './own-figures.ts';

/**
 * A market's price index in logs: monthly figures of its own sales, from which a filter makes the path of the whole
 * market, and for each type and small area its deviation from that, shrunk to zero where sales are few.
 */
export interface PriceIndex {
  /** Last day covered by sales: the training day, or the newest sales' where much older. */
  readonly until: Day;
  /** Quality-adjusted log prices by month, without the jumps. */
  readonly own: readonly OwnFigure[];
  /** Added to the path: a filter follows a jump only after months. */
  readonly jumps: readonly LevelJump[];
  /** By type code. */
  readonly types: readonly Curve[];
  readonly areaPlan: AreaPlan;
  readonly areas: readonly Curve[];
}

/** Which index: listings have no prior season, and published indexes are of prices. */
type IndexedColumns = Pick<SaleColumns, 'kind' | 'indexes'>;

/**
 * The market's path as known on a day.
 *
 * @param newer figures of sales that became known after the training
 */
export function marketPathOf(
  { own }: Pick<PriceIndex, 'own'>,
  { kind, indexes }: IndexedColumns,
  knownBy: Day,
  newer: readonly OwnFigure[] = [],
): MarketPath {
  return filterMarket([...own, ...newer], indexes ? publishedBy(indexes, knownBy) : [], usualSeason(kind));
}

function usualSeason(kind: IndexedColumns['kind']): readonly number[] | null {
  return kind === 'sales' ? MARKET_FILTER.saleSeason : null;
}

function publishedBy(indexes: ExternalIndexes, knownBy: Day) {
  return externalFiguresKnown(indexes, knownBy).flatMap(({ series: { periodMonths }, figures }, series) =>
    Array.from(figures, ([day, logValue]) => ({ month: monthOf(day), series, logValue, periodMonths })),
  );
}

/** The market's log index on a day. */
export function marketIndexAt({ jumps }: Pick<PriceIndex, 'jumps'>, path: MarketPath, day: number): number {
  return logOn(path, day) + jumpsUntil(jumps, day);
}

/** Deviation of a type and place from the market on a day. */
export function deviationAt(
  { areaPlan, areas, types }: Pick<PriceIndex, 'areaPlan' | 'areas' | 'types'>,
  type: number,
  east: number,
  north: number,
  day: number,
): number {
  return curveAt(types[type], day) + curveAt(areas[areaOf(areaPlan, east, north)], day);
}

/**
 * Last day covered by sales. A deviation smoothed beyond it would fall back to the mean of all years.
 */
export function lastCoveredDay(soldOn: Float64Array, trainedOn: Day): Day {
  const { newestSales, newestShare, bridgedDays } = PRICE_INDEX;
  const sorted = soldOn.slice().sort();
  const newest = sorted[sorted.length - Math.min(newestSales, Math.ceil(newestShare * sorted.length))];
  return trainedOn - newest <= bridgedDays ? trainedOn : newest;
}

/** Log prices moved to the training day. */
export function adjustedLogPrices(
  sales: AsOfSample,
  index: PriceIndex,
  path: MarketPath,
  trainedOn: Day,
): Float64Array {
  const marketAt = memoized((day) => marketIndexAt(index, path, day));
  return sales.logPrice.map((log, i) => {
    const raw = rawOf(sales, i);
    const level = (day: number) =>
      marketAt(day) + deviationAt(index, raw[RAW_TYPE], raw[RAW_EAST], raw[RAW_NORTH], day);
    return log + level(trainedOn) - level(sales.soldOn[i]);
  });
}

function memoized(compute: (day: number) => number): (day: number) => number {
  const known = new Map<number, number>();
  return (day) => {
    const found = known.get(day) ?? compute(day);
    known.set(day, found);
    return found;
  };
}

/**
 * Estimates the price index from residuals. `residualsOf` removes attributes and location from log
 * prices, out of fold. First with the trend still in the prices, then again without it, so that the
 * trees cannot confuse time with location.
 */
export function fitPriceIndex(
  sales: AsOfSample,
  columns: IndexedColumns,
  trainedOn: Day,
  residualsOf: (logPrice: Float64Array, pass: number) => Float64Array,
): PriceIndex {
  const { soldOn } = sales;
  const until = lastCoveredDay(soldOn, trainedOn);
  const trended = residualsOf(sales.logPrice, 0);
  // Prices rise by 2% from January to April in most years: that is no jump.
  const season = usualSeason(columns.kind);
  const found = findLevelJumps({
    soldOn,
    residual: trended.map((residual, i) => residual - (season?.[monthOf(soldOn[i]) % 12] ?? 0)),
  });
  const withoutJumps = trended.map((residual, i) => residual - jumpsUntil(found, soldOn[i]));
  const first = marketPathOf(
    { own: ownFigures(soldOn, withoutJumps, PRICE_INDEX.firstClip) },
    columns,
    trainedOn,
  );
  const trendAt = memoized((day) => marketIndexAt({ jumps: found }, first, day));
  const left = residualsOf(
    sales.logPrice.map((log, i) => log - trendAt(soldOn[i])),
    1,
  );
  const jumps = refineLevelJumps(found, { soldOn, residual: left });
  const own = ownFigures(
    soldOn,
    left.map((residual, i) => residual + trendAt(soldOn[i]) - jumpsUntil(jumps, soldOn[i])),
  );
  const path = marketPathOf({ own }, columns, trainedOn);
  const marketAt = memoized((day) => marketIndexAt({ jumps }, path, day));
  let deviation = left.map((residual, i) => residual + trendAt(soldOn[i]) - marketAt(soldOn[i]));

  /** One curve per group; a group without sales moves with the market. */
  const curvesOf = (group: Uint8Array, groups: number, prior: number): Curve[] =>
    Array.from({ length: groups }, (_, g) => {
      const members = Int32Array.from(group.keys()).filter((i) => group[i] === g);
      if (members.length === 0) return flatCurve(until);
      const pick = (column: Float64Array) => Float64Array.from(members, (i) => column[i]);
      return smoothGroup({ soldOn: pick(soldOn), residual: pick(deviation) }, until, prior);
    });
  const type = Uint8Array.from(rawColumn(sales, RAW_TYPE));
  const types = curvesOf(type, PROPERTY_TYPES.length, PRICE_INDEX.typePrior);
  deviation = deviation.map((residual, i) => residual - curveAt(types[type[i]], soldOn[i]));
  const east = rawColumn(sales, RAW_EAST);
  const north = rawColumn(sales, RAW_NORTH);
  const areaPlan = planAreas(east, north, PRICE_INDEX.minAreaSales, PRICE_INDEX.maxAreaDepth);
  const area = Uint8Array.from(east, (x, i) => areaOf(areaPlan, x, north[i]));
  const areas = curvesOf(area, areaCount(areaPlan), PRICE_INDEX.areaPrior);
  return { until, own, jumps, types, areaPlan, areas };
}
