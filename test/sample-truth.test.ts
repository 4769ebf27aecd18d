import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { dayOf } from '../src/domain/day.ts';
import { salesAsImported } from '../src/load/sample-county/as-imported.ts';
import {
  compareWithTruth,
  drawHomes,
  summariseTruth,
  type TruthCheck,
} from '../src/load/sample-county/compare-with-truth.ts';
import { generateSampleCounty, SAMPLE_SEED } from '../src/load/sample-county/generate-sample-county.ts';
import { UNSEEN_QUALITY_SD } from '../src/load/sample-county/parcels.ts';
import { buildSaleColumns } from '../src/valuation/columns/build-columns.ts';
import { bindTrained, trainMarket } from '../src/valuation/train-market.ts';

const county = generateSampleCounty(SAMPLE_SEED, dayOf(2026, 3, 31));
const sold = new Set(county.sales.map((sale) => sale.parcel));
let checks: TruthCheck[] = [];

// The last three of the five years are enough here, and train in two thirds of the time.
before(async () => {
  const sales = salesAsImported(county).filter((sale) => sale.soldOn > county.asOf - 3 * 365);
  const columns = buildSaleColumns(sales, { recordingLagDays: 14 });
  const trained = await trainMarket(columns, county.asOf);
  checks = compareWithTruth(county, bindTrained(trained, columns), drawHomes(county, 800));
});

test('values lie near what homes are truly worth, and no nearer than anybody can know', () => {
  const all = summariseTruth(checks);
  assert.ok(all.mdape < 0.06, `MdAPE ${all.mdape}`);
  // Two thirds of a standard deviation is the median error of whoever knows all but the unseen.
  assert.ok(all.mdape > 0.67 * UNSEEN_QUALITY_SD, `MdAPE ${all.mdape} smells of a leak`);
  assert.ok(Math.abs(all.bias) < 0.04, `bias ${all.bias}`);
  const unsold = summariseTruth(checks.filter(({ parcel }) => !sold.has(parcel)));
  assert.ok(unsold.mdape < 0.065, `unsold MdAPE ${unsold.mdape}`);
});

test('the 90 % interval holds the price a home might truly fetch about nine times in ten', () => {
  const { coverage90 } = summariseTruth(checks);
  assert.ok(coverage90 > 0.85 && coverage90 < 0.98, `coverage ${coverage90}`);
});
