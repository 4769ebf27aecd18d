import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from './test-engines.ts';

for (const engine of engines) {
  test(`${engine.name}: a new database answers`, async () => {
    const store = await engine.open();
    assert.equal(store.engine, engine.name);
    await store.ping();
    await store.close();
  });
}
