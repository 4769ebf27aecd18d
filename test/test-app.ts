import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { keyStoreOf } from '../src/accounts/authenticate.ts';
import { BUILT_IN_PLANS } from '../src/accounts/plans.ts';
import { limitInStore } from '../src/accounts/rate-limit.ts';
import { createRunCharged } from '../src/accounts/credits.ts';
import { createKey } from '../src/accounts/manage-keys.ts';
import { createPasswords, type Passwords } from '../src/accounts/passwords.ts';
import { buildServer } from '../src/api/build-server.ts';
import type { ApiDeps } from '../src/api/route.ts';
import { createLargeReads } from '../src/api/send-text.ts';
import { composeWebhooks } from '../src/cli/compose.ts';
import { composeSecrets } from '../src/cli/compose-people.ts';
import { createLog, type Log } from '../src/log.ts';
import type { OperationDeps } from '../src/operations/deps.ts';
import { openMapTiles } from '../src/operations/map/map-tiles.ts';
import { createBatches } from '../src/jobs/batches.ts';
import { createBatchLoop, type BatchLoop } from '../src/jobs/batch-loop.ts';
import type { DeliverySender } from '../src/webhooks/deliver.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import { NO_SHARE_LIMITS, RESULTS_KEPT_MS, TEST_CONFIG, TEST_RETENTION } from './app-config.ts';
import { QUICK_SCRYPT } from './harness/accounts/people.ts';

const WEBHOOK_KEY = Buffer.alloc(32, 7).toString('base64');

/**
 * The API over real operations, without a port, with a key that has all scopes. Batches are processed when
 * `batchLoop` is asked to be idle, and webhooks are sent when `deliverySender` is.
 */
export async function startTestApp(
  operations: OperationDeps,
  {
    callbackAllowCidrs = [],
    passwords = createPasswords(randomBytes, QUICK_SCRYPT),
    log = createLog('silent', new Writable({ write: (_chunk, _encoding, done) => done() })),
    publicUrl = null,
    basemap = null,
    objectStore = null,
    identityProvider = null,
    shareLimits = NO_SHARE_LIMITS,
  }: {
    readonly publicUrl?: string | null;
    readonly basemap?: ApiDeps['basemap'];
    readonly objectStore?: ApiDeps['objectStore'];
    readonly identityProvider?: ApiDeps['identityProvider'];
    readonly shareLimits?: ApiDeps['shareLimits'];
    readonly callbackAllowCidrs?: readonly string[];
    readonly passwords?: Passwords;
    readonly log?: Log;
  } = {},
): Promise<{ app: FastifyInstance; key: string; batchLoop: BatchLoop; deliverySender: DeliverySender }> {
  const { store, clock, metrics } = operations;
  const secrets = composeSecrets(store, { webhookKey: WEBHOOK_KEY, dataDir: '.' }, clock);
  const { webhooks, deliverySender } = composeWebhooks(
    operations,
    secrets,
    { callbackAllowCidrs, retention: TEST_RETENTION },
    log,
  );
  const events = { onItem: () => {}, onBusy: () => {}, onLost: () => {}, onJobDone: () => {} };
  const batchLoop = createBatchLoop({ ...operations, operations, log, leaseMs: 60_000, events });
  const app = buildServer({
    config: { ...TEST_CONFIG, publicUrl },
    clock,
    monotonicClock: () => clock().getTime(),
    log,
    metrics,
    randomBytes,
    keys: keyStoreOf(store),
    plans: BUILT_IN_PLANS,
    rateLimit: limitInStore(store),
    runCharged: createRunCharged({ ...operations, log }),
    people: {
      store,
      clock,
      randomBytes,
      plans: BUILT_IN_PLANS,
      passwords,
      secretBox: () => secrets.box,
    },
    readiness: async () => ({ isReady: true, checks: {} }),
    overload: { rejection: () => null, count: () => {} },
    largeReads: createLargeReads(),
    shareLimits,
    operations,
    mapTiles: openMapTiles(operations.places),
    basemap,
    objectStore,
    identityProvider,
    webhooks,
    batches: createBatches({
      ...operations,
      resultsKeptMs: RESULTS_KEPT_MS,
      wake: () => {},
      wakeDeliverySender: () => {},
    }),
  });
  const key = await createKey({ store, clock, randomBytes }, COMMAND_LINE, { name: 'test' });
  return { app, key: key.text, batchLoop, deliverySender };
}
