import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  compareRentsWithTruth,
  drawBuildings,
  type RentTruthCheck,
} from '../src/load/sample-county/compare-rents-with-truth.ts';
import { summariseTruth } from '../src/load/sample-county/compare-with-truth.ts';
import { UNSEEN_QUALITY_SD } from '../src/load/sample-county/parcels.ts';
import { county, trainRents } from './sample-markets.ts';

let checks: RentTruthCheck[] = [];

before(async () => {
  checks = compareRentsWithTruth(county, await trainRents(), drawBuildings(county, 150));
});

test('rents lie near what units truly let for, and no nearer than anybody can know', () => {
  const units = summariseTruth(checks.flatMap((building) => building.units));
  assert.ok(units.n > 300, `${units.n} units`);
  assert.ok(units.mdape < 0.05, `MdAPE ${units.mdape}`);
  // Half of a home's unseen quality is in its rent; two thirds of a standard deviation is the median error.
  assert.ok(units.mdape > 0.67 * 0.5 * UNSEEN_QUALITY_SD, `MdAPE ${units.mdape} smells of a leak`);
  assert.ok(Math.abs(units.bias) < 0.03, `bias ${units.bias}`);
  const large = checks.filter(({ total }) => total.parcel.type === 'multifamily');
  assert.ok(large.length >= 3, `${large.length} buildings of five units and more`);
  assert.ok(Math.abs(summariseTruth(large.map(({ total }) => total)).bias) < 0.06);
});

test('the 90 % interval holds what may be asked for a unit about nine times in ten, and the total no less', () => {
  const units = summariseTruth(checks.flatMap((building) => building.units));
  assert.ok(units.coverage90 > 0.85 && units.coverage90 < 0.99, `units ${units.coverage90}`);
  const totals = summariseTruth(checks.map(({ total }) => total));
  assert.ok(totals.coverage90 > 0.85, `totals ${totals.coverage90}`);
});
