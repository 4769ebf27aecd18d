import { PROPERTY_TYPES } from '../../domain/property.ts';
import { asOfRows } from '../columns/sale-columns.ts';
import { logPriceAtTraining, type Predictor } from '../model/predictor.ts';
import { BLEND, CALIBRATION } from './calibration-constants.ts';
import type { HoldoutSales } from './holdout-sales.ts';

/**
 * How much larger or smaller the errors of the time that a model serves are expected to be than those of the holdout
 * months, as a factor. A model serves for months, but the holdout months are of one season: in King County the errors
 * of winter sales are a tenth larger than the year's. Both are measured by the cross-validated errors of the final
 * model, relative to those of their type, so that the mix of types does not matter. Part of the difference is carried
 * over (docs/methods/intervals-and-comparables.md).
 */
export function yearRoundFactor(predictor: Predictor, { soldOn }: Pick<HoldoutSales, 'soldOn'>): number {
  const { columns, trainedOn } = predictor;
  const [first, last] = soldOn.reduce(([a, b], day) => [Math.min(a, day), Math.max(b, day)], [Infinity, 0]);
  const rows = asOfRows(columns, trainedOn).filter(
    (row) => columns.soldOn[row] > last - CALIBRATION.yearDays && predictor.foldOfSale(row) >= 0,
  );
  const errors = Float64Array.from(rows, (row) =>
    Math.min(BLEND.errorCap, Math.abs(logPriceAtTraining(predictor, row) - predictor.logValueOfSale(row))),
  );
  const ofTypes = PROPERTY_TYPES.map(() => ({ sum: 0, n: 0 }));
  rows.forEach((row, i) => {
    const ofType = ofTypes[columns.type[row]];
    ofType.sum += errors[i];
    ofType.n++;
  });
  let [relative, n] = [0, 0];
  rows.forEach((row, i) => {
    if (columns.soldOn[row] < first) return;
    const ofType = ofTypes[columns.type[row]];
    relative += ofType.sum > 0 ? (errors[i] * ofType.n) / ofType.sum : 1;
    n++;
  });
  return relative > 0 ? (n / relative) ** ((CALIBRATION.yearShare * n) / (n + CALIBRATION.yearPrior)) : 1;
}
