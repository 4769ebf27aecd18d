import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { readAudit, COMMAND_LINE, type Actor } from '../store/audit-log.ts';
import { addChallenge } from '../store/challenges.ts';
import { checkLedger, readUsage } from '../store/credit-ledger.ts';
import { deletedAccountRows } from '../store/delete-account.ts';
import { deleteAll } from '../store/delete-datasets.ts';
import { insertUpload, putPiece } from '../store/uploads.ts';
import { saveValuation } from '../store/saved-valuations.ts';
import { addSaleReview } from '../store/sale-reviews.ts';
import { ensureMarket } from '../store/datasets.ts';
import { dismissOpenAlerts, insertAlerts } from '../store/portfolio-alerts.ts';
import { insertPortfolio } from '../store/portfolios.ts';
import { insertShare } from '../store/report-shares.ts';
import type { Store } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import { findUserByName } from '../store/users.ts';
import { createValuationLog, writeValuationsTo } from '../store/valuation-log.ts';
import { testPeople } from '../../test/harness/accounts/people.ts';
import { testBatch, testPayer, testQueue } from '../../test/harness/jobs/jobs.ts';
import { engines, type TestEngine } from '../../test/harness/store/engines.ts';
import { testValuation } from '../../test/harness/store/rows.ts';
import { deleteAccount, deletePerson, readAccountContents } from './delete-account.ts';
import { createAccount, rejectUnknownPlans } from './manage-accounts.ts';
import { createKey } from './manage-keys.ts';
import { createUser, userNamed } from './manage-users.ts';
import { recordRejection } from './sign-in.ts';

const NOW = Date.UTC(2026, 5, 15, 12);
const PERSON = 'Ada.Lovelace@acme.example';

async function open(t: TestContext, engine: TestEngine) {
  const state = { now: NOW };
  const clock = () => new Date(state.now);
  const store = await engine.open({ clock });
  t.after(() => store.close());
  const people = testPeople(store, clock);
  await createAccount(people, COMMAND_LINE, { accountId: 'acme', name: 'Acme, Inc.', plan: 'standard' });
  const account = { accountId: 'acme', password: 'correct horse battery staple 7' };
  await createUser(people, COMMAND_LINE, { ...account, name: PERSON, role: 'administrator' });
  await createUser(people, COMMAND_LINE, { ...account, name: 'bob', role: 'member' });
  const user = await userNamed(people, PERSON);
  const actor: Actor = { kind: 'user', id: user.userId, name: user.name };
  return { store, people, user, actor, passMs: (ms: number): void => void (state.now += ms) };
}

/** Everything that a person leaves behind in an account. */
async function leaveTraces(store: Store, actor: Actor, accountId: string): Promise<void> {
  const by = { accountId, actor };
  const log = createValuationLog(writeValuationsTo(store));
  for (const valuationId of ['original', 'plain']) {
    const charge = {
      accountId,
      requestId: valuationId,
      keyId: `user:${actor.id}`,
      operation: 'avm:property',
    };
    const amount = { period: '2026-06' as const, credits: 30, createdAt: NOW };
    await log.append({ ...testValuation(valuationId), accountId }, { ...charge, ...amount });
  }
  await log.close();
  const changed = { ...testValuation('changed'), accountId };
  const challenge = { valuationId: 'changed', originalId: 'original', accountId, createdAt: NOW, note: null };
  await addChallenge(
    store,
    by,
    { ...challenge, originalUsd: 1, changedUsd: 2, address: null },
    changed,
    null,
  );
  const saved = {
    name: '1 Elm St',
    tags: [],
    note: '',
    address: '1 Elm St',
    asOfDate: '2026-06-15',
    valueUsd: 1,
  };
  const savedRow = { ...saved, valuationId: 'plain', accountId, kind: 'property', savedAt: NOW } as const;
  await saveValuation(store, { ...by, at: NOW }, { ...savedRow, savedBy: actor.name });
  const upload = {
    uploadId: 'file',
    accountId,
    userId: actor.id ?? '',
    name: 'a.csv',
    byteCount: 3,
    createdAt: NOW,
  };
  const rest = {
    keptUntil: NOW * 2,
    sheet: null,
    submission: null,
    cancelledAt: null,
    purpose: 'batch',
  } as const;
  await insertUpload(store, { ...upload, ...rest });
  await putPiece(store, 'file', 0, new Uint8Array(3));
  const portfolioId = 'loans';
  const counts = {
    homeCount: 0,
    nextHomeNo: 0,
    runCount: 0,
    alertCount: 0,
    dismissedCount: 0,
    lastDismissedAt: null,
  };
  const portfolio = { portfolioId, accountId, name: 'Loans', rules: '{}', basis: '{}', createdAt: NOW };
  await inTransaction(store, async (transaction) => {
    await insertPortfolio(transaction, { ...portfolio, ...counts, createdBy: actor.name });
    const alert = { kind: 'value_changed', detail: '{}' } as const;
    await insertAlerts(store, transaction, { accountId, portfolioId, runNo: 0 }, [alert]);
    const dismissal = { dismissedAt: NOW, dismissedBy: actor.name };
    await dismissOpenAlerts(transaction, portfolioId, { alertNos: [1] }, dismissal);
  });
  const share = { shareId: 's', accountId, valuationId: 'plain', version: 'owner', createdAt: NOW } as const;
  const ends = { expiresAt: NOW * 2, revokedAt: null, opened: 0, lastOpenedAt: null };
  await inTransaction(store, (transaction) => insertShare(transaction, { ...share, ...ends }, 'secret'));
}

/** Every table in which a text occurs. */
async function tablesWith(store: Store, text: string): Promise<string[]> {
  const tables = [
    'accounts',
    'users',
    'audit_log',
    'challenges',
    'saved_valuations',
    'sale_reviews',
    'portfolios',
    'portfolio_alerts',
  ] as const;
  const found: string[] = [];
  for (const table of tables) {
    const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(store.db);
    if (JSON.stringify(rows).toLowerCase().includes(text.toLowerCase())) found.push(table);
  }
  return found;
}

const auditOf = async (store: Store, find: string) =>
  (await readAudit(store, { accountId: null, find, limit: 100, cursor: null })).items;

for (const engine of engines) {
  test(`${engine.name}: a deleted person is nowhere by name, and what they did is still listed under one pseudonym`, async (t) => {
    const { store, people, user, actor } = await open(t, engine);
    await leaveTraces(store, actor, 'acme');
    await recordRejection(people, user, '203.0.113.7');
    await ensureMarket(store, 'm');
    const review = { recordId: 'r', isUsed: true, fromDay: 1, reason: 'seen' };
    await addSaleReview(store, { accountId: 'self', actor }, 'm', review);
    assert.deepEqual(await tablesWith(store, PERSON), [
      'users',
      'audit_log',
      'challenges',
      'saved_valuations',
      'sale_reviews',
      'portfolios',
      'portfolio_alerts',
    ]);

    await deletePerson(people, COMMAND_LINE, user);
    assert.deepEqual(await tablesWith(store, PERSON), []);
    assert.deepEqual(await tablesWith(store, '203.0.113.7'), [], 'the address of a sign-in is a trace, too');
    const pseudonym = `deleted user ${user.userId.slice(-8)}`;
    const entries = await auditOf(store, pseudonym);
    assert.deepEqual(entries.map(({ action }) => action).sort(), [
      'sale.reviewed',
      'sign_in.refused',
      'user.created',
      'user.deleted',
      'user.disabled',
      'valuation.challenged',
      'valuation.saved',
    ]);
    assert.deepEqual(await auditOf(store, PERSON), []);
    assert.equal((await auditOf(store, 'bob')).length, 1, 'others stay');
    assert.equal(await findUserByName(store.db, PERSON), null);
    assert.deepEqual(await store.db.selectFrom('upload_pieces').select('uploadId').execute(), []);
    await createUser(people, COMMAND_LINE, {
      accountId: 'acme',
      name: PERSON,
      role: 'member',
      password: 'another long passphrase 42',
    });
  });

  test(`${engine.name}: a deleted account leaves only its ledger, its usage and entries without names`, async (t) => {
    const { store, people, actor, passMs } = await open(t, engine);
    await leaveTraces(store, actor, 'acme');
    const key = await createKey(people, actor, { name: 'nightly run of Ada', accountId: 'acme' });
    const queue = testQueue(store);
    await queue.batches.submit(testPayer('acme'), testBatch(12));
    const claimed = await queue.claim();
    const usage = await readUsage(store, 'acme', '2026-06');
    assert.deepEqual(await readAccountContents(store, 'acme'), { users: 2, keys: 1, valuations: 3, jobs: 1 });

    await deleteAccount(store, COMMAND_LINE, 'acme');
    for (const text of [PERSON, 'bob', 'Acme, Inc.', '1 Elm St', 'nightly run', 'Loans', 'value_changed']) {
      assert.deepEqual(await tablesWith(store, text), [], text);
    }
    await assert.rejects(readAccountContents(store, 'acme'), { code: 'not_found' });
    assert.deepEqual(await readUsage(store, 'acme', '2026-06'), usage);
    assert.deepEqual((await checkLedger(store)).differences, []);
    await rejectUnknownPlans({ store, plans: new Map([['unlimited', testPayer().plan]]) });
    const again = { accountId: 'acme', name: 'Another', plan: 'standard' };
    await assert.rejects(createAccount(people, COMMAND_LINE, again), { code: 'conflict' });
    assert.deepEqual(
      (await auditOf(store, 'account.deleted')).map(({ subject }) => subject),
      ['acme'],
    );
    assert.equal((await store.db.selectFrom('api_keys').select('keyId').execute()).length, 0, key.text);

    // A worker that was valuing its items ends them without a trace; a valuation that was running is deleted later.
    assert.ok(claimed);
    assert.deepEqual(await queue.end(claimed), { written: 0, lost: 10, isJobDone: false });
    await createValuationLog(writeValuationsTo(store)).append({
      ...testValuation('late'),
      accountId: 'acme',
    });
    passMs(600_000);
    await deleteAll(store, deletedAccountRows(store), 5);
    const rest = await sql<{ n: number }>`select count(*) as n from valuations`.execute(store.db);
    assert.equal(rest.rows[0].n, 0);
    const { erasedAt } = await store.db
      .selectFrom('accounts')
      .select('erasedAt')
      .where('accountId', '=', 'acme')
      .executeTakeFirstOrThrow();
    assert.notEqual(erasedAt, null);
  });

  test(`${engine.name}: the account of the installation cannot be deleted`, async (t) => {
    const { store } = await open(t, engine);
    await assert.rejects(deleteAccount(store, COMMAND_LINE, 'self'), { code: 'conflict' });
  });
}
