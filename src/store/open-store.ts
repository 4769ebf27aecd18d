import { existsSync } from 'node:fs';
import { systemClock, type Clock } from '../clock.ts';
import { usageError } from '../errors.ts';
import { migrate } from './migrate.ts';
import type { QueryLimits } from './postgres-engine.ts';
import { openSqlite, sqlitePath, type SqliteTuning } from './sqlite-engine.ts';
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
  const limits: QueryLimits = {};
  const store = await openEngine(settings, limits);
  try {
    await migrate(store);
    limits.queryTimeoutMs = settings.queryTimeoutMs;
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens a database as it is: with its present schema, and without creating one. */
export async function openExisting(settings: StoreSettings): Promise<Store> {
  const path = sqlitePath(settings.dataDir);
  if (settings.databaseUrl !== null || existsSync(path)) return openEngine(settings, {});
  throw usageError(
    `There is no database ${path}. Name its folder in PLUMBLINE_DATA, or its server in DATABASE_URL.`,
  );
}

async function openEngine(settings: StoreSettings, limits: Readonly<QueryLimits>): Promise<Store> {
  const { databaseUrl, dataDir, sqlite, clock = systemClock } = settings;
  const engine =
    databaseUrl === null
      ? await openSqlite(dataDir, sqlite)
      : await (await import('./postgres-engine.ts')).openPostgres(databaseUrl, limits);
  return { ...engine, clock };
}
