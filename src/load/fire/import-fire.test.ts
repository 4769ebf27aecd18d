import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PlumblineError } from '../../errors.ts';
import { CONUS_ALBERS, openProjection } from '../../geo/projection.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import { burnProbabilityAt } from '../../places/fire.ts';
import { openPlaces } from '../../places/open-places.ts';
import { currentDatasets } from '../../store/datasets.ts';
import { readFireTile } from '../../store/fire-tiles.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { seededRandom } from '../../valuation/random.ts';
import { openImportFixture, type ImportFixture } from '../../../test/harness/load/import-files.ts';
import { importFire } from './import-fire.ts';
import { NO_DATA, writeTiff, type TiffOptions } from '../../../test/harness/load/tiff.ts';

const { unproject } = openProjection(CONUS_ALBERS);
const [WEST, NORTH, CELL_M] = [-1_990_005, 3_000_015, 30];

/** Synthetic, in the published encoding: EPSG:5070, 30 m, float32, no data −3.4028235e38, range 0 to 0.14. */
function cellAt(row: number, column: number): number {
  const patch = (Math.floor(row / 40) * 7 + Math.floor(column / 30)) % 9;
  if (patch === 0) return NO_DATA;
  return patch === 1 ? 0 : Math.fround((0.14 * ((row * 31 + column * 17) % 997)) / 997);
}

const SIZE = {
  columns: 700,
  rows: 600,
  cellAt,
  tile: 128,
  compression: 'lzw',
} as const satisfies TiffOptions;
/** Written once: compressing takes longer than all that is tested here. */
const WHOLE = writeTiff(SIZE);
const PLAIN = { ...SIZE, compression: 'none' } as const satisfies TiffOptions;

/** Lookups in the current datasets. */
async function openPlacesOf({ store }: ImportFixture): Promise<PlaceDeps> {
  const datasets = await currentDatasets(store);
  return openPlaces(store, async () => datasets);
}

for (const engine of engines) {
  describe(`${engine.name}: import fire`, () => {
    const run = (name: string, work: (fixture: ImportFixture) => Promise<void>) =>
      test(name, async () => {
        const fixture = await openImportFixture(engine);
        try {
          await work(fixture);
        } finally {
          await fixture.close();
        }
      });
    const load = (fixture: ImportFixture, files: readonly string[], more = {}) =>
      importFire(fixture.deps, { marketId: 'wa-king', files, ...more });

    run(
      'every point has the probability of its cell: 5,000 points against the function that drew the raster',
      async (fixture) => {
        const report = await load(fixture, [fixture.file('bp.tif', WHOLE)]);
        assert.deepEqual([report.rowsRead, report.rowsTotal, report.unchanged], [9, 9, false]);
        const deps = await openPlacesOf(fixture);
        const random = seededRandom(3);
        for (let i = 0; i < 5000; i++) {
          const [column, row] = [random() * 720 - 10, random() * 620 - 10];
          const { lat, lon } = unproject(WEST + column * CELL_M, NORTH - row * CELL_M);
          const isWithin = column >= 0 && column < SIZE.columns && row >= 0 && row < SIZE.rows;
          const given = isWithin ? cellAt(Math.floor(row), Math.floor(column)) : NO_DATA;
          const found = await burnProbabilityAt(deps, lat, lon);
          assert.equal(found?.probability ?? NO_DATA, given, `row ${row}, column ${column}`);
        }
      },
    );

    run('the same files change nothing; others replace the map', async (fixture) => {
      const path = fixture.file('bp.tif', WHOLE);
      const first = await load(fixture, [path]);
      const again = await load(fixture, [path]);
      assert.ok(again.unchanged);
      assert.deepEqual([again.datasetId, again.rowsTotal], [first.datasetId, 9]);
      const zeros = fixture.file('zeros.tif', writeTiff({ ...PLAIN, cellAt: () => 0 }));
      await load(fixture, [zeros], { sourceName: 'State forestry' });
      const { lat, lon } = unproject(WEST + 15, NORTH - 15);
      const found = await burnProbabilityAt(await openPlacesOf(fixture), lat, lon);
      assert.deepEqual([found?.probability, found?.dataset.source.name], [0, 'State forestry']);
    });

    run('of several rasters the first with data at the point is used', async (fixture) => {
      const half = (isWest: boolean) => (_row: number, column: number) =>
        column < 350 === isWest ? (isWest ? 0.01 : 0.02) : NO_DATA;
      const files = [true, false].map((isWest) =>
        fixture.file(`${isWest}.tif`, writeTiff({ ...PLAIN, cellAt: half(isWest) })),
      );
      const report = await load(fixture, files);
      assert.equal(report.rowsTotal, 12);
      const deps = await openPlacesOf(fixture);
      for (const [column, expected] of [
        [10.5, 0.01],
        [690.5, 0.02],
      ] as const) {
        const { lat, lon } = unproject(WEST + column * CELL_M, NORTH - 500 * CELL_M);
        assert.equal((await burnProbabilityAt(deps, lat, lon))?.probability, Math.fround(expected));
      }
    });

    run(
      'a raster that fails half way leaves the map as it was, and none of its own tiles',
      async (fixture) => {
        const { datasetId } = await load(fixture, [fixture.file('bp.tif', WHOLE)]);
        const bad = fixture.file('bad.tif', writeTiff({ ...PLAIN, cellAt: (row) => (row === 599 ? 9 : 0) }));
        const empty = fixture.file('empty.tif', writeTiff({ ...PLAIN, cellAt: () => NO_DATA }));
        for (const [path, message] of [
          [bad, /row 600/],
          [empty, /none of its cells/],
        ] as const) {
          await assert.rejects(
            load(fixture, [path]),
            (error) => error instanceof PlumblineError && message.test(error.message),
          );
        }
        const { lat, lon } = unproject(WEST + 100.5 * CELL_M, NORTH - 100.5 * CELL_M);
        assert.equal(
          (await burnProbabilityAt(await openPlacesOf(fixture), lat, lon))?.probability,
          cellAt(100, 100),
        );
        assert.equal((await currentDatasets(fixture.store)).length, 1);
        assert.ok(await readFireTile(fixture.store, datasetId, 0));
        for (const failed of [datasetId + 1, datasetId + 2]) {
          assert.equal(await readFireTile(fixture.store, failed, 0), null, 'its tiles are deleted');
        }
      },
    );
  });
}
