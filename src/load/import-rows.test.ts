import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay, parseDay } from '../domain/day.ts';
import { findAddressPoints, readAddressPoints } from '../store/address-points.ts';
import { currentDataset } from '../store/datasets.ts';
import { findParcels, readParcels } from '../store/property-records.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { importAddresses, importParcels } from './import-parcels.ts';
import { importSales } from './import-records.ts';
import { openImportFixture } from '../../test/harness/load/import-files.ts';

const MARKET = { marketId: 'xx-test' };

async function parcelDays(store: Store): Promise<Record<string, string>> {
  const current = await currentDataset(store, MARKET.marketId, 'parcels');
  const days: Record<string, string> = {};
  if (!current) return days;
  for await (const page of readParcels(store, current.rowsId)) {
    for (const parcel of page)
      days[parcel.parcelId] = `${parcel.attributes.bedrooms} ${formatDay(parcel.asOf)}`;
  }
  return days;
}

for (const engine of engines) {
  test(`${engine.name}: parcels merge by id; an unchanged record keeps its earlier day`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine, '2024-05-06');
    const text =
      'parcel_id,address,latitude,longitude,bedrooms\np1,12 N Main St,43,-88,3\np2,14 N Main St,43.1,-88,4\n';
    const first = await importParcels(deps, { ...MARKET, files: [file('a.csv', text)] });
    assert.deepEqual(await parcelDays(store), { p1: '3 2024-05-06', p2: '4 2024-05-06' });
    const [point] = await findAddressPoints(store, [first.datasetId], { number: '14', streetName: 'MAIN' });
    assert.equal(point.parcelId, 'p2');
    const later = { ...deps, clock: () => new Date('2025-01-01T00:00:00Z') };
    const same = await importParcels(later, {
      ...MARKET,
      files: [file('b.csv', `${text}p2,14 N Main St,43.1,-88,4\n`)],
    });
    assert.deepEqual([same.unchanged, same.datasetId, same.rowsRepeated], [true, first.datasetId, 1]);
    const changed = `${text.replace(',-88,4', ',-88,5')}p3,,43.2,-88,\n`;
    const merged = await importParcels(later, { ...MARKET, files: [file('c.csv', changed)] });
    assert.deepEqual([merged.unchanged, merged.rowsLoaded, merged.rowsKept], [false, 3, 0]);
    assert.deepEqual(await parcelDays(store), {
      p1: '3 2024-05-06',
      p2: '5 2025-01-01',
      p3: 'null 2025-01-01',
    });
    await importParcels(later, {
      ...MARKET,
      files: [file('d.csv', 'parcel_id,latitude,longitude,as_of_date\np4,43,-88,\np5,43,-88,2020-12-31\n')],
      asOfDate: parseDay('2021-06-30'),
    });
    const days = await parcelDays(store);
    assert.deepEqual([days.p1, days.p4, days.p5], ['3 2024-05-06', 'null 2021-06-30', 'null 2020-12-31']);
    await close();
  });

  test(`${engine.name}: an address is replaced by its text and may have two places`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const options = (name: string, text: string) => ({ ...MARKET, files: [file(name, text)] });
    const text = 'address,latitude,longitude\n1 A St,43,-88\n1 A St,43.5,-88\n2 A St,43.1,-88\n';
    const first = await importAddresses(deps, options('a.csv', text));
    assert.deepEqual([first.rowsLoaded, first.unchanged], [3, false]);
    assert.equal((await importAddresses(deps, options('a.csv', text))).unchanged, true);
    const moved = await importAddresses(
      deps,
      options('b.csv', 'address,latitude,longitude\n1 a st,43.2,-88\n'),
    );
    assert.deepEqual([moved.rowsLoaded, moved.rowsKept], [1, 1]);
    const rows: string[] = [];
    for await (const page of readAddressPoints(store, moved.datasetId)) {
      rows.push(...page.map((row) => `${row.address.street} ${row.lat}`));
    }
    assert.deepEqual(rows, ['1 a st 43.2', '2 A St 43.1']);
    await close();
  });

  test(`${engine.name}: a file with too many invalid rows leaves the old version unchanged`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const text = 'address,latitude,longitude\n1 A St,43,-88\n';
    const first = await importAddresses(deps, { ...MARKET, files: [file('a.csv', text)] });
    const invalid = `${text}2 A St,,\n3 A St,x,\n`;
    await assert.rejects(
      importAddresses(deps, { ...MARKET, files: [file('b.csv', invalid)] }),
      /2 of 3 rows \(66\.7 %\) could not be read/,
    );
    assert.equal((await currentDataset(store, MARKET.marketId, 'addresses'))?.datasetId, first.datasetId);
    await close();
  });
}

for (const engine of engines) {
  test(`${engine.name}: the record of a home that never sold has the columns of the sales`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const sales = Array.from({ length: 30 }, (_, i) => {
      return `p${i},2020-01-02,${100_000 + i},43,-88,${i % 3},${['Ranch', 'Tudor'][i % 2]},${i % 5}`;
    });
    const header = 'parcel_id,sale_date,sale_price,latitude,longitude,Grade,style,gate_code';
    const all = { ...MARKET, features: 'all' } as const;
    await importSales(deps, { ...all, files: [file('sales.csv', [header, ...sales].join('\n'))] });
    // Nearly empty, which only a new column may not be; and what describes people is refused here, too.
    const parcels = Array.from(
      { length: 30 },
      (_, i) => `p${i},43,-88,${i === 29 ? '7' : ''},Ranch,${i % 4}`,
    );
    const record = 'parcel_id,latitude,longitude,grade,household_income,heating';
    const files = [file('parcels.csv', [record, ...parcels].join('\n'))];
    const { candidates, datasetId } = await importParcels(deps, { ...all, files });
    assert.deepEqual(candidates?.accepted, ['grade', 'heating']);
    const { features } = (await findParcels(store, [datasetId], ['p29'])).get('p29') ?? assert.fail();
    assert.deepEqual(features, { Grade: '7', heating: '1' });
    await close();
  });
}
