import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { keyStoreOf } from '../src/accounts/authenticate.ts';
import { BUILT_IN_PLANS } from '../src/accounts/plans.ts';
import { limitInStore } from '../src/accounts/rate-limit.ts';
import { createRunCharged } from '../src/accounts/credits.ts';
import { createKey } from '../src/accounts/manage-keys.ts';
import { usageOf } from '../src/accounts/usage.ts';
import { bindOperations } from '../src/api/bind-operations.ts';
import { buildServer } from '../src/api/build-server.ts';
import { createLog } from '../src/log.ts';
import type { OperationDeps } from '../src/operations/deps.ts';

/** The API over real operations, without a port, with a key that may do everything. */
export async function startTestApp(
  operations: OperationDeps,
): Promise<{ app: FastifyInstance; key: string }> {
  const { store, clock, metrics } = operations;
  const log = createLog('silent', new Writable({ write: (_chunk, _encoding, done) => done() }));
  const app = buildServer({
    config: { metricsToken: null, trustedProxies: [] },
    clock,
    log,
    metrics,
    randomBytes,
    keys: keyStoreOf(store),
    plans: BUILT_IN_PLANS,
    rateLimit: limitInStore(store),
    runCharged: createRunCharged({ ...operations, log }),
    usageOf: (accountId, plan, period) => usageOf(store, accountId, plan, period),
    readiness: async () => ({ isReady: true, checks: {} }),
    operations: bindOperations(operations),
  });
  const key = await createKey({ store, clock, randomBytes }, { name: 'test' });
  return { app, key: key.text };
}
