import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { PlumblineError } from '../../errors.ts';
import { decodeAreaLayer, type AreaLayer } from '../../geo/areas/area-layer.ts';
import { getBlob } from '../../store/blobs.ts';
import { currentDataset } from '../../store/datasets.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { dbfBytes, NAD83, shpBytes } from '../../../test/harness/load/shapefile.ts';
import { openImportFixture, type ImportFixture } from '../../../test/harness/load/import-files.ts';
import { importFlood } from './import-flood.ts';

const SHARED = join(import.meta.dirname, '../../../../shared/data/flood');
const skip = !existsSync(SHARED) && `there is no ${SHARED}`;
const [hundred, fiveHundred] = ['100', '500'].map((years) =>
  join(SHARED, `cambridge_FEMA_FloodPlains${years}Year.geojson.gz`),
);
const MARKET = 'ma-cambridge';

/** GeoJSON of squares, each a degree further east than the one before. */
function squares(...rows: readonly object[]): string {
  const features = rows.map((properties, i) => {
    const [west, east] = [-80 + i, -79.5 + i];
    const ring = [
      [west, 40],
      [east, 40],
      [east, 40.5],
      [west, 40.5],
      [west, 40],
    ];
    return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } };
  });
  return JSON.stringify({ type: 'FeatureCollection', features });
}

async function layerOf({ store }: ImportFixture): Promise<AreaLayer> {
  const current = await currentDataset(store, MARKET, 'flood');
  return decodeAreaLayer(await getBlob(store, current?.snapshotSha256 ?? ''));
}

const area = (id: string | null, zone = 'AE', more = {}) => ({
  DFIRM_ID: '25017C',
  FLD_AR_ID: id,
  FLD_ZONE: zone,
  ...more,
});

for (const engine of engines) {
  describe(`${engine.name}: import flood`, () => {
    const run = (name: string, work: (fixture: ImportFixture) => Promise<void>, options = {}) =>
      test(name, options, async () => {
        const fixture = await openImportFixture(engine);
        try {
          await work(fixture);
        } finally {
          await fixture.close();
        }
      });
    const load = (fixture: ImportFixture, files: readonly string[], more = {}) =>
      importFlood(fixture.deps, { marketId: MARKET, files, ...more });

    run(
      'the files of Cambridge have 21 and 39 areas, and areas in both files are loaded once',
      async (fixture) => {
        assert.equal((await load(fixture, [hundred])).rowsTotal, 21);
        const second = await load(fixture, [fiveHundred]);
        assert.deepEqual([second.rowsRead, second.rowsLoaded, second.rowsTotal], [39, 39, 39]);
        const both = await load(fixture, [fiveHundred, hundred]);
        assert.deepEqual([both.rowsRead, both.rowsRepeated, both.rowsTotal], [60, 21, 39]);
        assert.ok(both.unchanged);
        const zones = (await layerOf(fixture)).records.map(({ fld_zone }) => fld_zone);
        assert.deepEqual(
          [zones.filter((zone) => zone === 'X').length, zones.filter((zone) => zone === 'AE').length],
          [18, 21],
        );
      },
      { skip },
    );

    run('fields in either case, sentinels and blanks give the same records', async (fixture) => {
      const upper = area('7', 'ae', {
        STATIC_BFE: -8888,
        ZONE_SUBTY: ' ',
        V_DATUM: 'NP',
        SOURCE_CIT: 'S1',
        SFHA_TF: 'T',
      });
      const lower = Object.fromEntries(
        Object.entries(upper).map(([name, value]) => [name.toLowerCase(), value]),
      );
      await load(fixture, [fixture.file('upper.geojson', squares(upper))]);
      const again = await load(fixture, [fixture.file('lower.geojson', squares(lower))]);
      assert.ok(again.unchanged);
      assert.deepEqual((await layerOf(fixture)).records, [
        {
          dfirm_id: '25017C',
          version_id: null,
          fld_ar_id: '7',
          study_typ: null,
          fld_zone: 'AE',
          zone_subty: null,
          static_bfe: null,
          v_datum: null,
          len_unit: null,
          source_cit: 'S1',
        },
      ]);
    });

    run('a shapefile with the columns of FEMA gives the same records as GeoJSON', async (fixture) => {
      const ring = [
        [-80, 40],
        [-79.5, 40],
        [-79.5, 40.5],
        [-80, 40.5],
        [-80, 40],
      ] as const;
      const row = area('7', 'AE', { ZONE_SUBTY: '', SFHA_TF: 'T', STATIC_BFE: 584.5, V_DATUM: 'NAVD88' });
      const shp = fixture.file('S_FLD_HAZ_AR.shp', shpBytes([[ring]]));
      fixture.file('S_FLD_HAZ_AR.dbf', dbfBytes([row]));
      fixture.file('S_FLD_HAZ_AR.prj', NAD83);
      const availability = fixture.file('S_POL_AR.shp', shpBytes([[ring]]));
      fixture.file('S_POL_AR.dbf', dbfBytes([{ POL_AR_ID: '25017C_2', ANI_TF: true }]));
      const report = await load(fixture, [shp], { availability });
      assert.deepEqual([report.rowsTotal, report.skipped.byReason], [1, { not_studied: 1 }]);
      const same = await load(fixture, [fixture.file('same.geojson', squares(row))]);
      assert.ok(same.unchanged);
    });

    run(
      'a later import replaces areas by study and identifier and keeps the others; --replace keeps none',
      async (fixture) => {
        await load(fixture, [fixture.file('a.geojson', squares(area('1'), area('2'), area('3', 'VE')))]);
        const next = await load(fixture, [fixture.file('b.geojson', squares(area('2', 'A')))]);
        assert.deepEqual([next.rowsLoaded, next.rowsKept, next.rowsTotal], [1, 2, 3]);
        const zones = (await layerOf(fixture)).records.map(
          ({ fld_ar_id, fld_zone }) => `${String(fld_ar_id)} ${String(fld_zone)}`,
        );
        assert.deepEqual(zones.sort(), ['1 AE', '2 A', '3 VE']);
        const replaced = await load(fixture, [fixture.file('c.geojson', squares(area('9')))], {
          replace: true,
        });
        assert.deepEqual([replaced.rowsKept, replaced.rowsTotal], [0, 1]);
      },
    );

    run(
      'parts of one area and areas without an identifier are all kept: no hazard is lost',
      async (fixture) => {
        const report = await load(fixture, [
          fixture.file('parts.geojson', squares(area('1'), area('1'), area(null), area(null))),
        ]);
        assert.deepEqual([report.rowsTotal, report.rejected.total], [4, 0]);
        const { map } = await layerOf(fixture);
        for (const lon of [-79.9, -78.9, -77.9, -76.9]) assert.equal(map.areasAt(40.2, lon).length, 1);
      },
    );

    run(
      'studied places are loaded next to the areas; jurisdictions and panels without a study are skipped',
      async (fixture) => {
        const availability = fixture.file(
          'panels.geojson',
          squares(
            { FIRM_PAN: '25017C0001E', PANEL_TYP: 'COUNTYWIDE, PANEL PRINTED' },
            {
              FIRM_PAN: '25017C0002E',
              PANEL_TYP: 'COUNTYWIDE, NOT PRINTED',
              PNP_REASON: 'ALL WITHIN ZONE X',
            },
            { FIRM_PAN: '25017C0003E', PANEL_TYP: 'UNMAPPED COMMUNITY' },
            { FIRM_PAN: '25017C0004E', PANEL_TYP: 'COUNTYWIDE, NOT PRINTED', PNP_REASON: 'ALL IN ZONE D' },
            { POL_AR_ID: '25017C_1', POL_NAME1: 'CITY OF CAMBRIDGE', ANI_TF: 'F' },
            { POL_AR_ID: '25017C_2', POL_NAME1: 'FORT', ANI_TF: 'T' },
          ),
        );
        const report = await load(fixture, [fixture.file('a.geojson', squares(area('1')))], { availability });
        assert.deepEqual([report.rowsTotal, report.skipped.byReason], [4, { not_studied: 3 }]);
      },
    );

    run(
      'rows without a known zone are rejected with their line; if there are too many, nothing is loaded',
      async (fixture) => {
        const valid = Array.from({ length: 30 }, (_, i) => area(String(i)));
        const report = await load(fixture, [
          fixture.file('a.geojson', squares(...valid, area('x', 'ZONE 9'))),
        ]);
        assert.deepEqual(report.rejected.byReason, { unknown_flood_zone: 1 });
        assert.match(
          readFileSync(report.refusedRowsPath ?? '', 'utf8'),
          /a\.geojson,31,rejected,unknown_flood_zone,FLD_ZONE,ZONE 9/,
        );
        const bad = fixture.file(
          'bad.geojson',
          squares(area('1'), { FLD_AR_ID: '2' }, area('3', 'AE', { STATIC_BFE: 'high' })),
        );
        await assert.rejects(
          load(fixture, [bad]),
          (error) => error instanceof PlumblineError && /2 of 3 rows/.test(error.message),
        );
        assert.equal((await layerOf(fixture)).records.length, 30);
      },
    );
  });
}
