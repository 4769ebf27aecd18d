/**
 * Measures how much sales improve rents when listings are few: the sample county's listings are thinned, and
 * values of its units are compared with their true rents, with and without location adjustments.
 *
 *   node bench/thin-rents.ts       about four minutes
 */
import { dayOf } from '../src/domain/day.ts';
import { rentsAsImported, salesAsImported } from '../test/harness/sample/as-imported.ts';
import { compareRentsWithTruth, drawBuildings } from './truth/compare-rents.ts';
import { summarizeTruth } from './truth/compare-homes.ts';
import { generateSampleCounty, SAMPLE_SEED } from '../src/load/sample-county/generate-sample-county.ts';
import { buildSaleColumns, buildRentColumns } from '../src/valuation/columns/build-columns.ts';
import { propertyModel } from '../src/valuation/model/property-model.ts';
import {
  fitLocationAdjustments,
  type LocationAdjustments,
} from '../src/valuation/rental/location-adjustments.ts';
import { bindTrained, trainMarket } from '../src/valuation/train-market.ts';

/** Every n-th listing is kept. */
const STEPS = [48, 36, 26, 19, 13, 7, 3, 1];
const county = generateSampleCounty(SAMPLE_SEED, dayOf(2026, 3, 31));
const sales = buildSaleColumns(salesAsImported(county), { recordingLagDays: 14 });
const property = propertyModel.bind(propertyModel.fit(sales, county.asOf), sales);
const listings = rentsAsImported(county);
const buildings = drawBuildings(county, 150);
console.log('listings  MdAPE without        with   covered (90 %) without  with');
for (const step of STEPS) {
  const columns = buildRentColumns(listings.filter((_, i) => i % step === 0));
  const offsets = fitLocationAdjustments(property, columns, county.asOf);
  const [without, withOffsets] = [await errorsOf(null), await errorsOf(offsets)];
  const cells = [
    columns.n,
    ...[without.mdape, withOffsets.mdape].map((share) => `${(100 * share).toFixed(2)} %`),
    ...[without.coverage90, withOffsets.coverage90].map((share) => `${(100 * share).toFixed(1)} %`),
  ];
  console.log(cells.map((cell) => String(cell).padStart(12)).join(''));

  async function errorsOf(locationAdjustments: LocationAdjustments | null) {
    const trained = await trainMarket(columns, county.asOf, { locationAdjustments });
    const checks = compareRentsWithTruth(county, bindTrained(trained, columns), buildings);
    return summarizeTruth(checks.flatMap(({ units }) => units));
  }
}
