import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendAudit, COMMAND_LINE, listAudit } from './audit-log.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { inTransaction } from './transaction.ts';

for (const engine of engines) {
  test(`${engine.name}: looked through in steps of whatever length, the log has the same lines, page by page`, async (t) => {
    const store = await engine.open();
    t.after(() => store.close());
    await inTransaction(store, async (transaction) => {
      for (let at = 0; at < 23; at++) {
        const subject = at % 5 === 0 || at === 7 ? `wanted ${at}` : `other ${at}`;
        const accountId = at % 3 === 0 ? 'acme' : 'self';
        const of = { accountId, at, actor: COMMAND_LINE, subject, detail: {} } as const;
        await appendAudit(transaction, { ...of, action: 'key.created' });
      }
    });
    for (const accountId of [null, 'acme', 'self']) {
      const all = await listAudit(store, { accountId, find: '', beforeId: null, limit: 100 });
      for (const find of ['WANTED', 'other 1', 'nothing']) {
        const words = find.toLowerCase().split(' ');
        const expected = all.filter(({ subject }) => words.every((word) => subject.includes(word)));
        for (const linesAtOnce of [1, 3, 8, 23, 100]) {
          const paged: typeof all = [];
          for (let beforeId: string | null = null; ;) {
            const page = await listAudit(store, { accountId, find, beforeId, limit: 2 }, linesAtOnce);
            paged.push(...page);
            if (page.length < 2) break;
            beforeId = page[1].auditId;
          }
          assert.deepEqual(paged, expected, `${accountId} ${find} ${linesAtOnce}`);
        }
      }
    }
  });
}
