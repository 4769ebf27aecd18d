/**
 * Trains on the generated sample county and compares values and rents with the known truth:
 *   node bench/sample-truth.ts [homes] [seed] [YYYY-MM-DD]
 * "unsold" homes had no sale in the five years: only the model and their neighbors inform their value.
 */
import { parseDay, type Day } from '../src/domain/day.ts';
import { PROPERTY_TYPES } from '../src/domain/property.ts';
import { generateSampleCounty, SAMPLE_SEED } from '../src/load/sample-county/generate-sample-county.ts';
import { buildSaleColumns, buildRentColumns } from '../src/valuation/columns/build-columns.ts';
import type { SaleColumns } from '../src/valuation/columns/sale-columns.ts';
import { NO_ASSUMPTIONS } from '../src/valuation/multifamily/assumptions.ts';
import { bindBuildings } from '../src/valuation/multifamily/bind-buildings.ts';
import { trainBuildings } from '../src/valuation/multifamily/building-sales.ts';
import { bindTrained, trainMarket, type BoundMarket } from '../src/valuation/train-market.ts';
import { rentsAsImported, salesAsImported } from '../test/harness/sample/as-imported.ts';
import { compareBuildingsWithTruth } from './truth/compare-buildings.ts';
import { compareWithTruth, drawHomes, summarizeTruth, type TruthCheck } from './truth/compare-homes.ts';
import { compareRentsWithTruth, drawBuildings } from './truth/compare-rents.ts';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(9);

function printRow(label: string, checks: readonly Omit<TruthCheck, 'parcel'>[]): void {
  const { n, mdape, within10, bias, coverage90, medianWidth90 } = summarizeTruth(checks);
  const figures = [mdape, within10, bias, coverage90, medianWidth90].map(percent);
  console.log(label.padEnd(32), String(n).padStart(6), ...figures);
}

async function trainOn(columns: SaleColumns, asOf: Day): Promise<BoundMarket> {
  return bindTrained(await trainMarket(columns, asOf), columns);
}

async function run(homes: number, seed: number, asOf: Day): Promise<void> {
  const county = generateSampleCounty(seed, asOf);
  const property = await trainOn(buildSaleColumns(salesAsImported(county), { recordingLagDays: 14 }), asOf);
  const rental = await trainOn(buildRentColumns(rentsAsImported(county)), asOf);
  console.log(
    `${county.parcels.length} homes, ${county.sales.length} sales, ${county.rents.length} listings`,
  );
  console.log('against the truth                     n     MdAPE    PPE10      bias  cover 90  width 90');
  const checks = compareWithTruth(county, property, drawHomes(county, homes));
  const sold = new Set(county.sales.map((sale) => sale.parcel));
  printRow('homes', checks);
  printRow(
    'homes, unsold',
    checks.filter(({ parcel }) => !sold.has(parcel)),
  );
  for (const type of PROPERTY_TYPES)
    printRow(
      type,
      checks.filter(({ parcel }) => parcel.type === type),
    );

  const rents = compareRentsWithTruth(county, rental, drawBuildings(county, 150));
  printRow(
    'rents, units',
    rents.flatMap(({ units }) => units),
  );
  printRow(
    'rents, totals of buildings',
    rents.map(({ total }) => total),
  );

  const buildings = bindBuildings(trainBuildings(property, rental, asOf), NO_ASSUMPTIONS);
  if (!buildings) return;
  for (const type of ['small_multifamily', 'multifamily'] as const) {
    const parcels = county.parcels.filter((parcel) => parcel.type === type);
    const valued = compareBuildingsWithTruth(county, property, { rental, buildings }, parcels);
    printRow(
      `${type}, by sales`,
      valued.map(({ bySales }) => bySales),
    );
    printRow(
      `${type}, three approaches`,
      valued.map(({ reconciled }) => reconciled),
    );
  }
}

const [homes = '3000', seed = String(SAMPLE_SEED), day = '2026-06-30'] = process.argv.slice(2);
await run(Number(homes), Number(seed), parseDay(day) ?? 0);
