import type { Day } from '../../domain/day.ts';
import type { Predictor } from '../model/predictor.ts';
import { curveAt, ownShare, smoothGroup, type Curve } from './group-curve.ts';
import { middleOf, monthOf, type MarketPath, type MonthNumber } from './market-path.ts';
import { lastCoveredDay } from './price-index.ts';

/** The index of a market, or of a group of its sales, in one month. */
export interface IndexMonth {
  readonly month: MonthNumber;
  /** Ln, with and without the season. */
  readonly log: number;
  readonly level: number;
  /** Standard deviation of the error of `log`. */
  readonly sd: number;
}

/** The path of a group of sales beside the market's. */
interface GroupPath {
  readonly deviation: Curve;
  readonly share: Curve;
  /** Variance of a deviation without any sales of the group. */
  readonly priorVariance: number;
}

/**
 * A market's index as known on a day; of each group of its sales, the same with its own deviation.
 *
 * @param stress factor of the standard deviation of what prices may still move after the last month of sales
 */
export function openIndexSeries({ index, columns, trainedOn }: Predictor, knownBy: Day, stress = 1) {
  const path = index.pathKnownBy(knownBy);
  const rows = index.salesKnownBy(knownBy);
  const lastMonth = path.lastOwnFigure ?? monthOf(trainedOn);
  const until = lastCoveredDay(
    Float64Array.from(rows, (row) => columns.soldOn[row]),
    knownBy,
  );

  const at = (month: MonthNumber) => Math.min(Math.max(0, month - path.firstMonth), path.log.length - 1);
  const varianceIn = (month: MonthNumber): number => {
    const beyond = Math.max(0, path.variance[at(month)] - path.variance[at(lastMonth)]);
    return path.variance[at(month)] + (month > lastMonth ? (stress ** 2 - 1) * beyond : 0);
  };

  const monthOfGroup = (month: MonthNumber, group: GroupPath | null): IndexMonth => {
    const day = middleOf(month);
    const deviation = group ? curveAt(group.deviation, day) : 0;
    const log = index.marketAt(path, day) + deviation;
    const own = group ? group.priorVariance * (1 - curveAt(group.share, day)) : 0;
    return { month, log, level: log - seasonOf(path, month), sd: Math.sqrt(varianceIn(month) + own) };
  };

  return {
    path,
    /** Rows of the sales that the index is computed from. */
    rows,
    firstMonth: index.firstMonth,
    /** Last month with sales of the market. */
    lastMonth,
    /** Ln of the seasonal factor, January to December: mean zero. */
    season: Array.from({ length: 12 }, (_, month) => seasonOf(path, month)),
    /** Creates the index of some of the rows, shrunk to the market's by `prior` sales; null for the market's. */
    ofGroup(group: readonly number[] | null, prior: number): (month: MonthNumber) => IndexMonth {
      const found = group && groupPath(group, prior);
      return (month) => monthOfGroup(month, found);
    },
  };

  function groupPath(group: readonly number[], prior: number): GroupPath {
    const residual = Float64Array.from(group, (row) => index.besideMarket(path, row));
    const dated = { soldOn: Float64Array.from(group, (row) => columns.soldOn[row]), residual };
    const mean = residual.reduce((sum, r) => sum + r, 0) / residual.length;
    const variance = residual.reduce((sum, r) => sum + (r - mean) ** 2, 0) / residual.length;
    return {
      deviation: smoothGroup(dated, until, prior),
      share: ownShare(dated, until, prior),
      priorVariance: variance / prior,
    };
  }
}

/** The season is the same in every year: taken from the middle of the path, where no end is near. */
function seasonOf({ firstMonth, log, level }: MarketPath, month: MonthNumber): number {
  const at = (((month - firstMonth) % 12) + 12) % 12;
  return log[at] - level[at];
}

/** `2024-03` */
export function formatMonth(month: MonthNumber): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}
