import { randomBytes } from 'node:crypto';
import { keyStoreOf } from '../accounts/authenticate.ts';
import { createFailureLimit } from '../accounts/failure-limit.ts';
import { createRunCharged } from '../accounts/credits.ts';
import { createIdentityProvider } from '../accounts/identity-provider.ts';
import { createPasswords } from '../accounts/passwords.ts';
import { createSecretBox, readBoxKey } from '../accounts/secret-box.ts';
import type { Plans } from '../accounts/plans.ts';
import { limitInMemory, limitInStore } from '../accounts/rate-limit.ts';
import { PROVIDER_CALLBACK_PATH } from '../api/console/sign-in/provider-sign-in.ts';
import type { ApiDeps, Readiness } from '../api/route.ts';
import { monotonicClock } from '../clock.ts';
import { createLargeReads } from '../api/send-text.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { openMapTiles } from '../operations/map/map-tiles.ts';
import { isMigrated, listMigrations } from '../store/migrate.ts';

/** The dependencies of the API, whether the process listens on a port or not. */
export function apiDeps(
  operations: OperationDeps,
  plans: Plans,
  config: Config,
  log: Log,
  state: { readonly isDraining: boolean },
): Omit<ApiDeps, 'webhooks' | 'batches' | 'overload'> {
  const migrations = listMigrations();
  return {
    config,
    log,
    randomBytes,
    clock: operations.clock,
    monotonicClock,
    largeReads: createLargeReads(),
    shareLimits: {
      misses: createFailureLimit(monotonicClock),
      openings: createFailureLimit(monotonicClock),
    },
    metrics: operations.metrics,
    plans,
    keys: keyStoreOf(operations.store),
    // Only one process uses a SQLite store, so counters can be in memory. Processes share those in PostgreSQL.
    rateLimit: operations.store.engine === 'sqlite' ? limitInMemory() : limitInStore(operations.store),
    runCharged: createRunCharged({ ...operations, log }),
    people: {
      ...operations,
      randomBytes,
      plans,
      passwords: createPasswords(randomBytes),
      secretBox: () => createSecretBox(readBoxKey(config, randomBytes), randomBytes),
    },
    identityProvider: config.oidc && createIdentityProvider(config.oidc, PROVIDER_CALLBACK_PATH, operations),
    readiness: () => readinessOf(operations, migrations, state),
    operations,
    mapTiles: openMapTiles(operations.places),
    basemap: null,
    objectStore: null,
  };
}

async function readinessOf(
  operations: OperationDeps,
  migrations: readonly string[],
  state: { readonly isDraining: boolean },
): Promise<Readiness> {
  if (state.isDraining) return { isReady: false, checks: { process: 'stopping' } };
  try {
    if (!(await isMigrated(operations.store, migrations))) {
      return { isReady: false, checks: { database: 'ok', schema: 'too old: restart this process' } };
    }
    const trained = (await operations.markets.list()).filter((entry) => entry.models.length > 0).length;
    const markets = trained === 0 ? 'none trained yet' : `${trained} trained`;
    return { isReady: true, checks: { database: 'ok', schema: 'current', markets } };
  } catch {
    return { isReady: false, checks: { database: 'not reachable' } };
  }
}
