import { randomBytes } from 'node:crypto';
import { systemClock } from '../clock.ts';
import { readProcessConfig, type Config } from '../config.ts';
import { lockDataFolder } from '../store/data-folder.ts';
import { openStore, type StoreSettings } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { uuidV7 } from '../store/uuid-v7.ts';

/**
 * Query limit of long-running processes: three times the limit of a response. After that nobody waits for the
 * result, and others need the connection. Each thread has a connection with its own pages; the system keeps the file in
 * memory too.
 */
export const SERVING_LIMITS = { queryTimeoutMs: 30_000, sqlite: { pageCacheMb: 16 } } as const;

/** Opens the database that the settings name, runs the work, and always closes the database. */
export async function withStore<Result>(
  work: (store: Store, config: Config) => Promise<Result>,
  limits: Pick<StoreSettings, 'queryTimeoutMs' | 'sqlite'> = {},
): Promise<Result> {
  const config = readProcessConfig();
  const store = await openStore({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, ...limits });
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

/** Like `withStore`, while no other process serves the data folder: rejected at once if one does. */
export async function withServedStore(
  work: (store: Store, config: Config) => Promise<void>,
  limits: Pick<StoreSettings, 'queryTimeoutMs' | 'sqlite'> = {},
): Promise<void> {
  const { databaseUrl, dataDir } = readProcessConfig();
  const unlock = databaseUrl === null ? lockDataFolder(dataDir) : null;
  try {
    await withStore(work, limits);
  } finally {
    unlock?.();
  }
}

export function newId(): string {
  return uuidV7(systemClock().getTime(), randomBytes(10));
}
