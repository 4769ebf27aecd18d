import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startS3 } from '../../test/harness/egress/s3-server.ts';
import { addSweep } from '../../test/harness/jobs/add-sweep.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { BUILT_IN_PLANS } from '../accounts/plans.ts';
import { newId } from '../cli/configured-store.ts';
import { createObjectStore } from '../egress/object-store.ts';
import type { ObjectStore } from '../egress/stored-object.ts';
import type { ObjectStoreSetting } from '../config.ts';
import { createSweepFiles } from '../jobs/sweep-files.ts';
import { createLog } from '../log.ts';
import { openStore } from '../store/open-store.ts';
import { checkObjectAccess } from './check-objects.ts';
import { examine } from './examine.ts';

for (const engine of engines) {
  test(`${engine.name}: the doctor finds credentials and buckets that are wrong, and files that are missing or late`, async (t) => {
    const { setting, keys } = await startS3(t);
    const { settings, drop } = await engine.create();
    t.after(drop);
    const store = await openStore(settings);
    const examined = async (objectStore: ObjectStoreSetting): Promise<string[]> => {
      const config = { ...settings, webhookKey: null, objectStore };
      const found = await examine({ config, plans: BUILT_IN_PLANS, freeBytesOf: () => 1e12 });
      const ofObjects = found.filter(({ check }) => check === 'objects');
      return ofObjects.map(({ severity, what, where, remedy }) => [severity, what, where, remedy].join(' '));
    };
    assert.deepEqual(await examined(setting()), []);
    assert.deepEqual(keys(), [], 'the doctor leaves no object');
    const wrong: readonly (readonly [Partial<ObjectStoreSetting>, RegExp])[] = [
      [{ accessKeyId: 'OTHER' }, /^error .*rejects the credentials.*AWS_ACCESS_KEY_ID/],
      [{ bucket: 'none' }, /^error .*no bucket none/],
      [{ allowCidrs: [] }, /^error .*OBJECT_STORE_ALLOW_CIDRS/],
      [{ endpoint: 'http://127.0.0.1:9' }, /^error .*ECONNREFUSED.*AWS_ENDPOINT_URL_S3/],
    ];
    for (const [over, expected] of wrong) {
      const [found, ...others] = await examined(setting(over));
      assert.match(found, expected);
      assert.deepEqual(others, []);
    }
    await addSweep(store, 'self', { endedAt: Date.now() - 3_600_000 });
    await addSweep(store, 'self', { endedAt: Date.now() });
    const [late] = await examined(setting());
    assert.match(late, /^warning .*no file in object storage: 1\..*JOB_THREADS/);
    const objectStore = createObjectStore(setting());
    const deps = { store, clock: store.clock, newId, dataDir: settings.dataDir, objectStore };
    await createSweepFiles({ ...deps, log: createLog('silent') }).idle();
    assert.deepEqual(await examined(setting()), []);
    const [lost] = keys();
    await objectStore.remove(lost.slice('town/'.length));
    const [missing, ...others] = await examined(setting());
    assert.match(missing, /^warning .*: 1\. s3:\/\/bucket\/town: sweeps\/m\/.* Download each file once/);
    assert.deepEqual(others, []);
    await store.close();
  });
}

test('the doctor finds object storage that loses what was stored, and removes its object when it may not read', async (t) => {
  const { setting, keys } = await startS3(t);
  const store = createObjectStore(setting());
  const losing: ObjectStore = { ...store, open: async () => null };
  assert.match((await checkObjectAccess(losing))[0].what, /just stored is not there/);
  const unreadable: ObjectStore = { ...store, open: () => Promise.reject(new Error('not allowed')) };
  await assert.rejects(checkObjectAccess(unreadable), /not allowed/);
  assert.deepEqual(keys(), []);
});
