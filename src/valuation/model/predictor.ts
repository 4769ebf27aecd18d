import type { Day } from '../../domain/day.ts';
import { placeOfSale } from '../columns/home-of-sale.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import type { Home, Moment } from '../subject.ts';

/** What a fitted model says of one fully described home. All values are natural logs of USD. */
export interface Prediction {
  /** Of the ensemble, at `moment.asOf`. */
  readonly logValue: number;
  /** What calibration needs to tell an easy home from a hard one: spread of nearby residuals, distances, disagreement of the members, … Fixed length and order per model. */
  readonly difficulty: Float64Array;
}

/**
 * A fitted model bound to the columns it was fitted on (and later sales of the same market). Made once per
 * model, used for every request: implementations hold their own spatial indexes and allocate nothing large per call.
 */
export interface Predictor {
  /** The day the model was trained as of. */
  readonly trainedOn: Day;
  readonly columns: SaleColumns;
  /** Of each home. Those at one place are best asked for together: they share the search and most of the way down the trees. */
  predict(homes: readonly Home[], moment: Moment): Prediction[];
  /** One forest of the base trees, at the training day: cheap (~10 µs), for attributing differences to attributes. */
  predictBase(home: Home): number;
  /** Out-of-fold prediction at `trainedOn` of a sale the model was trained on; plain prediction of a sale it never saw. */
  logValueOfSale(row: number): number;
  /** ln(index(to) / index(from)) at the home's place and type; damped and capped beyond `trainedOn`. */
  readonly indexChange: (home: Pick<Home, 'lat' | 'lon' | 'type'>, from: Day, to: Day) => number;
  /** Ln-USD standard deviation an attribute typically moves a value in this market: the scale of similarity. */
  attributeScale(attribute: keyof Home['attributes']): number;
}

/** Ln price of a sale, moved to the training day by the price index. */
export function logPriceAtTraining({ columns, trainedOn, indexChange }: Predictor, row: number): number {
  const change = indexChange(placeOfSale(columns, row), columns.soldOn[row], trainedOn);
  return Math.log(columns.priceUsd[row]) + change;
}
