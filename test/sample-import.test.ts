import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RentListing } from '../src/domain/rent.ts';
import type { Sale } from '../src/domain/sale.ts';
import { rentsAsImported, salesAsImported } from './harness/sample/as-imported.ts';
import { generateSampleCounty, SAMPLE_SEED } from '../src/load/sample-county/generate-sample-county.ts';
import { importSampleCounty } from '../src/load/sample-county/import-sample-county.ts';
import { PLACE } from '../src/load/sample-county/plan.ts';
import { addressRows } from '../src/load/sample-county/write-sample-county.ts';
import { currentDataset } from '../src/store/datasets.ts';
import { engines } from './harness/store/engines.ts';
import { IMPORTED_SAMPLE, readImportReports, SAMPLE_DAY } from './sample-service.ts';
import { openStore } from '../src/store/open-store.ts';
import { readRents, readSales } from '../src/store/property-records.ts';

test("the operators' importers accept the whole sample county, and only once", async () => {
  const { settings, drop } = await engines[0].copyOf(IMPORTED_SAMPLE);
  const { dataDir } = settings;
  const store = await openStore(settings);
  try {
    const deps = { store, dataDir, clock: () => new Date('2026-06-30T12:00:00Z') };
    const county = generateSampleCounty(SAMPLE_SEED, SAMPLE_DAY);
    const first = await readImportReports(dataDir);
    for (const report of first) {
      assert.deepEqual(report.rejected, { total: 0, byReason: {} }, report.kind);
      assert.deepEqual(report.unreadColumns, []);
    }
    const [addresses, parcels, sales, rents] = first;
    assert.equal(addresses.rowsLoaded, [...addressRows(county)].length);
    assert.equal(parcels.rowsLoaded, county.parcels.length);
    assert.equal(sales.rowsLoaded, county.sales.length);

    assert.equal(rents.rowsLoaded, county.rents.length);

    const dataset = await currentDataset(store, PLACE.marketId, 'sales');
    assert.match(JSON.stringify(dataset), /Generated sample county \(not real\)/);
    const stored = new Map<string, Sale>();
    for await (const page of readSales(store, sales.datasetId))
      for (const sale of page) stored.set(sale.recordId, sale);
    for (const expected of salesAsImported(county)) assert.deepEqual(stored.get(expected.recordId), expected);

    const listings = new Map<string, RentListing>();
    for await (const page of readRents(store, rents.datasetId))
      for (const listing of page) listings.set(listing.recordId, listing);
    for (const expected of rentsAsImported(county))
      assert.deepEqual(listings.get(expected.recordId), expected);

    const again = await importSampleCounty(deps, SAMPLE_DAY);
    for (const report of again) assert.ok(report.unchanged, report.kind);
  } finally {
    await store.close();
    await drop();
  }
});
