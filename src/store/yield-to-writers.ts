import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from './store.ts';

/**
 * SQLite's lock is not fair: if an import took it again at once, the commits of a server would wait for up to a second.
 * During a pause that is longer than their polling interval they get it. It adds a second to the import of a city.
 */
const GIVE_WAY_MS = 8;

/** Pauses between two transactions of an import, so that other processes can commit. */
export async function yieldToWriters(store: Pick<Store, 'engine'>): Promise<void> {
  if (store.engine === 'sqlite') await sleep(GIVE_WAY_MS);
}
