/**
 * Trains on the generated sample county and compares the values of homes with their known true values:
 *   node bench/sample-truth.ts [homes] [seed] [YYYY-MM-DD]
 * "unsold" homes have no sale in the five years, so only the model and their neighbors determine their value.
 */
import { parseDay, type Day } from '../src/domain/day.ts';
import { PROPERTY_TYPES } from '../src/domain/property.ts';
import { salesAsImported } from '../src/load/sample-county/as-imported.ts';
import {
  compareWithTruth,
  drawHomes,
  summariseTruth,
  type TruthCheck,
} from '../src/load/sample-county/compare-with-truth.ts';
import { generateSampleCounty, SAMPLE_SEED } from '../src/load/sample-county/generate-sample-county.ts';
import { buildSaleColumns } from '../src/valuation/columns/build-columns.ts';
import { bindTrained, trainMarket } from '../src/valuation/train-market.ts';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(9);

function printRow(label: string, checks: readonly TruthCheck[]): void {
  const { n, mdape, within10, bias, coverage90, medianWidth90 } = summariseTruth(checks);
  const figures = [mdape, within10, bias, coverage90, medianWidth90].map(percent);
  console.log(label.padEnd(20), String(n).padStart(6), ...figures);
}

async function run(homes: number, seed: number, asOf: Day): Promise<void> {
  const county = generateSampleCounty(seed, asOf);
  const columns = buildSaleColumns(salesAsImported(county), { recordingLagDays: 14 });
  const started = performance.now();
  const trained = await trainMarket(columns, asOf);
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${county.parcels.length} homes, ${columns.n} sales, trained in ${seconds.toFixed(1)} s on one thread`,
  );
  const checks = compareWithTruth(county, bindTrained(trained, columns), drawHomes(county, homes));
  const sold = new Set(county.sales.map((sale) => sale.parcel));
  console.log('against the truth         n     MdAPE    PPE10      bias  cover 90  width 90');
  printRow('all', checks);
  printRow(
    'unsold',
    checks.filter(({ parcel }) => !sold.has(parcel)),
  );
  for (const type of PROPERTY_TYPES)
    printRow(
      type,
      checks.filter(({ parcel }) => parcel.type === type),
    );
}

const [homes = '3000', seed = String(SAMPLE_SEED), day = '2026-06-30'] = process.argv.slice(2);
await run(Number(homes), Number(seed), parseDay(day) ?? 0);
