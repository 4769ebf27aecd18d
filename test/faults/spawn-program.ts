import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '../harness/store/engines.ts';

export const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A line of the program's log. */
export type LogLine = Readonly<Record<string, unknown>>;

interface SpawnedProgram {
  readonly child: ChildProcess;
  /** The exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * Runs a command with Node on a test database, and passes on each line that it logs. The process is killed when the
 * tests end.
 */
export function spawnProgram(
  { settings }: Pick<TestDatabase, 'settings'>,
  [program, ...words]: readonly string[],
  environment: Readonly<Record<string, string>>,
  onLine: (line: LogLine) => void,
): SpawnedProgram {
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PLUMBLINE_DATA: settings.dataDir,
      DATABASE_URL: settings.databaseUrl ?? '',
      LOG_LEVEL: 'info',
      ...environment,
    },
  });
  running.add(child);
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve(signal ?? code ?? 1);
    });
  });
  createInterface({ input: child.stdout }).on('line', (text) => onLine(JSON.parse(text)));
  return { child, ended };
}
