import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import type { TestDatabase } from '../harness/store/engines.ts';
import { MAIN, spawnProgram, type LogLine } from './spawn-program.ts';

/** Starting takes 2 s alone, and much longer when several start on a busy machine. */
const START_MS = 60_000;
/** How many log lines are kept, to show when something fails. */
const LINES_KEPT = 400;

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
  /** The Node that runs it, instead of the one that runs this. */
  readonly node?: string;
  /** What Node runs instead of `plumbline serve` of this checkout: a program and its arguments. */
  readonly program?: readonly string[];
  /** How long it may take until it listens. */
  readonly startMs?: number;
}

/** Starts a server on a database and a free port. Resolves when it listens. */
export async function startServe(
  database: Pick<TestDatabase, 'settings'>,
  {
    environment = {},
    nodeArguments = [],
    under = [],
    node = process.execPath,
    program = [MAIN, 'serve'],
    startMs = START_MS,
  }: ServeOptions = {},
): Promise<ServeProcess> {
  const troubles: LogLine[] = [];
  const latest: LogLine[] = [];
  const listening = Promise.withResolvers<string>();
  const { child, ended } = spawnProgram(
    database,
    [...under, node, ...nodeArguments, ...program],
    { PLUMBLINE_THREADS: '1', JOB_THREADS: '0', HOST: '127.0.0.1', PORT: '0', ...environment },
    (line) => {
      (Number(line.level) >= 40 ? troubles : latest).push(line);
      if (latest.length > LINES_KEPT) latest.shift();
      if (line.msg === 'listening') listening.resolve(String(line.url));
    },
  );
  const late = setTimeout(
    () => listening.reject(new Error('plumbline serve did not listen in time')),
    startMs,
  );
  void ended.then((how) =>
    listening.reject(new Error(`plumbline serve exited with ${how} before it listened`)),
  );
  const url = await listening.promise.finally(() => clearTimeout(late));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return { url, child, lines: () => [...troubles, ...latest], ended, hasEnded };
}
