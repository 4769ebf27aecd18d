import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import { createApiKey } from '../accounts/api-key.ts';
import type { KeyStore } from '../accounts/authenticate.ts';
import { rejectUnknownPlans } from '../accounts/manage-accounts.ts';
import { buildServer } from '../api/build-server.ts';
import type { Config } from '../config.ts';
import { PlumblineError } from '../errors.ts';
import { createBatches } from '../jobs/batches.ts';
import { resultsKeptMsOf } from '../jobs/retention.ts';
import { createLog, type Log } from '../log.ts';
import { createMcpServer, type CallApi } from '../mcp/create-mcp-server.ts';
import { DEFAULT_ACCOUNT_ID, findAccount } from '../store/accounts.ts';
import type { Store } from '../store/store.ts';
import { composeWebhooks } from './compose.ts';
import { composeOperations, openGeocoder } from './compose-operations.ts';
import { composeSecrets } from './compose-people.ts';
import { SERVING_LIMITS, withStore } from './configured-store.ts';
import { apiDeps } from './compose-api.ts';
import { VERSION } from '../version.ts';
import { readAssumptions, readPlans } from './read-files.ts';
import { throwIfFailed, untilStopped } from './stop-cause.ts';

export function registerMcp(program: Command): void {
  program.command('mcp').action(() => withStore(serveMcp, SERVING_LIMITS));
}

/** Serves until the client disconnects or a signal arrives. Only protocol messages go to standard output. */
async function serveMcp(store: Store, config: Config): Promise<void> {
  const log = createLog(config.logLevel, process.stderr);
  const geocoder = openGeocoder(config, (trouble) => log.warn({ trouble }, 'geocoder'));
  const onTrouble = (trouble: string): void => log.error({ trouble }, 'model');
  const operations = composeOperations(store, geocoder, readAssumptions(config), onTrouble);
  const plans = readPlans(config);
  await rejectUnknownPlans({ store, plans });
  const { keys, key } = await keyOfThisProcess(store);
  const { webhooks } = composeWebhooks(operations, composeSecrets(store, config), config, log);
  const app = buildServer({
    ...apiDeps(operations, plans, config, log, { isDraining: false }),
    keys,
    webhooks,
    batches: createBatches({
      ...operations,
      resultsKeptMs: resultsKeptMsOf(config),
      wake: () => {},
      wakeDeliverySender: () => {},
    }),
    overload: { rejection: () => null, count: () => {} },
  });
  try {
    await speak(app, key, log);
  } finally {
    await app.close();
    await operations.valuationLog.close();
  }
}

async function speak(app: FastifyInstance, key: string, log: Log): Promise<void> {
  const { server, idle } = createMcpServer(callWith(app, key), VERSION);
  const onerror = (error: Error): void => log.warn({ err: error }, 'a message that violates the protocol');
  const hungUp = new Promise<void>((onclose) => Object.assign(server, { onclose, onerror }));
  const ended = once(process.stdin, 'end');
  const stopped = untilStopped(log);
  await server.connect(new StdioServerTransport());
  log.info('an MCP server on standard input and output');
  const cause = await Promise.race([stopped, hungUp, ended]);
  // Answers requests that were read before the end. A request starts one event-loop turn after it is read,
  // and its response leaves one turn after it is created.
  await nextTurn();
  await idle();
  await nextTurn();
  await server.close();
  process.stdin.destroy();
  if (cause && 'reason' in cause) throwIfFailed(cause);
}

/**
 * A key of the built-in account that exists only in this process. It passes the same authorization as API
 * keys. Usage and logs name it "mcp".
 */
async function keyOfThisProcess(store: Store): Promise<{ readonly keys: KeyStore; readonly key: string }> {
  const account = await findAccount(store, DEFAULT_ACCOUNT_ID);
  if (!account)
    throw new PlumblineError(
      'usage',
      'The database has no account "self". Was it created by another program?',
    );
  const created = createApiKey(randomBytes, 'live');
  const record = {
    keyId: 'mcp',
    accountId: account.accountId,
    plan: account.plan,
    limits: account.limits,
    name: 'mcp',
    environment: 'live',
    scopes: ['*'],
    secretSha256: created.sha256,
    lastCharacters: created.last4,
    createdAt: 0,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  } as const;
  const keys: KeyStore = {
    find: async (keyId) => (keyId === created.keyId ? record : null),
    recordUse: async () => {},
  };
  return { keys, key: created.text };
}

function callWith(app: FastifyInstance, key: string): CallApi {
  return async ({ method, path, body }) => {
    const { statusCode, body: text } = await app.inject({
      method,
      url: path,
      headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { payload: JSON.stringify(body) } : {}),
    });
    return { status: statusCode, text };
  };
}
