import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../src/store/store.ts';
import { seededRandom } from '../../src/valuation/random.ts';
import { ask, type Answer } from './send-request.ts';
import { engineOf } from './fault-engines.ts';
import { batchBody, createFaultMarket } from './fault-market.ts';
import type { FaultRun } from './fault-run.ts';
import { startServe } from './serve-process.ts';

const CLIENTS = 4;
const ITEMS = 5;
/** The average number of batches accepted before a server is killed. */
const BATCHES_A_KILL = 25;

/** Checks that every acknowledged batch is stored completely. */
async function assertTaken(store: Store, acknowledged: readonly Answer[]): Promise<void> {
  const items = await store.db
    .selectFrom('job_items')
    .select(['jobId', ({ fn }) => fn.countAll<number>().as('items')])
    .groupBy('jobId')
    .execute();
  const itemsOf = new Map(items.map((row) => [row.jobId, Number(row.items)]));
  const lost = acknowledged.filter(({ body }) => itemsOf.get(String(body.job_id)) !== ITEMS);
  assert.deepEqual(lost, [], `${lost.length} of ${acknowledged.length} lost`);
}

export const submitKills: FaultRun = {
  name: 'submit-kills',
  guarantee:
    'a server is killed (SIGKILL) as soon as it accepts a batch with 202: every accepted batch is stored with all its items',
  counts: { of: 'batches', small: 50, full: 500 },
  async run({ count, seed, onProgress }) {
    const market = await createFaultMarket(await engineOf('sqlite').create());
    const store = await market.open();
    const random = seededRandom(seed);
    const acknowledged: Answer[] = [];
    let kills = 0;
    // No worker runs here: another fault run covers workers.
    const environment = { ...market.environment, JOB_THREADS: '0' };
    while (acknowledged.length < count) {
      const server = await startServe(market.database, { environment });
      const until = acknowledged.length + 1 + Math.floor(2 * BATCHES_A_KILL * random());
      const client = async (): Promise<void> => {
        while (!server.hasEnded()) {
          const answer = await ask(
            `${server.url}/v1/avm/batch/property`,
            market.key,
            batchBody(acknowledged.length, ITEMS),
          );
          if (answer.status === 202) acknowledged.push(answer);
          else await sleep(5);
          if (acknowledged.length >= until) server.child.kill('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      assert.equal(await server.ended, 'SIGKILL');
      kills++;
      await assertTaken(store, acknowledged);
      onProgress(Math.min(count, acknowledged.length));
    }
    await store.close();
    await market.database.drop();
    return { kills, acknowledged: acknowledged.length, lost: 0 };
  },
};
