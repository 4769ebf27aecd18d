import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '../harness/store/engines.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** Starting takes 2 s alone, and much longer when several start on a busy machine. */
const START_MS = 60_000;
/** How many log lines are kept, to show when something fails. */
const LINES_KEPT = 400;

/** A line of the server's log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** `plumbline serve` in its own process. */
export interface ServeProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** All warnings and errors, and the last of the other lines. */
  readonly lines: () => readonly LogLine[];
  /** The exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly hasEnded: () => boolean;
}

export interface ServeOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Arguments for Node before the program's: `--import …`. */
  readonly nodeArguments?: readonly string[];
  /**
   * A command that runs Node: `['sh', '-c', 'ulimit …; exec "$@"', 'sh']`. Without it, Node runs directly.
   */
  readonly under?: readonly string[];
}

const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Starts a server on a database and a free port. Resolves when it listens. */
export async function startServe(
  { settings }: Pick<TestDatabase, 'settings'>,
  { environment = {}, nodeArguments = [], under = [] }: ServeOptions = {},
): Promise<ServeProcess> {
  const [program, ...before] = [...under, process.execPath];
  const child = spawn(program, [...before, ...nodeArguments, MAIN, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PLUMBLINE_DATA: settings.dataDir,
      DATABASE_URL: settings.databaseUrl ?? '',
      PLUMBLINE_THREADS: '1',
      JOB_THREADS: '0',
      HOST: '127.0.0.1',
      PORT: '0',
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
  const troubles: LogLine[] = [];
  const latest: LogLine[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('plumbline serve did not listen in time')), START_MS);
    void ended.then((how) => reject(new Error(`plumbline serve exited with ${how} before it listened`)));
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line: LogLine = JSON.parse(text);
      (Number(line.level) >= 40 ? troubles : latest).push(line);
      if (latest.length > LINES_KEPT) latest.shift();
      if (line.msg !== 'listening') return;
      clearTimeout(late);
      resolve(String(line.url));
    });
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return { url, child, lines: () => [...troubles, ...latest], ended, hasEnded };
}
