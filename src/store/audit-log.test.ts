import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendAudit, COMMAND_LINE, readAudit, type AuditEntry } from './audit-log.ts';
import type { Page } from './pages.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { inTransaction } from './transaction.ts';

for (const engine of engines) {
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
