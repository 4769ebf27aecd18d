import type { Day } from '../../domain/day.ts';
import { placeOfSale, type SaleColumns } from '../columns/sale-columns.ts';
import type { MarketIndex } from '../price-index/bound-index.ts';
import type { Home, Moment } from '../subject.ts';

/** Prediction for one fully described home, in ln USD. */
export interface Prediction {
  /** Mean of the ensemble, at `moment.asOf`. */
  readonly logValue: number;
  /** The same at the training day. */
  readonly logValueAtTraining: number;
  /**
   * Numbers that separate easy homes from hard ones: spread of nearby residuals, distances,
   * disagreement of the members, … Fixed length and order per model.
   */
  readonly difficulty: Float64Array;
  /** Ln USD at the training day by each member; member k never saw the sales of fold k. */
  readonly members: Float64Array;
}

export interface MixedSale {
  /** One that no column has for a sale that a request adds. */
  readonly row: number;
  readonly comp: Home;
  readonly soldOn: Day;
}

/** A home between a sale and a subject: some of its attributes are the sale's, some the subject's. */
export interface MixedHome extends MixedSale {
  readonly home: Home;
  /** Whether it stands at the subject's place, among the sales around the subject. */
  readonly isAtSubject: boolean;
  /** Whether the subject's earlier sale counts as its own; otherwise the sale's. */
  readonly hasSubjectsHistory: boolean;
}

/**
 * A fitted model bound to the columns it was fitted on and later sales of the same market. Used for
 * every request, so implementations keep spatial indexes and allocate little per call.
 */
export interface Predictor {
  readonly trainedOn: Day;
  /** The training day, or the day of the newest training sales if these are more than a month older. */
  readonly coveredUntil: Day;
  /** From which windows of recent sales count back (MarketModel.windowsEnd). */
  readonly windowsEnd: Day;
  readonly columns: SaleColumns;
  /** Predicts each home. One call for homes at one place shares most of the work. */
  predict(homes: readonly Home[], moment: Moment): Prediction[];
  /**
   * Ln USD at the training day of homes between sales and a subject, for adjustment grids. By all members: what one
   * of them pays for a difference varies so much that it doubles as an adjustment of the other sign elsewhere. One
   * call for all comparables shares most of the work.
   */
  valuesBetween(subject: Home, moment: Moment, homes: readonly MixedHome[]): Float64Array;
  /** At `trainedOn`: out-of-fold prediction of a training sale, plain prediction of any other. */
  logValueOfSale(row: number): number;
  /** The fold that a training sale was left out with; −1 for any other sale. */
  foldOfSale(row: number): number;
  /** ln(index(to) / index(from)) at a place and type, as known on a day: beyond the newest figures a forecast. */
  readonly indexChange: (
    home: Pick<Home, 'lat' | 'lon' | 'type'>,
    from: Day,
    to: Day,
    knownBy: Day,
  ) => number;
  /** The same from the training, where the model's values are, to a moment. */
  readonly changeSinceTraining: (home: Pick<Home, 'lat' | 'lon' | 'type'>, moment: Moment) => number;
  /** Variance of the error of the market's ln index on `asOf`, as known on `knownBy`. */
  readonly indexVariance: (moment: Moment) => number;
  /** The market's index by month. */
  readonly index: MarketIndex;
  /** Ln-USD standard deviation that an attribute typically adds: the scale of similarity. */
  attributeScale(attribute: keyof Home['attributes']): number;
}

/** Ln price of a sale, moved to the training day by the price index. */
export function logPriceAtTraining({ columns, trainedOn, indexChange }: Predictor, row: number): number {
  const change = indexChange(placeOfSale(columns, row), columns.soldOn[row], trainedOn, trainedOn);
  return Math.log(columns.priceUsd[row]) + change;
}
