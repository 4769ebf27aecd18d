import type { Day } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { asOfEnd, isUsable, type SaleColumns } from '../columns/sale-columns.ts';
import { PRICE_INDEX } from '../model/constants.ts';
import { eastOf, northOf, type FeaturePlan } from '../model/features.ts';
import { seededRandom } from '../random.ts';
import type { Home, Moment } from '../subject.ts';
import { areaOf } from './area-plan.ts';
import { jumpsUntil } from './level-jumps.ts';
import type { OwnFigure } from './market-filter.ts';
import { monthOf, varianceOn, type MarketPath, type MonthNumber } from './market-path.ts';
import { ownFigures } from './own-figures.ts';
import { deviationAt, marketIndexAt, marketPathOf, type PriceIndex } from './price-index.ts';

/** Paths kept: most requests are as of today, and value histories and backtests go through days. */
const PATHS_KEPT = 64;

/** A model's index and the path that it was trained with. */
interface TrainedIndex {
  readonly index: PriceIndex;
  readonly plan: FeaturePlan;
  readonly trainedOn: Day;
  readonly path: MarketPath;
  /** Rows of the training sales. */
  readonly rows: Int32Array;
}

/** The index as figures for people. */
export type MarketIndex = Omit<ReturnType<typeof bindIndex>, 'change' | 'changeSinceTraining' | 'variance'>;

type PlacedType = Pick<Home, 'lat' | 'lon' | 'type'>;

/**
 * A model's price index, carried on with all that became known since the training: published indexes, and the sales
 * recorded later, compared with the model's values.
 *
 * @param logValueOfSale the model's value of a sale at the training day
 */
export function bindIndex(
  { index, plan, trainedOn, path, rows: trainingRows }: TrainedIndex,
  columns: SaleColumns,
  logValueOfSale: (row: number) => number,
) {
  const newer = newerSales(columns, trainedOn);
  const paths = new Map<Day, MarketPath>();

  const deviation = ({ type, lat, lon }: PlacedType, day: Day): number =>
    deviationAt(index, PROPERTY_TYPES.indexOf(type), eastOf(plan, lon), northOf(plan, lat), day);

  // A sale that the model was not trained on is valued once.
  const values = new Map<number, number>();
  const valueOf = (row: number): number => {
    const value = values.get(row) ?? logValueOfSale(row);
    values.set(row, value);
    return value;
  };
  /** Ln price of a sale less its value at the training day, without the market's level on that day. */
  const withoutValue = (row: number): number =>
    Math.log(columns.priceUsd[row]) - valueOf(row) + marketIndexAt(index, path, trainedOn);

  /** Quality-adjusted log price of a sale: without type, area and jumps, as the index's own figures. */
  const residualOf = (row: number): number => {
    const place = { type: PROPERTY_TYPES[columns.type[row]], lat: columns.lat[row], lon: columns.lon[row] };
    const soldOn = columns.soldOn[row];
    const group = deviation(place, trainedOn) - deviation(place, soldOn);
    return withoutValue(row) + group - jumpsUntil(index.jumps, soldOn);
  };

  /** Sales known by a day that the model was not trained on. */
  const newerKnownBy = (knownBy: Day): number[] => {
    const end = asOfEnd(columns, knownBy);
    const counts = new Map<MonthNumber, number>();
    return newer.filter((row) => {
      if (row >= end || !isUsable(columns, row, knownBy)) return false;
      const month = monthOf(columns.soldOn[row]);
      const count = (counts.get(month) ?? 0) + 1;
      counts.set(month, count);
      return count <= PRICE_INDEX.newerSalesPerMonth;
    });
  };

  const newerFigures = (knownBy: Day): OwnFigure[] => {
    const rows = newerKnownBy(knownBy);
    return ownFigures(
      rows.map((row) => columns.soldOn[row]),
      Float64Array.from(rows, residualOf),
    );
  };

  const pathKnownBy = (knownBy: Day): MarketPath => {
    if (knownBy <= trainedOn) return path;
    const kept = paths.get(knownBy);
    if (kept) return kept;
    const found = marketPathOf(index, columns, knownBy, newerFigures(knownBy));
    if (paths.size >= PATHS_KEPT) paths.clear();
    paths.set(knownBy, found);
    return found;
  };

  return {
    pathKnownBy,
    /** The first month with a figure of the market's own sales. */
    firstMonth: index.own[0].month,
    /** Days from which all prices are higher or lower. */
    jumps: index.jumps,
    /** Ln of the market's index on a day. */
    marketAt: (known: MarketPath, day: number): number => marketIndexAt(index, known, day),
    /** The sales that the index is computed from, as known on a day. */
    salesKnownBy: (knownBy: Day): number[] => [...trainingRows, ...newerKnownBy(knownBy)],
    /** Ln price of a sale less its value at the training day moved to the day of sale by the market's index. */
    besideMarket: (known: MarketPath, row: number): number =>
      withoutValue(row) - marketIndexAt(index, known, columns.soldOn[row]),
    /** The small area of the model that contains a place. */
    areaAt: (lat: number, lon: number): number =>
      areaOf(index.areaPlan, eastOf(plan, lon), northOf(plan, lat)),
    /** Ln change of prices at a place between two days, as known on a third. */
    change(home: PlacedType, from: Day, to: Day, knownBy: Day): number {
      const known = pathKnownBy(knownBy);
      const at = (day: Day) => marketIndexAt(index, known, day) + deviation(home, day);
      return at(to) - at(from);
    },
    /** From the model's values, which are at the training day by the path known then. */
    changeSinceTraining(home: PlacedType, { asOf, knownBy }: Moment): number {
      return (
        marketIndexAt(index, pathKnownBy(knownBy), asOf) -
        marketIndexAt(index, path, trainedOn) +
        deviation(home, asOf) -
        deviation(home, trainedOn)
      );
    },
    variance: ({ asOf, knownBy }: Moment): number =>
      varianceOn(pathKnownBy(knownBy), asOf) +
      PRICE_INDEX.agingVariancePerYear *
        Math.min(PRICE_INDEX.agingYearsMost, Math.max(0, asOf - trainedOn) / 365),
  };
}

/** Arm's-length sales that became known after the training, in an order without meaning: any first part is a sample. */
function newerSales(columns: SaleColumns, trainedOn: Day): number[] {
  const rows: number[] = [];
  for (let row = asOfEnd(columns, trainedOn); row < columns.n; row++) {
    if (columns.armsLength[row] !== 0) rows.push(row);
  }
  const key = new Map(rows.map((row) => [row, seededRandom(row)()]));
  return rows.sort((a, b) => (key.get(a) ?? 0) - (key.get(b) ?? 0));
}
