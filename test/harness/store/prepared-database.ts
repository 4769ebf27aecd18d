import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreSettings } from '../../../src/store/open-store.ts';

/** A database that many tests begin with: filled once in a run of the tests on each engine, and copied for each of them. */
export interface PreparedDatabase {
  readonly name: string;
  /** What it is filled upon; empty if left out. */
  readonly basis?: PreparedDatabase;
  /** Opens it and closes it again. */
  readonly fill: (settings: Pick<StoreSettings, 'databaseUrl' | 'dataDir'>) => Promise<void>;
}

/**
 * Environment of test processes: the folder where one run (test/run.ts) keeps its prepared databases, those of its own
 * PostgreSQL by name. Without it every test fills its own.
 */
export const PREPARED = 'PLUMBLINE_TEST_PREPARED';

const LOOK_EVERY_MS = 50;

/** Runs the work in one of the run's processes. The others wait, and try for themselves where it failed. */
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

/** False where it is there already: making a folder is the claim that only one process gets. */
function tryMakeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
