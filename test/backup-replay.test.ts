import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { OPERATOR } from '../src/cli/compose.ts';
import { formatDay } from '../src/domain/day.ts';
import { replayValuation } from '../src/operations/past/past-valuations.ts';
import { verifyBackup } from '../src/store/backup/manifest.ts';
import { restoreBackup } from '../src/store/backup/restore-backup.ts';
import { takeBackup } from '../src/store/backup/take-backup.ts';
import { checkLedger } from '../src/store/credit-ledger.ts';
import { openExisting, openStore } from '../src/store/open-store.ts';
import { engines } from './harness/store/engines.ts';
import { withOperations } from './harness/operations/quick-market.ts';
import { AS_OF, county, postTo, startService, type TestService } from './service-fixture.ts';

const REPLAYS = 20;
const CLIENTS = 2;
const quiet = (): void => {};

/** Values the homes of the county, one after the other, by kind in turn. Returns the id. */
async function valueHome(service: TestService, number: number): Promise<string> {
  const parcels = county.parcels.filter(({ type }) => type === 'houses');
  const { lat, lon } = parcels[number % parcels.length];
  const kind = ['property', 'rental'][number % 2];
  const home = { total_bedrooms: 3, total_bathrooms: 2 };
  const { status, body } = await postTo(service, `/v1/avm/${kind}`, {
    location: { latitude: lat, longitude: lon },
    search_params: { date: formatDay(AS_OF), num_comps: 3 },
    property_fields: kind === 'property' ? home : { units: [{ bedrooms: 3, bathrooms: 2 }] },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.valuation.valuation_id;
}

/** Returns the ids of the valuations before the backup. */
async function backUpDuringValuations(service: TestService, backup: string): Promise<readonly string[]> {
  const valued: string[] = [];
  while (valued.length < REPLAYS) valued.push(await valueHome(service, valued.length));
  const state = { isStopped: false };
  let during = 0;
  const client = async (): Promise<void> => {
    while (!state.isStopped) await valueHome(service, during++);
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  const source = await openExisting(service.settings);
  try {
    await takeBackup(source, backup, { keyFingerprint: null, onProgress: quiet });
  } finally {
    state.isStopped = true;
    await source.close();
    await clients;
  }
  assert.ok(during > CLIENTS, 'valuations were recorded during the backup');
  return valued;
}

for (const engine of engines) {
  test(`${engine.name}: a backup taken during valuations has all earlier ones, and replays them to the byte`, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-backup-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    const service = await startService(engine, folder, { hasRents: true });
    const backup = join(folder, 'backup');
    const valued = await backUpDuringValuations(service, backup).finally(service.close);

    const database = await engine.create();
    const store = await openStore(database.settings);
    const manifest = await verifyBackup(backup, quiet);
    await restoreBackup(store, backup, manifest, { isReplacing: false, onProgress: quiet });
    const rows = await store.db.selectFrom('valuations').select('valuationId').execute();
    assert.equal(new Set(rows.map(({ valuationId }) => valuationId)).size, rows.length);
    assert.deepEqual((await checkLedger(store)).differences, []);
    await withOperations(store, async (operations) => {
      for (const valuationId of valued) {
        const { agrees } = await replayValuation(operations, valuationId, OPERATOR);
        assert.ok(agrees, `${valuationId} differs`);
      }
    });
    await store.close();
    await database.drop();
  });
}
