import { formatDay } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { asOfRows } from '../columns/sale-columns.ts';
import { logPriceAtTraining, type Predictor } from '../model/predictor.ts';
import { median } from '../order-statistics.ts';
import { CALIBRATION } from './calibration-constants.ts';
import type { StratumAccuracy } from './holdout-cases.ts';

/** Cross-validated sales that are measured closed within these days before the training day. */
const MEASURED_DAYS = 366;

/**
 * Accuracy for types with too few holdout sales, such as buildings of five or more units: on the training sales of
 * the last year, each predicted by the models that never saw it. Without this, such a type would be described by the
 * accuracy of all types together, which houses decide.
 */
export function crossValidatedAccuracy(
  predictor: Predictor,
  measured: readonly StratumAccuracy[],
): StratumAccuracy[] {
  const { columns, trainedOn } = predictor;
  if (measured.length === 0) return [];
  const recent = Array.from(asOfRows(columns, trainedOn)).filter(
    (row) => columns.soldOn[row] > trainedOn - MEASURED_DAYS && predictor.foldOfSale(row) >= 0,
  );
  return PROPERTY_TYPES.flatMap((stratum, code): StratumAccuracy[] => {
    const rows = recent.filter((row) => columns.type[row] === code);
    if (rows.length < CALIBRATION.minStratum || measured.some((other) => other.stratum === stratum))
      return [];
    const errors = rows.map((row) =>
      Math.abs(Math.expm1(predictor.logValueOfSale(row) - logPriceAtTraining(predictor, row))),
    );
    const days = rows.map((row) => columns.soldOn[row]).sort((a, b) => a - b);
    return [
      {
        stratum,
        n: rows.length,
        mdape: median(errors),
        ppe10: errors.filter((error) => error <= 0.1).length / rows.length,
        coverage90: null,
        window: `${formatDay(days[0])}/${formatDay(days[days.length - 1])}`,
      },
    ];
  });
}
