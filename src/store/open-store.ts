import { systemClock, type Clock } from '../clock.ts';
import { migrate } from './migrate.ts';
import { openPostgres, type QueryLimits } from './postgres-engine.ts';
import { openSqlite } from './sqlite-engine.ts';
import type { Store } from './store.ts';

export interface StoreSettings {
  /** `postgres://…`, or null for the embedded database. */
  readonly databaseUrl: string | null;
  /** Folder of the embedded database. */
  readonly dataDir: string;
  readonly clock?: Clock;
  /**
   * PostgreSQL: after how long a statement counts as lost, and its connection with it: a host that vanished says nothing for a
   * quarter of an hour. In the same way the server counts a transaction as lost whose next statement never comes. Migrations take as long as they take. Absent where statements may be long: imports, trainings.
   */
  readonly queryTimeoutMs?: number;
  /** SQLite: pages of log after which a commit of this connection moves them into the file. */
  readonly checkpointPages?: number;
}

/** Opens the database and brings its schema up to date. Throws `usage` or `unavailable` with a sentence. */
export async function openStore(settings: StoreSettings): Promise<Store> {
  const { databaseUrl, dataDir, checkpointPages, queryTimeoutMs, clock = systemClock } = settings;
  const limits: QueryLimits = {};
  const engine =
    databaseUrl === null
      ? await openSqlite(dataDir, checkpointPages)
      : await openPostgres(databaseUrl, limits);
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
