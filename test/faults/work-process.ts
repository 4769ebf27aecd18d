import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '../harness/store/engines.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const ALONE = fileURLToPath(new URL('job-worker.ts', import.meta.url));

/** The whole program with a worker thread, or the worker alone, which starts in half the time. */
export type WorkProgram = 'plumbline work' | 'work alone';

/** A process that works on batches. */
export interface WorkProcess {
  readonly kill: () => Promise<void>;
  /** Sends SIGTERM and returns the exit code. */
  readonly stop: () => Promise<number | NodeJS.Signals>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Starts a worker on a database with leases of one second. Resolves when it works. */
export async function startWork(
  { settings }: Pick<TestDatabase, 'settings'>,
  program: WorkProgram,
): Promise<WorkProcess> {
  const started = program === 'work alone' ? [ALONE, JSON.stringify(settings)] : [MAIN, 'work'];
  const child = spawn(process.execPath, started, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PLUMBLINE_DATA: settings.dataDir,
      DATABASE_URL: settings.databaseUrl ?? '',
      JOB_THREADS: '1',
      JOB_LEASE_SECONDS: '1',
      LOG_LEVEL: 'info',
    },
  });
  running.add(child);
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve(signal ?? code ?? 1);
    });
  });
  await new Promise<void>((resolve, reject) => {
    void ended.then((how) => reject(new Error(`plumbline work exited with ${how} before it started work`)));
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line: Readonly<Record<string, unknown>> = JSON.parse(text);
      if (line.msg === 'working') resolve();
    });
  });
  return {
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
