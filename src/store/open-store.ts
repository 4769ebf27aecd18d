import { systemClock, type Clock } from '../clock.ts';
import { migrate } from './migrate.ts';
import { openPostgres, type QueryLimits } from './postgres-engine.ts';
import { openSqlite, type SqliteTuning } from './sqlite-engine.ts';
import type { Store } from './store.ts';

export interface StoreSettings {
  /** `postgres://…`, or null for the embedded database. */
  readonly databaseUrl: string | null;
  /** Folder of the embedded database. */
  readonly dataDir: string;
  readonly clock?: Clock;
  /**
   * PostgreSQL: the time after which a statement and its connection are given up (a vanished host is otherwise noticed after
   * 15 minutes), and after which the server ends an idle transaction. Not used for migrations, imports and trainings.
   */
  readonly queryTimeoutMs?: number;
  /** Not used by PostgreSQL. */
  readonly sqlite?: SqliteTuning;
}

/** Opens the database and brings its schema up to date. Throws `usage` or `unavailable` with a sentence. */
export async function openStore(settings: StoreSettings): Promise<Store> {
  const { databaseUrl, dataDir, sqlite, queryTimeoutMs, clock = systemClock } = settings;
  const limits: QueryLimits = {};
  const engine =
    databaseUrl === null ? await openSqlite(dataDir, sqlite) : await openPostgres(databaseUrl, limits);
  const store: Store = { ...engine, clock };
  try {
    await migrate(store);
    limits.queryTimeoutMs = queryTimeoutMs;
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
