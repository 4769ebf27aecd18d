import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

/** One side of a comparison: a checkout's program, driven through its command line and HTTP only. */
export interface Checkout {
  /** Paths in the checkout, such as of mapping files. */
  readonly pathOf: (path: string) => string;
  readonly run: (args: readonly string[], input?: string) => Promise<CommandEnd>;
  readonly start: (args: readonly string[], environment?: Readonly<Record<string, string>>) => ChildProcess;
  readonly dataDir: string;
}

interface CommandEnd {
  readonly exitCode: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Every recording takes place on this day, whatever the real date: first it loads, later it serves. */
export const LOADING_TIME = '2026-11-22T12:00:00Z';
export const SERVING_TIME = '2026-11-22T15:00:00Z';

/** @param files folder that commands run in, so that reports name files by the same relative paths on both sides */
export function openCheckout(
  folder: string,
  { files, dataDir, time }: { files: string; dataDir: string; time: string },
): Checkout {
  mkdirSync(dataDir, { recursive: true });
  const clock = join(import.meta.dirname, 'fixed-clock.mjs');
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '/',
    TZ: 'UTC',
    NODE_OPTIONS: `--import=${clock}`,
    RECORDING_NOW: time,
    RECORDING_STARTED_MS: String(Date.now()),
    PLUMBLINE_DATA: dataDir,
    PLUMBLINE_THREADS: '2',
    LOG_LEVEL: 'error',
  };
  const start: Checkout['start'] = (args, extra = {}) =>
    spawn(resolve(folder, 'node_modules/.bin/node'), [resolve(folder, 'src/main.ts'), ...args], {
      cwd: files,
      env: { ...environment, ...extra },
    });
  return {
    pathOf: (path) => resolve(folder, path),
    start,
    run: (args, input = '') => endOf(start(args), input),
    dataDir,
  };
}

function endOf(child: ChildProcess, input: string): Promise<CommandEnd> {
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  child.stdin?.end(input);
  return new Promise((ended, failed) => {
    child.on('error', failed);
    child.on('close', (exitCode) => ended({ exitCode, output, errors }));
  });
}
