import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, matchesGlob, relative } from 'node:path';
import process from 'node:process';
import { PLACE } from '../../src/load/sample-county/plan.ts';
import { shownIn } from '../doc-snippets.ts';
import { startServe, type ServeOptions } from '../faults/serve-process.ts';

export const ROOT = join(import.meta.dirname, '../..');
/** Generating and training the sample county takes a minute on two cores. */
export const START_MS = 600_000;

/** Runs a program and returns its output. Its errors are shown. */
export function run(program: string, args: readonly string[], folder: string, dataDir = ''): string {
  const env = { ...process.env, PLUMBLINE_DATA: dataDir };
  return execFileSync(program, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Runs the example of the installation page that contains `text`, with some of it replaced, and returns its output. */
export function runExample(
  text: string,
  folder: string,
  replaced: Readonly<Record<string, string>> = {},
): string {
  const shown = shownIn(join(ROOT, 'docs/operations/install.md')).find(({ code }) => code.includes(text));
  assert.equal(shown?.language, 'sh', `the page has no example with ${text}`);
  const code = Object.entries(replaced).reduce((all, [from, to]) => all.replaceAll(from, to), shown.code);
  return run('sh', ['-euc', code], folder);
}

/**
 * Runs a server of an installation while `use` uses it, which must then stop in order. `plumbline demo` first generates the
 * sample county in an empty data folder.
 */
export async function withInstalled(
  options: ServeOptions & { readonly dataDir: string },
  use: (url: string) => Promise<void>,
): Promise<void> {
  const settings = { dataDir: options.dataDir, databaseUrl: null };
  const { url, child, ended } = await startServe({ settings }, { ...options, startMs: START_MS });
  try {
    await use(url);
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
  } finally {
    child.kill('SIGKILL');
  }
}

/** Copies the files of this checkout that are in a container's build context. */
export function copyContext(folder: string): void {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');
  const isIgnored = (path: string): boolean => ignored.some((pattern) => matchesGlob(path, pattern));
  cpSync(ROOT, folder, { recursive: true, filter: (source) => !isIgnored(relative(ROOT, source)) });
}

/** How often a busy server is asked again. */
const ATTEMPTS = 5;

/** A response with status 200. A busy machine may take longer than the server waits. */
async function read(url: string, init: RequestInit = {}): Promise<Response> {
  let response = await fetch(url, init);
  for (let attempt = 1; response.status >= 503 && attempt < ATTEMPTS; attempt += 1) {
    await response.text();
    response = await fetch(url, init);
  }
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}

/** Checks that a server finds its documentation, its schemas and its console in the installation. */
export async function checkPages(url: string, { hasConsole }: { hasConsole: boolean }): Promise<void> {
  await read(`${url}/readyz`);
  await read(`${url}/docs/start-operator`);
  await read(`${url}/v1/openapi.json`);
  const page = await fetch(`${url}/console`);
  const [, asset] = /src="(\/console\/assets\/[^"]+)"/.exec(await page.text()) ?? [];
  assert.equal(asset !== undefined, hasConsole, `the console is ${hasConsole ? 'missing' : 'there'}`);
  if (asset) await read(`${url}${asset}`);
}

/** Checks that a server of the sample county finds its threads, and the fonts of a report. */
export async function checkValue(url: string, key: string): Promise<void> {
  const headers = { 'x-api-key': key };
  const home = `latitude=${PLACE.originLat}&longitude=${PLACE.originLon}&total_bedrooms=3&total_bathrooms=2`;
  const { valuation } = JSON.parse(await (await read(`${url}/v1/avm/property?${home}`, { headers })).text());
  const report = `${url}/v1/valuations/${valuation.valuation_id}/report?format=pdf`;
  assert.match(await (await read(report, { headers })).text(), /^%PDF-/);
}
