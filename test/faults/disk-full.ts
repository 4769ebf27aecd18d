import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { ask, askValue, countStatuses, startLoad, valuationIdOf } from './send-request.ts';
import { createFaultMarket } from './fault-market.ts';
import type { FaultRun } from './fault-run.ts';
import { createFullDisk } from './fillable-disk.ts';
import { startServe } from './serve-process.ts';
import { assertKept } from './valuations-kept.ts';

const CLIENTS = 4;
const ANSWERS_BETWEEN = 20;
const REFUSALS = 20;
const READS = 20;
const BACK_WITHIN_MS = 10_000;
/**
 * Long enough to use up the disk space that the log had allocated before, which holds a few hundred
 * responses.
 */
const FULL_WITHIN_MS = 120_000;

export const diskFull: FaultRun = {
  name: 'disk-full',
  guarantee:
    'on a full disk requests that must be recorded get 503 and reads still work; with free space the service recovers by itself, and nothing is lost or damaged',
  counts: { of: 'times full', small: 2, full: 20 },
  async run({ count, onProgress }) {
    const disk = createFullDisk();
    const settings = { databaseUrl: null, dataDir: disk.dataDir };
    const market = await createFaultMarket({ settings, drop: async () => disk.remove() });
    const server = await startServe(market.database, market);
    const processId = server.child.pid;
    assert.ok(processId !== undefined);
    const load = startLoad(CLIENTS, (number) => askValue(server.url, market.key, number));
    const counted = (status: number): number =>
      load.answers.filter((answer) => answer.status === status).length;
    const until = async (holds: () => boolean, ms: number, what: string): Promise<void> => {
      for (const end = performance.now() + ms; !holds(); await sleep(10)) {
        assert.ok(performance.now() < end && !server.hasEnded(), `${what}: ${countStatuses(load.answers)}`);
      }
    };
    let reads = 0;
    let slowestMs = 0;
    for (let round = 0; round < count; round++) {
      const [good, refused] = [counted(200), counted(503)];
      await until(() => counted(200) >= good + ANSWERS_BETWEEN, FULL_WITHIN_MS, 'it does not answer');
      disk.fill(processId);
      await until(() => counted(503) >= refused + REFUSALS, FULL_WITHIN_MS, 'nothing was rejected');
      const known = valuationIdOf(load.answers.findLast(({ status }) => status === 200) ?? load.answers[0]);
      for (let read = 0; read < READS; read++) {
        for (const path of [`/v1/valuations/${known}`, '/v1/coverage', '/v1/usage']) {
          const answer = await ask(`${server.url}${path}`, market.key);
          assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
          reads++;
        }
      }
      const freedAt = performance.now();
      disk.free(processId);
      const isBack = (): boolean =>
        load.answers.some(({ status, beganAt }) => status === 200 && beganAt > freedAt);
      await until(isBack, BACK_WITHIN_MS, 'it does not record again');
      slowestMs = Math.max(slowestMs, performance.now() - freedAt);
      onProgress(round + 1);
    }
    await load.stop();
    const refusals = load.answers.filter(({ status }) => status !== 200);
    for (const { status, body } of refusals) {
      assert.deepEqual([status, body.code], [503, 'unavailable']);
      assert.ok(!JSON.stringify(body).includes(disk.dataDir), 'responses reveal no path');
    }
    server.child.kill('SIGINT');
    assert.equal(await server.ended, 0);
    const store = await market.open();
    const check = await sql<{ integrityCheck: string }>`pragma integrity_check`.execute(store.db);
    assert.equal(check.rows[0].integrityCheck, 'ok');
    await assertKept(store, 'self', load.answers);
    await store.close();
    await market.database.drop();
    return {
      by: disk.how,
      answered: counted(200),
      refused: refusals.length,
      reads,
      'slowest back ms': Math.round(slowestMs),
      lost: 0,
    };
  },
};
