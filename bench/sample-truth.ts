/**
 * Trains on the generated sample county and compares the values of homes with their known truth:
 *   node bench/sample-truth.ts [homes] [seed] [YYYY-MM-DD]
 * Homes are drawn at random, sold or not. "unsold" had no sale in the five years, so that nothing but the model
 * and its neighbours speaks for them.
 */
import { ATTRIBUTES, PROPERTY_TYPES } from '../src/domain/property.ts';
import { parseDay, type Day } from '../src/domain/day.ts';
import { homeAsRecorded, possiblePriceUsd, salesAsImported } from '../src/load/sample-county/as-imported.ts';
import { streamOf } from '../src/load/sample-county/dice.ts';
import { generateSampleCounty, SAMPLE_SEED } from '../src/load/sample-county/generate-sample-county.ts';
import type { SampleCounty, SampleParcel } from '../src/load/sample-county/sample-county.ts';
import { trueValueUsd } from '../src/load/sample-county/true-value.ts';
import { buildSaleColumns } from '../src/valuation/build-columns.ts';
import type { AttributeSources } from '../src/valuation/complete-subject.ts';
import { percentileUsd } from '../src/valuation/distribution.ts';
import { bindTrained, trainMarket, type BoundMarket } from '../src/valuation/train-market.ts';
import { valueHome } from '../src/valuation/value-home.ts';

const FROM_RECORD = Object.fromEntries(
  ATTRIBUTES.map((attribute) => [attribute, 'record']),
) as AttributeSources;

interface Checked {
  readonly parcel: SampleParcel;
  readonly isUnsold: boolean;
  /** ln(value / true value). */
  readonly error: number;
  readonly isCovered: boolean;
  readonly widthShare: number;
}

function check(
  county: SampleCounty,
  market: BoundMarket,
  parcel: SampleParcel,
  sold: ReadonlySet<string>,
): Checked {
  const moment = { asOf: county.asOf, knownBy: county.asOf };
  const { distribution, estimate } = valueHome(market, homeAsRecorded(county, parcel), FROM_RECORD, moment);
  const [low, high] = [percentileUsd(distribution, 5), percentileUsd(distribution, 95)];
  const price = possiblePriceUsd(county, parcel);
  return {
    parcel,
    isUnsold: !sold.has(parcel.parcelId),
    error: Math.log(estimate.pointUsd / trueValueUsd(county, parcel, county.asOf)),
    isCovered: low <= price && price <= high,
    widthShare: (high - low) / estimate.pointUsd,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(9);

function printRow(label: string, checked: readonly Checked[]): void {
  const absolute = checked.map(({ error }) => Math.abs(Math.expm1(error)));
  const share = (is: (one: Checked) => boolean): number => checked.filter(is).length / checked.length;
  console.log(
    label.padEnd(20),
    String(checked.length).padStart(6),
    percent(median(absolute)),
    percent(absolute.filter((error) => error <= 0.1).length / checked.length),
    percent(Math.expm1(median(checked.map(({ error }) => error)))),
    percent(share(({ isCovered }) => isCovered)),
    percent(median(checked.map(({ widthShare }) => widthShare))),
  );
}

function pickHomes(county: SampleCounty, count: number): SampleParcel[] {
  const random = streamOf(county.seed, 'homes to check');
  const drawn = county.parcels.map((parcel) => ({ parcel, order: random() }));
  return drawn
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ parcel }) => parcel);
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
  const market = bindTrained(trained, columns);
  const sold = new Set(county.sales.map((sale) => sale.parcel.parcelId));
  const checked = pickHomes(county, homes).map((parcel) => check(county, market, parcel, sold));
  console.log('against the truth         n     MdAPE    PPE10      bias  cover 90  width 90');
  printRow('all', checked);
  printRow(
    'unsold',
    checked.filter(({ isUnsold }) => isUnsold),
  );
  for (const type of PROPERTY_TYPES)
    printRow(
      type,
      checked.filter(({ parcel }) => parcel.type === type),
    );
}

const [homes = '3000', seed = String(SAMPLE_SEED), day = '2026-06-30'] = process.argv.slice(2);
await run(Number(homes), Number(seed), parseDay(day) ?? 0);
