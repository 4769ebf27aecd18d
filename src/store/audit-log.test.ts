import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendAudit, COMMAND_LINE, readAudit, type AuditEntry } from './audit-log.ts';
import type { Page } from './pages.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { inTransaction } from './transaction.ts';

/** What an import records, with a quote, a backslash and capital letters outside ASCII. */
const DETAIL = {
  market: 'Kreis-Süd',
  file: 'ÉVALUATIONS "2025" C:\\Sales.CSV',
  accepted: ['zero_rooms', 'LAND_sale'],
  parent: { job_id: '01a2235b-3913' },
  trains: true,
  base: null,
  rows: 1204,
};

for (const engine of engines) {
  test(`${engine.name}: a search finds what stands in the details, in any spelling`, async (t) => {
    const store = await engine.open();
    t.after(() => store.close());
    const by = { accountId: 'self', at: 1, actor: COMMAND_LINE };
    await inTransaction(store, async (transaction) => {
      await appendAudit(transaction, by, 'import.submitted', 'upload-1', DETAIL);
      await appendAudit(transaction, { ...by, at: 2 }, 'import.submitted', 'upload-2', { market: 'north' });
    });
    const find = async (words: string, accountId: string | null): Promise<string[]> => {
      const { items } = await readAudit(store, { accountId, find: words, limit: 10, cursor: null });
      return items.map(({ subject }) => subject);
    };
    const inDetail = [
      'kreis-süd',
      'KREIS',
      'évaluations "2025"',
      'c:\\sales.csv',
      'ZERO_ROOMS',
      'land_sale',
      'parent 01A2235B',
      'trains true',
      'command 1204',
    ];
    for (const accountId of [null, 'self']) {
      for (const words of inDetail) assert.deepEqual(await find(words, accountId), ['upload-1'], words);
      assert.deepEqual(await find('kreis north', accountId), [], 'words of different entries');
    }
    await store.db.updateTable('audit_log').set({ words: '' }).execute();
    assert.deepEqual(await find('land_SALE 1204', null), ['upload-1'], 'entries of earlier versions');
  });

  test(`${engine.name}: a search in steps of any length finds the same lines, page by page`, async (t) => {
    const store = await engine.open();
    t.after(() => store.close());
    await inTransaction(store, async (transaction) => {
      for (let at = 0; at < 23; at++) {
        const subject = at % 5 === 0 || at === 7 ? `wanted ${at}` : `other ${at}`;
        const accountId = at % 3 === 0 ? 'acme' : 'self';
        await appendAudit(transaction, { accountId, at, actor: COMMAND_LINE }, 'key.created', subject);
      }
    });
    for (const accountId of [null, 'acme', 'self']) {
      const { items: all } = await readAudit(store, { accountId, find: '', limit: 100, cursor: null });
      for (const find of ['WANTED', 'other 1', 'nothing']) {
        const words = find.toLowerCase().split(' ');
        const expected = all.filter(({ subject }) => words.every((word) => subject.includes(word)));
        for (const linesAtOnce of [1, 3, 8, 23, 100]) {
          const paged: AuditEntry[] = [];
          for (let cursor: string | null = null; ;) {
            const page: Page<AuditEntry> = await readAudit(
              store,
              { accountId, find, limit: 2, cursor },
              linesAtOnce,
            );
            paged.push(...page.items);
            cursor = page.nextCursor;
            if (cursor === null) break;
          }
          assert.deepEqual(paged, expected, `${accountId} ${find} ${linesAtOnce}`);
        }
      }
    }
  });
}
