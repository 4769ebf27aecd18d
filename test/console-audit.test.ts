import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import { createAccount, setName, setPlan } from '../src/accounts/manage-accounts.ts';
import { createKey, revokeKey, rotateKey } from '../src/accounts/manage-keys.ts';
import { disableUser, enableUser, setPassword, setRole, userNamed } from '../src/accounts/manage-users.ts';
import { CONSOLE_ROUTES } from '../src/api/console/console-routes.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import { cancelJob } from '../src/store/job-results.ts';
import { putBlob } from '../src/store/blobs.ts';
import { saveModel } from '../src/store/models.ts';
import type { Store } from '../src/store/store.ts';
import { rotateSecret } from '../src/webhooks/secrets.ts';
import { TEST_BOX } from './harness/accounts/secret-box.ts';
import { importFlaggedSales, LOT } from './flagged-sales.ts';
import { onConsole, openBrowser, PASSWORD, type TestBrowser, type TestConsole } from './console-fixture.ts';

/** These POST routes only compute or read. A failing batch is not an action of a user either. */
const CHANGE_NOTHING = [
  'valueProperty',
  'valueRental',
  'valueMultifamily',
  'replayValuation',
  'readCensusData',
  'readCensusByGeoid',
  'readCrimeData',
  'readFireRisk',
  'readFloodZone',
  'readComprehensive',
  'readMarketIndex',
  'readValueHistory',
  'listMarketAreas',
  'propertyMissingDetails',
  'describeHome',
  'previewChallenge',
  'splitValueChanges',
];

/** They need a model: test/challenges.test.ts checks their lines. */
const CHALLENGES = ['challengeValuation', 'decideChallenge'];

/**
 * Files are a user's working data. Their batches are what is logged: see test/console-uploads.test.ts for `send`,
 * `retry-failed` and `cancel`.
 */
const UPLOADS = [
  'createUpload',
  'putUploadPiece',
  'readUpload',
  'deleteUpload',
  'checkRerun',
  'listHomesNotInUpload',
  'checkUpload',
  'submitUpload',
  'sendUpload',
  'retryUpload',
  'rerunUpload',
  'cancelUpload',
];
/** What a form of the user starts with. */
const OWN_FORM = ['setReportPreparer'];
/** Tested with their jobs: console-imports.test.ts, console-sweeps.test.ts. */
const JOBS = ['inspectImport', 'loadImport', 'submitSweep', 'cancelSweep'];
/** Their lines of the audit log are in the tests of what they do, such as reports.test.ts and console-second-factor.test.ts. */
const BACKTEST = 'markets/town/backtests/property';
const YEAR = { from: '2025-01-01', to: '2025-12-31' };
const ELSEWHERE = [
  'addToPortfolio',
  'addUploadToPortfolio',
  'changeBalances',
  'changePortfolio',
  'createPortfolio',
  'deleteMarket',
  'deletePortfolio',
  'removeFromPortfolio',
  'dismissAlerts',
  'reopenAlerts',
  'revaluePortfolio',
  'useBalancesOfUpload',
  'watchUpload',
  'startSecondFactor',
  'confirmSecondFactor',
  'removeSecondFactor',
  'replaceRecoveryCodes',
  'resetSecondFactor',
  'completeSignIn',
  'startProviderSignIn',
  'unlinkIdentity',
  'createShare',
  'revokeShare',
  'saveValuation',
  'removeSavedValuation',
];

interface Change {
  readonly operationId: string;
  readonly path: string;
  readonly body?: unknown;
  readonly action: string;
  readonly subject: string;
}

const LOGO = PNG.sync.write(new PNG({ width: 1, height: 1 }));
const NEW_PASSWORD = 'a second one, and longer';
const BATCH = {
  properties: [{ location: { address: '1 Main St' }, property_fields: { beds: 3, baths: 2 } }],
};

/** One change of each kind, in an order that works. The ids come from earlier responses. */
async function changesOf(
  console: TestConsole,
  browser: TestBrowser,
): Promise<readonly (() => Promise<Change>)[]> {
  const post = async (operationId: string, path: string, body: unknown, action: string, subject?: string) => {
    const answer = await browser.ask('POST', path, body);
    assert.ok(answer.status < 300, `${operationId}: ${answer.status} ${answer.text}`);
    secretsOf(answer.body);
    ids.set(operationId, answer.body);
    const { id, job_id: jobId, delivery_id: deliveryId, endpoint_id: endpointId } = answer.body;
    const created = id ?? jobId ?? deliveryId ?? endpointId;
    return { operationId, path, body, action, subject: subject ?? String(created) };
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies as a client sees them
  const ids = new Map<string, Record<string, any>>();
  const secretsOf = ({ key, secret, csrf_token: token }: Record<string, unknown>): void => {
    for (const text of [key, secret, token]) if (typeof text === 'string') secrets.push(text);
  };
  const of = (operationId: string, member: string): string => String(ids.get(operationId)?.[member]);
  const bob = 'bob@example.org';
  const ofBatch = (submitted: string, change: string) => `avm/batch/${of(submitted, 'job_id')}/${change}`;
  const cancelOf = (operationId: string) => `markets/town/history/${of(operationId, 'id')}/cancel`;
  const ofBob = (change: string): string => `users/${of('createUser', 'id')}/${change}`;
  const other = openBrowser(console);
  await other.signIn('ada');
  const { sessions } = (await other.ask('GET', 'sessions')).body;
  const session = sessions.find(({ is_current: isCurrent }: { is_current: boolean }) => isCurrent).id;
  const key = { name: 'k', environment: 'test', scopes: ['avm:*'], expires_at: '2026-12-31' };
  const endJob = async (jobId: string): Promise<void> => {
    await cancelJob(
      console.store,
      { accountId: 'self', actor: COMMAND_LINE },
      jobId,
      console.people.clock().getTime(),
    );
  };
  return [
    () => post('revokeSession', `sessions/${session}/revoke`, undefined, 'session.revoked', 'ada'),
    () => post('createKey', 'keys', key, 'key.created'),
    () => post('rotateKey', `keys/${of('createKey', 'id')}/rotate`, { overlap_days: 1 }, 'key.rotated'),
    () => post('revokeKey', `keys/${of('createKey', 'id')}/revoke`, undefined, 'key.revoked'),
    () => post('createUser', 'users', { name: bob, role: 'member', password: PASSWORD }, 'user.created', bob),
    () => post('setUserRole', ofBob('role'), { role: 'administrator' }, 'user.role_set', bob),
    () => post('setUserPassword', ofBob('password'), { password: NEW_PASSWORD }, 'user.password_set', bob),
    () => post('disableUser', ofBob('disable'), undefined, 'user.disabled', bob),
    () => post('enableUser', ofBob('enable'), undefined, 'user.enabled', bob),
    () => post('createAccount', 'accounts', { id: 'acme', name: 'Acme', plan: 'free' }, 'account.created'),
    () =>
      post('setAccountLimits', 'accounts/acme/limits', { per_day: 9, reason: 'Trial' }, 'account.limits_set'),
    () => post('setAccountPlan', 'accounts/acme/plan', { plan: 'standard' }, 'account.plan_set'),
    () => post('setLogo', 'account/logo/set', LOGO, 'account.logo_set', 'self'),
    () => post('removeLogo', 'account/logo/remove', undefined, 'account.logo_set', 'self'),
    () => post('rotateWebhookSecret', 'webhooks/secret/rotate', undefined, 'webhook.secret_rotated', 'self'),
    () =>
      post('testWebhook', 'webhooks/test', { notify_url: 'https://203.0.114.9/hook' }, 'webhook.test_sent'),
    () =>
      post(
        'createWebhookEndpoint',
        'webhooks/endpoints',
        { url: 'https://203.0.114.9/hook', events: ['challenge.decided'] },
        'webhook.endpoint_added',
      ),
    () =>
      post(
        'removeWebhookEndpoint',
        `webhooks/endpoints/${of('createWebhookEndpoint', 'endpoint_id')}/remove`,
        undefined,
        'webhook.endpoint_removed',
        of('createWebhookEndpoint', 'endpoint_id'),
      ),
    async () => {
      const id = of('testWebhook', 'delivery_id');
      await console.store.db.updateTable('deliveries').set({ state: 'failed' }).execute();
      return post('redeliver', `webhooks/deliveries/${id}/redeliver`, undefined, 'webhook.redelivered');
    },
    async () => {
      await importFlaggedSales(console.store, 'town');
      const review = { record_id: LOT, is_used: true, reason: 'A finished shell' };
      return post('reviewSale', 'markets/town/sale-reviews', review, 'sale.reviewed', `town/${LOT}`);
    },
    async () => {
      await saveTwoModels(console.store, 'town');
      const body = { reason: 'Too high in the north' };
      return post('rollBackModels', 'markets/town/roll-back', body, 'model.rolled_back', 'newer');
    },
    () => post('activateModel', 'models/newer/activate', undefined, 'model.activated', 'newer'),
    () => post('requestTraining', 'markets/town/train', {}, 'market.training_requested', 'town'),
    () => post('requestBacktest', BACKTEST, YEAR, 'market.backtest_requested', 'town'),
    () => post('cancelMarketJob', cancelOf('requestBacktest'), undefined, 'job.cancelled'),
    () => post('submitPropertyBatch', 'avm/batch/property', BATCH, 'batch.submitted'),
    () => post('submitRentalBatch', 'avm/batch/rental', RENTAL_BATCH, 'batch.submitted'),
    () => post('submitMultifamilyBatch', 'avm/batch/multifamily', MULTIFAMILY_BATCH, 'batch.submitted'),
    () => post('cancelJob', ofBatch('submitPropertyBatch', 'cancel'), undefined, 'batch.cancelled'),
    async () => {
      await endJob(of('submitRentalBatch', 'job_id'));
      return post('retryFailed', ofBatch('submitRentalBatch', 'retry-failed'), undefined, 'batch.retried');
    },
    () =>
      post(
        'changePassword',
        'password',
        { current_password: PASSWORD, new_password: NEW_PASSWORD },
        'user.password_set',
        'ada',
      ),
    () => post('signOut', 'sign-out', undefined, 'sign_out', 'ada'),
    async () => {
      assert.equal((await browser.signIn('ada', NEW_PASSWORD)).status, 200);
      return { operationId: 'signIn', path: 'sign-in', action: 'sign_in', subject: 'ada' };
    },
  ];
}

/** Two models of one market, the second of which can be rolled back. Their bytes are never read. */
async function saveTwoModels(store: Store, marketId: string): Promise<void> {
  const sha256 = await putBlob(store, Buffer.from('bytes'));
  const bytes = {
    sha256,
    snapshotSha256: sha256,
    datasetIds: [],
    accuracy: [],
    features: null,
    createdAt: 0,
  };
  const model = { marketId, kind: 'property', ...bytes } as const;
  await saveModel(store, { ...model, modelId: 'older', trainedOn: 20_000 });
  await saveModel(store, { ...model, modelId: 'newer', trainedOn: 20_031 });
}

const RENTAL_BATCH = {
  properties: [
    { location: { address: '1 Main St' }, property_fields: { units: [{ bedrooms: 3, bathrooms: 2 }] } },
  ],
};

const MULTIFAMILY_BATCH = {
  properties: [
    { location: { address: '1 Main St' }, property_fields: { total_units: 8, bedrooms: 8, bathrooms: 8 } },
  ],
};

/** All secrets that the tests in this file created. */
const secrets: string[] = [];

onConsole('every change adds one line that names who made it and contains no secret', async (console) => {
  const { store } = console;
  const adaId = await console.addUser('ada', 'administrator');
  const browser = openBrowser(console);
  await browser.signIn('ada');
  const linesAfter = async (id: string) =>
    store.db.selectFrom('audit_log').selectAll().where('auditId', '>', id).orderBy('auditId').execute();
  const made = new Set<string>();
  for (const change of await changesOf(console, browser)) {
    secrets.push(browser.cookie().split('=')[1], browser.device().split('=')[1], browser.token());
    // Ids created in the same millisecond have no order.
    console.passMs(1000);
    const before = (await linesAfter('')).at(-1)?.auditId ?? '';
    const { operationId, action, subject } = await change();
    made.add(operationId);
    const lines = (await linesAfter(before)).filter(({ actorKind: kind }) => kind === 'user');
    assert.deepEqual(
      lines.map((line) => [line.action, line.subject, line.actorId, line.actorName]),
      [[action, subject, adaId, 'ada']],
      operationId,
    );
  }
  const changing = CONSOLE_ROUTES.filter(({ method }) => method !== 'GET').map(
    ({ operationId }) => operationId,
  );
  assert.deepEqual(
    changing.filter(
      (operationId) =>
        !made.has(operationId) &&
        ![...CHANGE_NOTHING, ...CHALLENGES, ...UPLOADS, ...JOBS, ...OWN_FORM, ...ELSEWHERE].includes(
          operationId,
        ),
    ),
    [],
    'add new routes that change something to this test',
  );
  const audit = (await browser.ask('GET', 'audit?limit=200')).text;
  const stored = JSON.stringify([
    await linesAfter(''),
    await store.db.selectFrom('users').selectAll().execute(),
    await store.db.selectFrom('sessions').selectAll().execute(),
    await store.db.selectFrom('devices').selectAll().execute(),
  ]);
  for (const secret of [...secrets, PASSWORD, NEW_PASSWORD]) {
    if (secret === '') continue;
    for (const [where, text] of [
      ['audit', audit],
      ['log', console.logLines.join('\n')],
      ['database', stored],
    ]) {
      assert.equal(text.includes(secret), false, `${secret.slice(0, 6)}… in the ${where}`);
    }
  }
});

onConsole('changes from the command line are logged as such, in the same transaction', async (console) => {
  const { people, store } = console;
  const secretDeps = { ...people, box: TEST_BOX };
  await console.addUser('bob', 'member');
  const bob = await userNamed(people, 'BOB');
  const { keyId } = await createKey(people, COMMAND_LINE, { name: 'k' });
  const rotated = await rotateKey(people, COMMAND_LINE, keyId, 0);
  await revokeKey(people, COMMAND_LINE, rotated.keyId);
  await createAccount(people, COMMAND_LINE, { accountId: 'acme', name: 'Acme', plan: 'free' });
  await setPlan(people, COMMAND_LINE, 'acme', 'standard');
  await setName(people, COMMAND_LINE, 'acme', 'Acme Lending');
  await rotateSecret(secretDeps, COMMAND_LINE, 'acme');
  await setRole(people, COMMAND_LINE, bob, 'administrator');
  await disableUser(people, COMMAND_LINE, bob);
  await enableUser(people, COMMAND_LINE, bob);
  await setPassword(people, COMMAND_LINE, bob, NEW_PASSWORD);
  const lines = async () => {
    const rows = await store.db.selectFrom('audit_log').selectAll().execute();
    return rows.map((row) => `${row.action} ${row.accountId} ${row.actorName}`).sort();
  };
  const before = await lines();
  assert.deepEqual(
    before,
    [
      'account.created acme',
      'account.name_set acme',
      'account.plan_set acme',
      'key.created self',
      // The key that every test console is created with.
      'key.created self',
      'key.revoked self',
      'key.rotated self',
      'user.created self',
      'user.disabled self',
      'user.enabled self',
      'user.password_set self',
      'user.role_set self',
      'webhook.secret_rotated acme',
    ].map((line) => `${line} command line`),
  );
  await assert.rejects(createAccount(people, COMMAND_LINE, { accountId: 'acme', name: 'A', plan: 'free' }), {
    code: 'conflict',
  });
  await assert.rejects(revokeKey(people, COMMAND_LINE, rotated.keyId), { code: 'conflict' });
  await assert.rejects(setRole(people, COMMAND_LINE, bob, 'administrator'), { code: 'conflict' });
  await assert.rejects(setPlan(people, COMMAND_LINE, 'nobody', 'free'), { code: 'not_found' });
  await assert.rejects(setName(people, COMMAND_LINE, 'nobody', 'N'), { code: 'not_found' });
  await assert.rejects(console.addUser('BOB', 'member'), { code: 'conflict' });
  assert.deepEqual(await lines(), before, 'rejected changes leave no log line');
});

onConsole('sign-in attempts are logged with their address, but unknown names are not', async (console) => {
  await console.addAccount('acme');
  await console.addUser('ada', 'administrator');
  await console.addUser('eve', 'administrator', 'acme');
  const typed = 'my password in the wrong field';
  await openBrowser(console).signIn('eve', 'wrong wrong wrong', { address: '203.0.113.1' });
  await openBrowser(console).signIn(typed, 'wrong wrong wrong', { address: '203.0.113.2' });
  const [ada, eve] = [openBrowser(console), openBrowser(console)];
  await ada.signIn('ada');
  await eve.signIn('eve');
  const all = await ada.ask('GET', 'audit');
  const refused = all.body.entries.filter(({ action }: { action: string }) => action === 'sign_in.refused');
  assert.deepEqual(
    refused
      .map(
        ({
          account_id: account,
          subject,
          detail,
        }: {
          account_id: string;
          subject: string;
          detail: { address: string };
        }) => [account, subject, detail.address],
      )
      .sort(),
    [
      ['acme', 'eve', '203.0.113.1'],
      ['self', 'unknown user', '203.0.113.2'],
    ],
  );
  assert.equal((all.text + console.logLines.join()).includes(typed), false);
  const own = (await eve.ask('GET', 'audit')).body.entries;
  assert.deepEqual(
    [...new Set(own.map(({ account_id: account }: { account_id: string }) => account))],
    ['acme'],
  );
});
