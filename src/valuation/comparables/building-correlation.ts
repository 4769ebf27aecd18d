import { asOfRows, type SaleColumns } from '../columns/sale-columns.ts';
import { logPriceAtTraining, type Predictor } from '../model/predictor.ts';
import { OWN_BUILDING } from './comparables-constants.ts';

/**
 * Correlation, 0…1, between the errors of two units of one building. It decides how much a
 * building's own listings weigh and how much of a total's error averages out. Intraclass
 * correlation of out-of-fold residuals, each building weighing as its number of units, shrunk to a
 * prior.
 */
export function buildingCorrelation(columns: SaleColumns, predictor: Predictor): number {
  const { trainedOn } = predictor;
  const byBuilding = new Map<number, number[]>();
  let squares = 0;
  const rows = asOfRows(columns, trainedOn).slice(-OWN_BUILDING.mostRows);
  for (const row of rows) {
    const residual = residualOf(predictor, row);
    squares += residual ** 2;
    const building = byBuilding.get(columns.parcel[row]);
    if (building) building.push(residual);
    else byBuilding.set(columns.parcel[row], [residual]);
  }
  let products = 0;
  let units = 0;
  for (const residuals of byBuilding.values()) {
    const n = residuals.length;
    if (n < 2) continue;
    const sum = residuals.reduce((total, residual) => total + residual, 0);
    const own = residuals.reduce((total, residual) => total + residual ** 2, 0);
    // Σ over pairs of r·r' = (sum² − Σr²) / 2.
    products += (sum ** 2 - own) / (n - 1);
    units += n;
  }
  const measured = units === 0 || squares === 0 ? 0 : products / units / (squares / rows.length);
  const shrunk =
    (measured * units + OWN_BUILDING.priorCorrelation * OWN_BUILDING.priorUnits) /
    (units + OWN_BUILDING.priorUnits);
  return Math.min(OWN_BUILDING.mostCorrelation, Math.max(0, shrunk));
}

/** Ln rent at the training day less the out-of-fold prediction, capped against wrong data. */
function residualOf(predictor: Predictor, row: number): number {
  const residual = logPriceAtTraining(predictor, row) - predictor.logValueOfSale(row);
  return Math.max(-OWN_BUILDING.residualCap, Math.min(OWN_BUILDING.residualCap, residual));
}
