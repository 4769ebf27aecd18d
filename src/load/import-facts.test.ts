import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentDataset } from '../store/datasets.ts';
import { findParcels, readSales } from '../store/property-records.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { openImportFixture, type ImportFixture } from '../../test/harness/load/import-files.ts';
import { importParcels } from './import-parcels.ts';
import { importSales } from './import-records.ts';

const MARKET = { marketId: 'xx-test' };

const ids = Array.from({ length: 20 }, (_, i) => `0${1000 + i}`);
const places = ['pin,lat,lon', ...ids.map((id, i) => `${id},${43 + i / 1000},-88`)].join('\n');
const facts = [
  'pin,building_sqft,num_bedrooms,year_built,type',
  ...ids.map((id, i) => `${id},${1000 + i},3,19${30 + i},${i % 2 === 0 ? 'Condo' : 'House'}`),
].join('\n');
const sales = [
  'pin,sale_date,sale_price',
  ...ids.map((id, i) => `${id},2024-03-${String(10 + i).padStart(2, '0')},${200_000 + 997 * i}`),
].join('\n');

async function salesOf({ store }: ImportFixture) {
  const { rowsId } = (await currentDataset(store, MARKET.marketId, 'sales')) ?? assert.fail();
  const all = [];
  for await (const page of readSales(store, rowsId)) all.push(...page);
  return all.sort((a, b) => a.soldOn - b.soldOn);
}

for (const engine of engines) {
  test(`${engine.name}: places, facts and sales in three files make sales with facts, whatever is imported again`, async () => {
    const fixture = await openImportFixture(engine);
    const { deps, file, store, close } = fixture;
    const files = {
      places: [file('places.csv', places)],
      facts: [file('facts.csv', facts)],
      sales: [file('sales.csv', sales)],
    };
    const mapping = { parcel_id: 'pin', property_type: 'type' };
    await assert.rejects(
      importParcels(deps, { ...MARKET, files: files.facts, mapping }),
      /not_located.*Import parcels or addresses with coordinates first/s,
    );
    await importParcels(deps, { ...MARKET, files: files.places });
    await importParcels(deps, { ...MARKET, files: files.facts, mapping });
    assert.ok((await importParcels(deps, { ...MARKET, files: files.facts, mapping })).unchanged);
    assert.ok((await importParcels(deps, { ...MARKET, files: files.places })).unchanged, 'no fact is lost');
    const { rowsId } = (await currentDataset(store, MARKET.marketId, 'parcels')) ?? assert.fail();
    const parcel = (await findParcels(store, [rowsId], ids)).get(ids[4]) ?? assert.fail();
    assert.deepEqual(
      [parcel.lat, parcel.lon, parcel.type, parcel.attributes.livingAreaSqft],
      [43.004, -88, 'condos', 1004],
    );
    const { findings } = await importSales(deps, { ...MARKET, files: files.sales });
    assert.equal(findings.find(({ check }) => check === 'facts_of_parcels')?.count, 20);
    const loaded = await salesOf(fixture);
    assert.deepEqual(
      loaded.map(({ attributes, type }) => [attributes.livingAreaSqft, attributes.yearBuilt, type]),
      ids.map((_, i) => [1000 + i, 1930 + i, i % 2 === 0 ? 'condos' : 'houses']),
    );
    await close();
  });

  test(`${engine.name}: if lost zeros of parcel ids are why sales have no place, the import says so`, async () => {
    const { deps, file, close } = await openImportFixture(engine);
    await importParcels(deps, { ...MARKET, files: [file('places.csv', places)] });
    const files = [file('sales.csv', sales.replaceAll('\n0', '\n'))];
    await assert.rejects(
      importSales(deps, { ...MARKET, files }),
      /20 of 20 rows.*not_located.*lost_zeros: 20 of 20 parcel ids are those of the market's parcels but for zeros/s,
    );
    await close();
  });

  test(`${engine.name}: sales of a file with facts never take those of their parcels`, async () => {
    const fixture = await openImportFixture(engine);
    const { deps, file, close } = fixture;
    await importParcels(deps, { ...MARKET, files: [file('places.csv', places)] });
    await importParcels(deps, {
      ...MARKET,
      files: [file('facts.csv', facts)],
      mapping: { parcel_id: 'pin', property_type: 'type' },
    });
    const [header, ...rows] = sales.split('\n');
    const own = [`${header},living_area`, ...rows.map((row, i) => `${row},${i === 0 ? '' : 900 + i}`)];
    await importSales(deps, {
      ...MARKET,
      files: [file('sales.csv', own.join('\n'))],
      accept: ['missing_columns'],
    });
    const loaded = await salesOf(fixture);
    assert.deepEqual(
      loaded.slice(0, 2).map(({ attributes }) => [attributes.livingAreaSqft, attributes.bedrooms]),
      [
        [null, null],
        [901, null],
      ],
    );
    await close();
  });
}
