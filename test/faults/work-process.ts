import assert from 'node:assert/strict';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '../harness/store/engines.ts';
import { MAIN, spawnProgram } from './spawn-program.ts';

const ALONE = fileURLToPath(new URL('job-worker.ts', import.meta.url));

/** The whole program with a worker thread, or the worker alone, which starts in half the time. */
export type WorkProgram = 'plumbline work' | 'work alone';

/** A process that works on batches. */
interface WorkProcess {
  readonly processId: number;
  readonly kill: () => Promise<void>;
  /** Sends SIGTERM and returns the exit code. */
  readonly stop: () => Promise<number | NodeJS.Signals>;
}

/** Starts a worker on a database with leases of one second. Resolves when it works. */
export async function startWork(
  database: Pick<TestDatabase, 'settings'>,
  program: WorkProgram,
): Promise<WorkProcess> {
  const started = program === 'work alone' ? [ALONE, JSON.stringify(database.settings)] : [MAIN, 'work'];
  const working = Promise.withResolvers<void>();
  const { child, ended } = spawnProgram(
    database,
    [process.execPath, ...started],
    { JOB_THREADS: '1', JOB_LEASE_SECONDS: '1' },
    (line) => {
      if (line.msg === 'working') working.resolve();
    },
  );
  void ended.then((how) =>
    working.reject(new Error(`plumbline work exited with ${how} before it started work`)),
  );
  await working.promise;
  assert.ok(child.pid !== undefined);
  return {
    processId: child.pid,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
