import type { Day } from '../../domain/day.ts';
import { areaCount, areaOf, planAreas } from './index-areas.ts';
import { PRICE_INDEX } from '../model/constants.ts';
import { RAW_EAST, RAW_NORTH, RAW_TYPE } from '../model/features.ts';
import { rawColumn, type AsOfSample } from '../model/as-of-sample.ts';
import {
  curveAt,
  flatCurve,
  lastSlope,
  lastCoveredDay,
  smoothGroup,
  smoothMarket,
  TYPE_COUNT,
  type Curve,
  type PriceIndex,
} from './price-index.ts';

/**
 * Estimates the price index from residuals. `residualsOf` removes attributes and place from log
 * prices, out of fold. First with the trend still in the prices, then again without it, so that the
 * trees cannot take time for place.
 */
export function fitPriceIndex(
  sales: AsOfSample,
  trainedOn: Day,
  residualsOf: (logPrice: Float64Array, pass: number) => Float64Array,
): PriceIndex {
  const { soldOn } = sales;
  const until = lastCoveredDay(soldOn, trainedOn);
  const first = smoothMarket(
    { soldOn, residual: residualsOf(sales.logPrice, 0) },
    until,
    PRICE_INDEX.firstClip,
  );
  const flat = sales.logPrice.map((log, i) => log - curveAt(first, soldOn[i]));
  let left = residualsOf(flat, 1);
  const correction = smoothMarket({ soldOn, residual: left }, until, PRICE_INDEX.clip);
  left = left.map((residual, i) => residual - curveAt(correction, soldOn[i]));
  const market = { ...first, values: first.values.map((value, i) => value + correction.values[i]) };

  const type = Uint8Array.from(rawColumn(sales, RAW_TYPE));
  const types = groupCurves(soldOn, left, type, TYPE_COUNT, until, PRICE_INDEX.typePrior);
  left = left.map((residual, i) => residual - curveAt(types[type[i]], soldOn[i]));
  const east = rawColumn(sales, RAW_EAST);
  const north = rawColumn(sales, RAW_NORTH);
  const areaPlan = planAreas(east, north, PRICE_INDEX.minAreaSales, PRICE_INDEX.maxAreaDepth);
  const area = Uint8Array.from(east, (x, i) => areaOf(areaPlan, x, north[i]));
  const areas = groupCurves(soldOn, left, area, areaCount(areaPlan), until, PRICE_INDEX.areaPrior);
  return { until, market, slopePerDay: lastSlope(market, until), types, areaPlan, areas };
}

function groupCurves(
  soldOn: Float64Array,
  residual: Float64Array,
  group: Uint8Array,
  groups: number,
  until: Day,
  prior: number,
): Curve[] {
  return Array.from({ length: groups }, (_, g) => {
    const members = Int32Array.from(group.keys()).filter((i) => group[i] === g);
    if (members.length === 0) return flatCurve(until);
    const dated = {
      soldOn: Float64Array.from(members, (i) => soldOn[i]),
      residual: Float64Array.from(members, (i) => residual[i]),
    };
    return smoothGroup(dated, until, prior);
  });
}
