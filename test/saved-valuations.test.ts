import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailure } from '../src/errors.ts';
import { listSaved, removeSaved, saveUnderName } from '../src/operations/past/saved-valuations.ts';
import { readAudit } from '../src/store/audit-log.ts';
import { writeValuationsTo } from '../src/store/valuation-log.ts';
import { uuidV7 } from '../src/store/uuid-v7.ts';
import { engines } from './harness/store/engines.ts';
import { testValuation } from './harness/store/rows.ts';

const NOW = Date.UTC(2026, 5, 1);
const BY = { accountId: 'self', actor: { kind: 'key', id: null, name: 'desk' } } as const;
const ALL = { find: '', tag: null, limit: 50, cursor: null } as const;

for (const engine of engines) {
  test(`${engine.name}: saved valuations are found by word and tag, replaced, removed and audited, by their own account only`, async () => {
    const store = await engine.open();
    const deps = { store, clock: () => new Date(NOW) };
    const ids = [1, 2, 3].map((at) => uuidV7(NOW + at, new Uint8Array(10)));
    const records = ids.map((id, at) => ({
      ...testValuation(id),
      response: JSON.stringify({
        addressInfo: { formattedAddress: `${at} Main St` },
        valuation: { asOfDate: '2026-05-31', pointValue: 300_000 + at },
      }),
    }));
    await writeValuationsTo(store)(records.map((valuation) => ({ valuation, charge: null })));
    const names = async (search: Partial<Parameters<typeof listSaved>[2]>, account = 'self') =>
      (await listSaved(deps, account, { ...ALL, ...search })).saved.map(({ name }) => name);
    const save = (id: string, name: string | null, tags: string[], note = '') =>
      saveUnderName(deps, id, { name, tags, note }, BY);

    const first = await save(ids[0], null, ['appeal', 'appeal', '50%']);
    assert.deepEqual(first, {
      valuationId: ids[0],
      kind: 'property',
      name: '0 Main St',
      tags: ['appeal', '50%'],
      note: '',
      formattedAddress: '0 Main St',
      asOfDate: '2026-05-31',
      pointValue: 300_000,
      savedAt: '2026-06-01T00:00:00.000Z',
      savedBy: 'desk',
    });
    await save(ids[1], 'Ärger am Bau', ['app'], 'Roof of 50 years');
    await save(ids[2], 'Third', []);
    assert.deepEqual(await names({}), ['Third', 'Ärger am Bau', '0 Main St']);
    assert.deepEqual(await names({ find: 'ROOF ärger' }), ['Ärger am Bau']);
    assert.deepEqual(await names({ find: '50%' }), ['0 Main St'], '% has no special meaning');
    assert.deepEqual(await names({ tag: 'app' }), ['Ärger am Bau'], 'not a part of a tag');
    assert.deepEqual(await names({}, 'acme'), []);
    const page = await listSaved(deps, 'self', { ...ALL, limit: 2 });
    assert.deepEqual(await names({ cursor: page.nextCursor }), ['0 Main St']);

    await save(ids[0], 'Renamed', []);
    assert.deepEqual(await names({ find: 'main st' }), ['Third', 'Ärger am Bau', 'Renamed']);
    assert.deepEqual(await names({ tag: 'appeal' }), []);
    const isMissing = (error: unknown) => isFailure(error, 'not_found');
    const acme = { ...BY, accountId: 'acme' };
    await assert.rejects(saveUnderName(deps, ids[0], { name: null, tags: [], note: '' }, acme), isMissing);
    await assert.rejects(removeSaved(deps, ids[0], acme), isMissing);
    await removeSaved(deps, ids[0], BY);
    await assert.rejects(removeSaved(deps, ids[0], BY), isMissing);
    assert.deepEqual(await names({}), ['Third', 'Ärger am Bau']);
    const { items } = await readAudit(store, { accountId: 'self', ...ALL, find: ids[0] });
    assert.deepEqual(items.map(({ action }) => action).toSorted(), [
      'valuation.saved',
      'valuation.saved',
      'valuation.unsaved',
    ]);
    await store.close();
  });
}
