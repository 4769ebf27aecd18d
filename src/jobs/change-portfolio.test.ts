import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { testPayer } from '../../test/harness/jobs/jobs.ts';
import {
  ACCOUNT,
  alertsOf,
  createRun,
  HOMES,
  homeAt,
  openWatched,
} from '../../test/harness/jobs/watched-homes.ts';
import { engines } from '../../test/harness/store/engines.ts';
import type { LatestValue } from '../domain/portfolio.ts';
import { parseJsonText } from '../store/json-text.ts';
import { readHomes } from '../store/portfolios.ts';
import { addMissingHomes, removeHomes } from './change-portfolio.ts';

const PAYER = testPayer(ACCOUNT);
const MOMENTS = 40;

for (const engine of engines) {
  test(`${engine.name}: homes are removed while a run goes on, earlier runs stay, and a home that is added again is another entry`, async (t) => {
    const watched = await openWatched(engine, t);
    const { store, operations, portfolios, workItems, compare } = watched;
    const id = await createRun(watched);
    const homesOf = async () => {
      const homes = await readHomes(store.db, id, { from: 0, limit: 10 });
      return homes.map(({ homeNo, propertyId, latest }) => {
        const { lat = null }: Partial<LatestValue> = latest === null ? {} : parseJsonText(latest);
        return [homeNo, propertyId, lat];
      });
    };
    const alerts = await alertsOf(watched, id);
    const first = (await portfolios.read(ACCOUNT, id)).runs[0];

    await portfolios.revalue(PAYER, id);
    const remove = (names: readonly string[]) => removeHomes(operations, PAYER, id, { propertyIds: names });
    assert.deepEqual(await remove(['owes more than it is worth', 'unknown']), { removed: 1, left: 3 });
    assert.deepEqual(await remove(['owes more than it is worth']), { removed: 0, left: 3 });
    assert.deepEqual(await removeHomes(operations, PAYER, id, { homeNos: [3] }), { removed: 1, left: 2 });
    assert.equal(await addMissingHomes(operations, PAYER, id, HOMES.slice(0, 2)), 1);
    await workItems();
    await compare();
    assert.deepEqual(await homesOf(), [
      [1, 'owes little', 43.0015],
      [2, 'far from new sales', 43.02],
      [4, 'owes more than it is worth', null],
    ]);
    // As if the home that was removed had been in a market of its own.
    const basisOf = async () => parseJsonText<object>((await portfolios.read(ACCOUNT, id)).row.basis);
    const [[market, inputs]] = Object.entries(await basisOf());
    const basis = JSON.stringify({ [market]: inputs, 'xx-left': inputs });
    await store.db.updateTable('portfolios').set({ basis }).where('portfolioId', '=', id).execute();
    await portfolios.revalue(PAYER, id);
    await workItems();
    await compare();
    assert.deepEqual(Object.keys(await basisOf()), [market], 'the data of its market begin no run');
    assert.deepEqual((await homesOf()).at(-1), [4, 'owes more than it is worth', 43.0005]);
    assert.deepEqual(await alertsOf(watched, id, 1), alerts, 'alerts of removed homes stay');
    assert.deepEqual(
      (await alertsOf(watched, id, 3)).map(({ kind, propertyId }) => [kind, propertyId]),
      [['ltv_above', 'owes more than it is worth']],
      'its loans are reported again',
    );
    const { row, runs, totals } = await portfolios.read(ACCOUNT, id);
    assert.deepEqual([row.homeCount, totals.valued, totals.balanceUsd], [3, 3, 1_001_000]);
    assert.deepEqual(
      runs.map(({ runNo, total, completed }) => [runNo, total, completed]),
      [
        [3, 3, 3],
        [2, 4, 3],
        [1, 4, 3],
      ],
    );
    assert.deepEqual(runs[2], first);

    await assert.rejects(removeHomes(operations, PAYER, id, { homeNos: [1, 2, 4] }), /Delete the portfolio/);
    assert.equal((await homesOf()).length, 3);
    await assert.rejects(removeHomes(operations, { ...PAYER, accountId: 'another' }, id, { homeNos: [1] }), {
      code: 'not_found',
    });
    const logged = await store.db
      .selectFrom('audit_log')
      .select('detail')
      .where('action', '=', 'portfolio.homes_removed')
      .execute();
    assert.deepEqual(
      logged.map(({ detail }) => detail).toSorted(),
      ['outside every market', 'owes more than it is worth'].map((name) =>
        JSON.stringify({ properties: 1, property_ids: [name] }),
      ),
    );
  });

  test(`${engine.name}: two users who add the homes of one file at the same moment add each once`, async (t) => {
    const { store, operations, portfolios } = await openWatched(engine, t);
    const { row } = await portfolios.create(PAYER, {
      name: 'Loans',
      rules: {
        revalueEvery: 'never',
        changePct: null,
        isOutsideRange: false,
        ltvPct: null,
        soldWithinMi: null,
      },
      homes: HOMES,
    });
    // The second user begins a moment later: some of these moments are between what the first one reads and writes.
    for (let moment = 0; moment < MOMENTS; moment++) {
      const file = [...HOMES, homeAt(43.003, -87.99, null, `new ${moment}`)];
      const add = () => addMissingHomes(operations, PAYER, row.portfolioId, file);
      const addLater = async () => {
        for (let turn = 0; turn < moment; turn++) await nextTurn();
        return add();
      };
      for (const each of await Promise.allSettled([add(), addLater()])) {
        if (each.status === 'rejected') assert.match(String(each.reason), /at the same moment/);
      }
    }
    const homes = await readHomes(store.db, row.portfolioId, { from: 0, limit: 500 });
    const added = homes.slice(HOMES.length).map(({ propertyId }) => propertyId);
    assert.deepEqual(
      added,
      Array.from({ length: MOMENTS }, (_, moment) => `new ${moment}`),
    );
    assert.equal((await portfolios.read(ACCOUNT, row.portfolioId)).row.homeCount, homes.length);
  });
}
