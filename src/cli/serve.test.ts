import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { engines } from '../../test/harness/store/engines.ts';
import { readConfig } from '../config.ts';
import { openStore } from '../store/open-store.ts';
import { listen } from './serve.ts';

test('a start that finds its port in use changes nothing: no key is revoked and no password is set', async (t) => {
  const database = await engines[0].create();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  assert.ok(address !== null && typeof address === 'object');
  const config = readConfig({
    PLUMBLINE_DATA: database.settings.dataDir,
    PORT: String(address.port),
    LOG_LEVEL: 'silent',
    PLUMBLINE_THREADS: '1',
    JOB_THREADS: '0',
  });
  const store = await openStore(database.settings);
  t.after(async () => {
    other.close();
    await store.close();
    await database.drop();
  });
  let isBound = false;
  const started = listen(store, config, async () => void (isBound = true));
  await assert.rejects(started, /is in use by another program/);
  assert.equal(isBound, false);
});
