import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { dayOf } from '../src/domain/day.ts';
import type { PropertyType } from '../src/domain/property.ts';
import { rentsAsImported, salesAsImported } from '../src/load/sample-county/as-imported.ts';
import {
  compareBuildingsWithTruth,
  type BuildingTruthCheck,
} from '../src/load/sample-county/compare-buildings-with-truth.ts';
import { summariseTruth } from '../src/load/sample-county/compare-with-truth.ts';
import { generateSampleCounty, SAMPLE_SEED } from '../src/load/sample-county/generate-sample-county.ts';
import { UNSEEN_QUALITY_SD } from '../src/load/sample-county/parcels.ts';
import type { SaleColumns } from '../src/valuation/columns/sale-columns.ts';
import { buildSaleColumns } from '../src/valuation/columns/build-columns.ts';
import { buildRentColumns } from '../src/valuation/columns/build-rent-columns.ts';
import { NO_ASSUMPTIONS } from '../src/valuation/multifamily/assumptions.ts';
import { bindBuildings } from '../src/valuation/multifamily/bind-buildings.ts';
import { trainBuildings } from '../src/valuation/multifamily/building-sales.ts';
import { bindTrained, trainMarket, type BoundMarket } from '../src/valuation/train-market.ts';

const county = generateSampleCounty(SAMPLE_SEED, dayOf(2026, 3, 31));
const checks = new Map<PropertyType, BuildingTruthCheck[]>();

async function marketOf(columns: SaleColumns): Promise<BoundMarket> {
  return bindTrained(await trainMarket(columns, county.asOf), columns);
}

before(async () => {
  const property = await marketOf(buildSaleColumns(salesAsImported(county), { recordingLagDays: 14 }));
  const rental = await marketOf(buildRentColumns(rentsAsImported(county)));
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
