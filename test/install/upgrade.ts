import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { REQUEST_EXAMPLES } from '../../src/api/examples/requests.ts';
import { PLACE } from '../../src/load/sample-county/plan.ts';
import { startServe, type ServeProcess } from '../faults/serve-process.ts';
import { engines, type TestDatabase } from '../harness/store/engines.ts';
import { ROOT, run, START_MS } from './installed.ts';

/** The commit that the changelog calls 0.2.0. */
const [, COMMIT] =
  /^## 0\.2\.0 \(commit (\w+)\)$/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
const HOMES = 30;
const SAVED = '/v1/saved-valuations';
const DEADLINE_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'plumbline-upgrade-'));
after(() => rmSync(folder, { recursive: true }));
const old = join(folder, '0.2.0');
const OLD_PROGRAM = join(old, 'bin/plumbline.js');
const PROGRAM = join(ROOT, 'bin/plumbline.js');

test('the changelog names the commit of 0.2.0, which installs from its own lock file', () => {
  assert.ok(COMMIT);
  mkdirSync(old);
  const archive = execFileSync('git', ['archive', COMMIT], { cwd: ROOT, maxBuffer: 1e9 });
  execFileSync('tar', ['x'], { cwd: old, input: archive });
  run('npm', ['ci', '--silent'], old);
});

for (const engine of engines) {
  test(`${engine.name}: an installation of 0.2.0 is upgraded by the first start; every response that it gave is the same and replays to the byte`, async () => {
    const database = await engine.createBare();
    try {
      const before = await withServer(database, [OLD_PROGRAM, 'demo'], async (url) => {
        const call = callerOf(url, createKey(database));
        return { call, read: await readAll(call, await fill(call)) };
      });
      const key = before.call.key;
      assert.match(doctor(database), /The schema is older than this program/);
      await withServer(database, [PROGRAM, 'serve'], async (url) => {
        const call = callerOf(url, key);
        let replays = 0;
        for (const [path, text] of before.read) {
          const now = await call(path);
          // A list of this program may say more about itself. What it lists is the same.
          if (path === SAVED) assert.deepEqual({ warnings: [], ...JSON.parse(text) }, JSON.parse(now));
          else assert.ok(now === text, `${path} differs`);
          const [, id] = /^\/v1\/valuations\/([^/]+)$/.exec(path) ?? [];
          if (!id) continue;
          assert.equal(JSON.parse(await call(`${path}/replay`, {})).agrees, true, path);
          replays += 1;
        }
        assert.equal(replays, HOMES + 3);
        // New work on the old models: a value, a batch and a report.
        const [valuation] = await fill(call);
        assert.match(await call(`${valuation}/report?format=pdf`), /^%PDF-/);
      });
      assert.doesNotMatch(doctor(database), /^error/m);
      await assert.rejects(
        withServer(database, [OLD_PROGRAM, 'serve'], () => Promise.resolve()),
        /exited with 1/,
        'the old program must not write to the new schema',
      );
    } finally {
      await database.drop();
    }
  });
}

/** Sends a request, checks that it succeeds, and returns the body. */
type Caller = ((path: string, body?: unknown) => Promise<string>) & { readonly key: string };

function callerOf(url: string, key: string): Caller {
  const call = async (path: string, body?: unknown): Promise<string> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const posted = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { headers, ...posted });
    const text = await response.text();
    assert.ok(response.ok, `${path}: ${response.status} ${text}`);
    return text;
  };
  return Object.assign(call, { key });
}

/** Values homes, units and a building, saves and challenges a value, and runs a batch. Returns the paths of what can be read again. */
async function fill(call: Caller): Promise<string[]> {
  const paths: string[] = [];
  for (let i = 0; i < HOMES; i++) {
    const { valuation } = JSON.parse(
      await call('/v1/avm/property', {
        location: {
          latitude: PLACE.originLat + (i % 6) * 0.002,
          longitude: PLACE.originLon + Math.floor(i / 6) * 0.002,
        },
        property_fields: { total_bedrooms: 2 + (i % 3), total_bathrooms: 1 + (i % 2) },
        search_params: { num_comps: [0, 5, 20][i % 3] },
      }),
    );
    paths.push(`/v1/valuations/${valuation.valuation_id}`);
  }
  const [first] = paths;
  for (const [path, body] of [
    ['/v1/avm/rental', REQUEST_EXAMPLES.RentalValuationRequest],
    ['/v1/avm/multifamily', REQUEST_EXAMPLES.MultifamilyValuationRequest],
    [`${first}/challenge`, { property_fields: { living_area: 1560 } }],
  ] as const) {
    const [, id] = /"valuation_id":"([^"]+)"/.exec(await call(path, body)) ?? [];
    paths.push(`/v1/valuations/${id}`);
  }
  await call(`${first}/saved`, REQUEST_EXAMPLES.SaveValuationRequest);
  paths.push(SAVED);
  const { job_id } = JSON.parse(
    await call('/v1/avm/batch/property', {
      properties: Array.from({ length: HOMES }, (_, i) => ({
        property_id: `home-${i}`,
        ...REQUEST_EXAMPLES.PropertyValuationRequest,
      })),
    }),
  );
  await ended(call, `/v1/avm/batch/${job_id}`);
  return [...paths, `/v1/avm/batch/${job_id}/results`];
}

async function readAll(call: Caller, paths: readonly string[]): Promise<Map<string, string>> {
  const read = new Map<string, string>();
  for (const path of paths) read.set(path, await call(path));
  return read;
}

async function ended(call: Caller, path: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const { status } = JSON.parse(await call(path));
    if (status === 'complete') return;
    assert.ok(Date.now() < deadline, `the batch is ${status}`);
    await sleep(200);
  }
}

/** Runs a server while `use` uses it, and then kills it. */
async function withServer<T>(
  database: TestDatabase,
  program: readonly string[],
  use: (url: string) => Promise<T>,
): Promise<T> {
  // At a lower level, the demo does not log that it listens.
  const environment = { LOG_LEVEL: 'debug', JOB_THREADS: '1' };
  const server: ServeProcess = await startServe(database, { program, environment, startMs: START_MS });
  try {
    return await use(server.url);
  } finally {
    server.child.kill('SIGKILL');
    await server.ended;
  }
}

function createKey({ settings }: TestDatabase): string {
  return execFileSync(process.execPath, [OLD_PROGRAM, 'keys', 'create', '--name', 'upgrade'], {
    env: { ...process.env, PLUMBLINE_DATA: settings.dataDir, DATABASE_URL: settings.databaseUrl ?? '' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

function doctor({ settings }: TestDatabase): string {
  return spawnSync(process.execPath, [PROGRAM, 'doctor'], {
    env: { ...process.env, PLUMBLINE_DATA: settings.dataDir, DATABASE_URL: settings.databaseUrl ?? '' },
    encoding: 'utf8',
  }).stdout;
}
