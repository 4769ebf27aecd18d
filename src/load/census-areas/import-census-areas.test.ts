import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { decodeAreaLayer, type AreaLayer } from '../../geo/areas/area-layer.ts';
import { getBlob } from '../../store/blobs.ts';
import { currentDataset } from '../../store/datasets.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import type { ImportOptions } from '../import-options.ts';
import { openTable } from '../../tables/open-table.ts';
import { publishAreas } from '../../../test/harness/places/census-places.ts';
import { openImportFixture, type ImportFixture } from '../../../test/harness/load/import-files.ts';
import { importCensusAreas, readCensusArea } from './import-census-areas.ts';

const MARKET = 'xx-test';
const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const absent = existsSync(`${data}census`) ? false : `the real census files are not at ${data}census`;

type Properties = Readonly<Record<string, string | number | null>>;

/** Squares side by side, one for each area. */
function collection(areas: readonly Properties[]): string {
  const features = areas.map((properties, i) => ({
    type: 'Feature',
    properties,
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [i, 0],
          [i + 1, 0],
          [i + 1, 1],
          [i, 1],
          [i, 0],
        ],
      ],
    },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}

for (const engine of engines) {
  describe(engine.name, () => {
    let fixture: ImportFixture;
    before(async () => {
      fixture = await openImportFixture(engine);
    });
    after(() => fixture.close());

    const load = (files: readonly string[], options: Partial<ImportOptions> = {}) =>
      importCensusAreas(fixture.deps, { marketId: MARKET, files, ...options });
    const layer = async (marketId = MARKET): Promise<AreaLayer> => {
      const dataset = await currentDataset(fixture.store, marketId, 'census-areas');
      assert.ok(dataset?.snapshotSha256);
      assert.equal(
        dataset.rowCount,
        decodeAreaLayer(await getBlob(fixture.store, dataset.snapshotSha256)).map.count,
      );
      return decodeAreaLayer(await getBlob(fixture.store, dataset.snapshotSha256));
    };
    const geoids = async () =>
      (await layer()).records.map(({ vintage, geoid }) => `${String(vintage)} ${String(geoid)}`);

    /** Sales of King County that fall in no tract or in several. */
    const kingSalesOutside = async (marketId: string): Promise<number> => {
      const { map } = await layer(marketId);
      const { columns, batches } = await openTable(`${data}king/kc_house_data.csv.gz`, () => {});
      const [lat, lon] = [columns.indexOf('lat'), columns.indexOf('long')];
      let outside = 0;
      let sales = 0;
      for await (const rows of batches) {
        for (const { cells } of rows) {
          sales++;
          if (map.areasAt(Number(cells[lat]), Number(cells[lon])).length !== 1) outside++;
        }
      }
      assert.equal(sales, 21_613);
      return outside;
    };

    test('areas of several files are one layer, and a later import merges by census and GEOID', async () => {
      const tracts = fixture.file(
        't.json',
        collection([{ GEOID10: '53033000100' }, { GEOID10: '53033000200' }]),
      );
      const groups = fixture.file('g.json', collection([{ GEOID10: '530330001001' }]));
      const first = await load([groups, tracts]);
      assert.deepEqual(
        [first.rowsLoaded, first.rowsKept, first.rowsTotal, first.unchanged],
        [3, 0, 3, false],
      );
      const again = await load([tracts]);
      assert.deepEqual([again.unchanged, again.datasetId], [true, first.datasetId]);
      const newer = fixture.file(
        'n.json',
        collection([{ GEOID20: '53033000100' }, { GEOID20: '53033000100' }]),
      );
      await load([newer], { maxRejects: 0.5 });
      assert.deepEqual(await geoids(), [
        '2010 53033000100',
        '2010 530330001001',
        '2010 53033000200',
        '2020 53033000100',
      ]);
      const moved = fixture.file(
        'm.json',
        collection([{ NAME: 'x', GEOID10: '5' }, { GEOID10: '53033000100' }]),
      );
      const replaced = await load([moved], { maxRejects: 0.5 });
      assert.deepEqual([replaced.rowsLoaded, replaced.rowsKept], [1, 3]);
      const { map, records } = await layer();
      assert.deepEqual(
        map.areasAt(0.5, 1.5).map((i) => records[i].geoid),
        ['53033000100', '53033000200'],
      );
      await load([tracts], { replace: true });
      assert.deepEqual(await geoids(), ['2010 53033000100', '2010 53033000200']);
    });

    test('areas that cannot be used are counted by reason; if all are invalid, nothing is loaded', async () => {
      const before = await geoids();
      const areas: Properties[] = [
        { GEOID10: '53033000100' },
        { GEOID10: '53033000100' },
        { GEOID10: '53' },
        { GEOID10: 'X1' },
        { GEOID10: 53033 },
        { NAME: 'x' },
        { GEOID10: '53033', NAME10: 'a\u0007' },
        { GEOID10: '53033', NAME10: 'a'.repeat(300) },
      ];
      const path = fixture.file('f.json', collection(areas));
      const report = await load([path], { maxRejects: 1 });
      assert.deepEqual(report.rejected.byReason, {
        area_repeated: 1,
        control_character: 1,
        geoid_is_a_number: 1,
        missing: 1,
        not_a_geoid: 1,
        too_long: 1,
      });
      assert.deepEqual(report.skipped.byReason, { other_level: 1 });
      assert.match(
        readFileSync(report.refusedRowsPath ?? '', 'utf8'),
        /^f\.json,4,rejected,not_a_geoid,GEOID10,X1$/m,
      );
      await load([
        fixture.file('back.json', collection([{ GEOID10: '53033000100' }, { GEOID10: '53033000200' }])),
      ]);
      await assert.rejects(load([path]), /6 of 8 rows .* Nothing was loaded/);
      await assert.rejects(load([fixture.file('cut.json', collection(areas).slice(0, -9))]), /the text ends/);
      assert.deepEqual(await geoids(), before);
    });

    test('the real files have the documented numbers of areas', { skip: absent }, async () => {
      const files: readonly (readonly [string, readonly string[], number | null, number])[] = [
        ['wa-king', ['king_county_tracts_2010.geojson.gz'], 2010, 397],
        ['wa-king-shp', ['2016_CensusTracts_KingCountyWa.zip'], 2016, 397],
        [
          'ma-cambridge',
          ['cambridge_Tracts2010.geojson.gz', 'cambridge_BlockGroups2010.geojson.gz'],
          null,
          32 + 113,
        ],
        ['ny-nyc', ['nyc_tracts_2010.geojson.gz'], 2010, 2166],
      ];
      for (const [marketId, names, vintage, count] of files) {
        const report = await load(
          names.map((name) => `${data}census/${name}`),
          { marketId, vintage },
        );
        assert.deepEqual([report.rowsTotal, report.rejected.total, report.skipped.total], [count, 0, 0]);
      }
      for (const marketId of ['wa-king', 'wa-king-shp']) assert.equal(await kingSalesOutside(marketId), 3);
      const { records, map } = await layer('ma-cambridge');
      const [tract, group] = map.areasAt(42.3671, -71.1056).map((i) => records[i]);
      assert.deepEqual([tract.level, tract.name], ['tract', 'Census Tract 3530']);
      assert.deepEqual([group.level, group.name], ['block_group', 'Block Group 4']);
      assert.equal(group.geoid, `${String(tract.geoid)}4`);
    });
  });
}

test('areas that are kept count toward the largest number of areas of a market', async () => {
  const { store, deps, file, close } = await openImportFixture(engines[0]);
  const box = { west: 0, south: 0, east: 1, north: 1 };
  const kept = Array.from({ length: 500_000 }, (_, i) => ({
    ...box,
    record: { geoid: `${i}`, vintage: 2010 },
  }));
  await publishAreas(store, MARKET, 'census-areas', kept);
  const files = [file('one.json', collection([{ GEOID10: '53033000100' }]))];
  await assert.rejects(importCensusAreas(deps, { marketId: MARKET, files }), /at most 500000 areas/);
  await close();
});

test('a GEOID is read from any field and spelling that publishers use', () => {
  const read = (properties: Properties, path = 'areas.json', year: number | null = null) => {
    const { geoid, level, vintage, name } = readCensusArea(properties, path, year);
    return [geoid, level, vintage, name];
  };
  const group = ['530330001001', 'block_group', 2020, 'Block Group 1'];
  assert.deepEqual(read({ GEOID20: '530330001001', NAMELSAD20: 'Block Group 1' }), group);
  assert.deepEqual(read({ geoid: '530330001001' }, 'in/tl_2023_53_bg.zip'), group);
  assert.deepEqual(read({ GEO_ID: '1500000US530330001001', GEOID: null }, 'x.json', 2021), group);
  assert.deepEqual(read({ GEOIDFQ: '1400000US53033000202' }, 'cb_2023_53_tract_500k.shp'), [
    '53033000202',
    'tract',
    2020,
    'Census Tract 2.02',
  ]);
  assert.deepEqual(read({ AFFGEOI: '1400000us53033000200' }, 'cb_2016_53_tract_500k.shp'), [
    '53033000200',
    'tract',
    2010,
    'Census Tract 2',
  ]);
  assert.deepEqual(read({ GEOID10: '5303392928', NAMELSAD10: 'Seattle CCD' }), [
    '5303392928',
    'cousub',
    2010,
    'Seattle CCD',
  ]);
  assert.deepEqual(read({ GEOID: '22071', NAME: 'Orleans' }, 'x', 2019), [
    '22071',
    'county',
    2010,
    'Orleans Parish',
  ]);
  assert.deepEqual(read({ id: '51760', name: 'Richmond' }, 'x', 2020), [
    '51760',
    'county',
    2020,
    'Richmond city',
  ]);
  assert.throws(() => read({ GEOID: '53033' }), /neither its field GEOID nor its name says/);
  assert.throws(() => read({ GEOID: '53033' }, 'tl_2009_us_county.zip'), /neither its field/);
  assert.throws(() => read({ GEOID10: '53033' }, 'x', 2020), /are of 2010; --vintage says 2020/);
  assert.throws(() => read({ GEO_ID: '1600000US5363000' }, 'x', 2020), /other_level/);
});
