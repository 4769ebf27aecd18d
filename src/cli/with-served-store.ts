import { readProcessConfig, type Config } from '../config.ts';
import { lockDataFolder } from '../store/folder-lock.ts';
import type { StoreSettings } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { withStore } from './compose.ts';

/** Like `withStore`, for a command that serves: only one process may serve a data folder. */
export async function withServedStore(
  work: (store: Store, config: Config) => Promise<void>,
  limits: Pick<StoreSettings, 'queryTimeoutMs'> = {},
): Promise<void> {
  const { databaseUrl, dataDir } = readProcessConfig();
  const unlock = databaseUrl === null ? lockDataFolder(dataDir) : null;
  try {
    await withStore(work, limits);
  } finally {
    unlock?.();
  }
}
