import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { casesOf } from './harness/cases.ts';
import { openStore } from '../src/store/open-store.ts';
import { engines, type TestDatabase } from './harness/store/engines.ts';
import { startReceiver } from './harness/webhooks/receivers.ts';

const SENDER = fileURLToPath(new URL('faults/webhook-sender.ts', import.meta.url));
const KILLS = casesOf(3);
const DELIVERIES_A_ROUND = 12;
/**
 * Longer than any lease and retry delay, so that deliveries of a killed process are due in the next round.
 */
const ROUND_MS = 600_000;

/**
 * Runs a sender, kills it (SIGKILL) this long after its first delivery was acknowledged, and returns the
 * acknowledged ids.
 */
async function send(
  { settings }: TestDatabase,
  url: string,
  count: number,
  aheadMs: number,
  killAfterMs: number | null,
): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [SENDER, JSON.stringify(settings), url, String(count), String(aheadMs)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let printed = '';
  child.stdout.on('data', (bytes: Buffer) => {
    if (printed === '' && killAfterMs !== null) void sleep(killAfterMs).then(() => child.kill('SIGKILL'));
    printed += bytes.toString();
  });
  await new Promise((resolve) => child.on('close', resolve));
  return printed.split('\n').slice(0, -1);
}

for (const engine of engines) {
  test(`${engine.name}: senders killed before, during and between attempts lose no delivery`, async (t) => {
    const database = await engine.create();
    let calls = 0;
    // Every other call fails, so that attempts remain. Responses take long enough for the sender to be killed
    // meanwhile.
    const receiver = await startReceiver((_request, response) => {
      const status = ++calls % 2 === 0 ? 204 : 500;
      setTimeout(() => response.writeHead(status).end(), 15);
    });
    t.after(receiver.close);
    const url = `http://hook.test:${receiver.port}/`;
    const acknowledged: string[] = [];
    for (let round = 0; round < KILLS; round++) {
      const ids = await send(database, url, DELIVERIES_A_ROUND, round * ROUND_MS, 15 + 40 * round);
      acknowledged.push(...ids);
    }
    // One round without a kill for each attempt that may remain.
    for (let round = KILLS; round < KILLS + 4; round++) await send(database, url, 0, round * ROUND_MS, null);
    const store = await openStore(database.settings);
    // Some calls were not recorded because their sender was killed. A recorded call that was never made would
    // be an error.
    const noted = await store.db.selectFrom('delivery_attempts').select('deliveryId').execute();
    assert.ok(
      receiver.received.length >= noted.length,
      'an attempt was recorded that the receiver never saw',
    );
    const rows = await store.db.selectFrom('deliveries').selectAll().execute();
    const stateOf = new Map(rows.map((row) => [row.deliveryId, row.state]));
    const seen = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    assert.ok(acknowledged.length >= KILLS, `${acknowledged.length} acknowledged`);
    for (const id of acknowledged) {
      assert.ok(seen.has(id), `${id} never came`);
      assert.ok(['delivered', 'failed'].includes(stateOf.get(id) ?? 'lost'), `${id} is ${stateOf.get(id)}`);
    }
    for (const row of rows) {
      assert.ok(row.state === 'delivered' ? row.roundAttempts <= 4 : row.roundAttempts === 4, row.deliveryId);
    }
    await store.close();
    await database.drop();
  });
}
