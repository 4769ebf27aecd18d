import { assertNoneConnected, assertRebindingHarmless } from '../harness/egress/check-guard.ts';
import { visitZoo } from '../harness/webhooks/bad-receivers.ts';
import { engineOf } from './fault-engines.ts';
import type { FaultRun } from './fault-run.ts';

export const badReceivers: FaultRun = {
  name: 'bad-receivers',
  guarantee:
    'deliveries to receivers that hang, send bad responses, flood or reject end on schedule, and a good receiver is called at once',
  counts: { of: 'visits', small: 1, full: 10 },
  async run({ count, onProgress }) {
    let receivers = 0;
    for (let visit = 0; visit < count; visit++) {
      let now = Date.now();
      const store = await engineOf(visit % 2 === 0 ? 'sqlite' : 'postgres').open({
        clock: () => new Date(now),
      });
      const zoo = await visitZoo(store, (ms) => void (now += ms));
      receivers = zoo.receivers;
      await store.close();
      onProgress(visit + 1);
    }
    return { receivers, 'others delayed': 0 };
  },
};

export const hostileCallbacks: FaultRun = {
  name: 'hostile-callbacks',
  guarantee:
    'no connection is made to an internal address, however its URL is written, not even by DNS rebinding',
  counts: { of: 'rebindings', small: 200, full: 2000 },
  async run({ count, onProgress }) {
    const urls = await assertNoneConnected();
    await assertRebindingHarmless(count, onProgress);
    return { urls, connected: 0 };
  },
};
