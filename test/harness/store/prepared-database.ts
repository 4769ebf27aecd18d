import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreSettings } from '../../../src/store/open-store.ts';

/**
 * The starting contents of a database for many tests: filled once per test run on each engine, then copied
 * for each test.
 */
export interface PreparedDatabase {
  readonly name: string;
  /** The prepared database that it extends. Without it, `fill` starts from an empty one. */
  readonly basis?: PreparedDatabase;
  /** Must open and close the database itself. */
  readonly fill: (settings: Pick<StoreSettings, 'databaseUrl' | 'dataDir'>) => Promise<void>;
}

/**
 * Environment variable of test processes: the folder where one run (test/run.ts) keeps its prepared
 * databases, and the names of those on its own PostgreSQL. Without it, every test fills its own database.
 */
export const PREPARED = 'PLUMBLINE_TEST_PREPARED';

const LOOK_EVERY_MS = 50;

/** Runs the work in one process of the run. The others wait, and try it themselves if it failed. */
export async function onceInRun(folder: string, name: string, work: () => Promise<void>): Promise<void> {
  const claim = join(folder, `${name}.claim`);
  const done = join(claim, 'done');
  while (!existsSync(done)) {
    if (!tryMakeFolder(claim)) {
      await sleep(LOOK_EVERY_MS);
      continue;
    }
    try {
      await work();
      writeFileSync(done, '');
    } catch (error) {
      rmSync(claim, { recursive: true });
      throw error;
    }
  }
}

/**
 * Returns false if the folder exists. Creating a folder succeeds in one process only, so it serves as the
 * lock.
 */
function tryMakeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
