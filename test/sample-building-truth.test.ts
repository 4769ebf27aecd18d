import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { PropertyType } from '../src/domain/property.ts';
import {
  compareBuildingsWithTruth,
  type BuildingTruthCheck,
} from '../src/load/sample-county/compare-buildings-with-truth.ts';
import { summariseTruth } from '../src/load/sample-county/compare-with-truth.ts';
import { UNSEEN_QUALITY_SD } from '../src/load/sample-county/parcels.ts';
import { NO_ASSUMPTIONS } from '../src/valuation/multifamily/assumptions.ts';
import { bindBuildings } from '../src/valuation/multifamily/bind-buildings.ts';
import { trainBuildings } from '../src/valuation/multifamily/building-sales.ts';
import { county, trainHomes, trainRents } from './sample-markets.ts';

const checks = new Map<PropertyType, BuildingTruthCheck[]>();

before(async () => {
  const property = await trainHomes();
  const rental = await trainRents();
  const buildings = bindBuildings(trainBuildings(property, rental, county.asOf), NO_ASSUMPTIONS);
  assert.ok(buildings);
  for (const type of ['small_multifamily', 'multifamily'] as const) {
    const parcels = county.parcels.filter((parcel) => parcel.type === type);
    checks.set(type, compareBuildingsWithTruth(county, property, { rental, buildings }, parcels));
  }
});

for (const type of ['small_multifamily', 'multifamily'] as const) {
  test(`three approaches come nearer to the truth of ${type} than sales alone, and stay honest`, (t) => {
    const valued = checks.get(type) ?? [];
    const bySales = summariseTruth(valued.map((check) => check.bySales));
    const reconciled = summariseTruth(valued.map((check) => check.reconciled));
    t.diagnostic(JSON.stringify({ bySales, reconciled }));
    assert.ok(reconciled.n > 50);
    assert.ok(reconciled.mdape < bySales.mdape, `${reconciled.mdape} is no nearer than ${bySales.mdape}`);
    // Rents tell half of what no record holds; what they do not tell nobody can know.
    assert.ok(reconciled.mdape > 0.67 * 0.5 * UNSEEN_QUALITY_SD, `${reconciled.mdape} smells of a leak`);
    assert.ok(Math.abs(reconciled.bias) < 0.05, `bias ${reconciled.bias}`);
    assert.ok(reconciled.coverage90 > 0.84, `coverage ${reconciled.coverage90}`);
    assert.ok(reconciled.medianWidth90 < bySales.medianWidth90);
  });
}
