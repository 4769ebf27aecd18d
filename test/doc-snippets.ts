import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** A code snippet in a document. */
export interface ShownCode {
  readonly path: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

/** The fenced code blocks of a document, in order. */
export function shownIn(path: string): ShownCode[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((found) => ({
    path,
    line: text.slice(0, found.index).split('\n').length,
    language: found[1],
    code: found[2],
  }));
}

/** The environment variables that a reader sets before trying the examples. */
interface ReaderSettings {
  readonly PLUMBLINE: string;
  readonly PLUMBLINE_KEY: string;
}

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
const CLIENT = new URL('../client/src/index.ts', import.meta.url).href;

/** Runs a snippet in its own process and returns its output. Fails with the process's error output. */
export async function runShown(shown: ShownCode, settings: ReaderSettings): Promise<string> {
  const [program, ...before] = PROGRAMS[shown.language] ?? [];
  if (program === undefined) throw new Error(`no program runs ${shown.language}`);
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-shown-'));
  try {
    const file = join(folder, `shown.${shown.language}`);
    writeFileSync(file, shown.code.replaceAll("'plumbline-client'", `'${CLIENT}'`));
    const env = { ...process.env, ...settings };
    const { stdout } = await run(program, [...before, file], { env, timeout: TIMEOUT_MS, cwd: folder });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** curl exits with 0 on an error response. The test must fail instead. */
const CURL = 'curl() { command curl -sS --fail-with-body "$@"; }; set -eo pipefail; . "$0"';

const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  sh: ['bash', '-c', CURL],
  python: ['python3'],
};

/**
 * Runs a TypeScript snippet in this process, which has loaded the client already, and returns its output.
 */
export async function runShownTypeScript({ code }: ShownCode, settings: ReaderSettings): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-shown-'));
  const printed: string[] = [];
  const { log } = console;
  const earlier = Object.fromEntries(Object.keys(settings).map((name) => [name, process.env[name]]));
  try {
    const file = join(folder, 'shown.ts');
    writeFileSync(file, code.replaceAll("'plumbline-client'", `'${CLIENT}'`));
    Object.assign(process.env, settings);
    console.log = (...values: unknown[]) => void printed.push(values.map(String).join(' '));
    await import(pathToFileURL(file).href);
    return printed.join('\n');
  } finally {
    console.log = log;
    for (const [name, value] of Object.entries(earlier)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true });
  }
}
