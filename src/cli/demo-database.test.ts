import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createAccount } from '../accounts/manage-accounts.ts';
import { createKey } from '../accounts/manage-keys.ts';
import { BUILT_IN_PLANS } from '../accounts/plans.ts';
import { PLACE } from '../load/sample-county/plan.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';
import { ensureMarket } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { NPM_START, rejectForeignDatabase } from './demo-administrator.ts';

let now = 0;
/** Entries of the audit log are in the order of their times. */
const clock = () => new Date((now += 1000));
const keyBy = (store: Store, actor: typeof NPM_START) =>
  createKey({ store, clock, randomBytes }, actor, { name: 'first' });

for (const engine of engines) {
  test(`${engine.name}: npm start accepts an empty database and its own demo, and rejects every other`, async (t) => {
    const own = await engine.open();
    t.after(() => own.close());
    await rejectForeignDatabase(own);
    await ensureMarket(own, PLACE.marketId);
    await keyBy(own, NPM_START);
    await keyBy(own, COMMAND_LINE);
    await rejectForeignDatabase(own);
    const foreign: [string, (store: Store) => Promise<unknown>][] = [
      ['market "king"', (store) => ensureMarket(store, 'king')],
      ['keys or users', (store) => keyBy(store, COMMAND_LINE)],
      [
        'account "acme"',
        (store) =>
          createAccount({ store, clock, plans: BUILT_IN_PLANS }, COMMAND_LINE, {
            accountId: 'acme',
            name: 'Acme',
            plan: 'free',
          }),
      ],
    ];
    for (const [what, fill] of foreign) {
      const store = await engine.open();
      t.after(() => store.close());
      await fill(store);
      await assert.rejects(
        rejectForeignDatabase(store),
        (error: Error) => error.message.includes(what) && 'code' in error && error.code === 'usage',
        what,
      );
    }
  });
}
