import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayOf } from '../src/domain/day.ts';
import { generateSampleCounty } from '../src/load/sample-county/generate-sample-county.ts';
import { importSamplePlaces } from '../src/load/sample-county/import-sample-county.ts';
import { openStore } from '../src/store/open-store.ts';
import type { TestEngine } from './harness/store/engines.ts';
import type { PreparedDatabase } from './harness/store/prepared-database.ts';
import { startPlaceService, type PlaceService } from './place-fixture.ts';

export const AS_OF = dayOf(2026, 6, 30);
export const county = generateSampleCounty(7, AS_OF);

/**
 * Imports the county's census, crime, fire and flood layers as an operator does. Every row must be accepted.
 */
const LAYERS: PreparedDatabase = {
  name: 'sample-layers',
  fill: async (settings) => {
    const store = await openStore(settings);
    const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-layers-'));
    const deps = { store, dataDir, clock: () => new Date(AS_OF * 86_400_000 + 43_200_000) };
    for (const report of await importSamplePlaces(deps, county)) {
      assert.deepEqual([report.rejected.total, report.skipped.total], [0, 0], report.kind);
      assert.ok(report.rowsLoaded > 0, report.kind);
    }
    await store.close();
    rmSync(dataDir, { recursive: true });
  },
};

/** The service on its own store that holds the layers. */
export async function startOnLayers(engine: TestEngine): Promise<PlaceService> {
  const database = await engine.copyOf(LAYERS);
  const service = await startPlaceService(await openStore(database.settings));
  return {
    ...service,
    close: async () => {
      await service.close();
      await database.drop();
    },
  };
}
