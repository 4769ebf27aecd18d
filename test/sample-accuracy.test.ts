import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  compareWithTruth,
  drawHomes,
  summarizeTruth,
  type TruthCheck,
} from '../bench/truth/compare-homes.ts';
import { UNSEEN_QUALITY_SD } from '../src/load/sample-county/homes.ts';
import { county, trainHomes } from './sample-markets.ts';

const sold = new Set(county.sales.map((sale) => sale.parcel));
let checks: TruthCheck[] = [];

before(async () => {
  checks = compareWithTruth(county, await trainHomes(), drawHomes(county, 800));
});

test('values are close to the true values, but no closer than is possible', () => {
  const all = summarizeTruth(checks);
  assert.ok(all.mdape < 0.06, `MdAPE ${all.mdape}`);
  // Two thirds of a standard deviation is the median error of a perfect model, which knows everything except
  // the unseen quality. A smaller error means a leak.
  assert.ok(all.mdape > 0.67 * UNSEEN_QUALITY_SD, `MdAPE ${all.mdape} suggests a leak`);
  assert.ok(Math.abs(all.bias) < 0.04, `bias ${all.bias}`);
  const unsold = summarizeTruth(checks.filter(({ parcel }) => !sold.has(parcel)));
  assert.ok(unsold.mdape < 0.065, `unsold MdAPE ${unsold.mdape}`);
});

test('the 90% interval holds about nine in ten possible true prices', () => {
  const { coverage90 } = summarizeTruth(checks);
  assert.ok(coverage90 > 0.85 && coverage90 < 0.98, `coverage ${coverage90}`);
});
