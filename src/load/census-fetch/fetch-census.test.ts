import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createOutbound } from '../../egress/outbound.ts';
import { PlumblineError } from '../../errors.ts';
import { fetchCensus, planCalls, type CensusRequest, type FetchDeps } from './fetch-census.ts';

const KEY = 'secret&key=1';
const REQUEST: CensusRequest = {
  year: 2023,
  level: 'tract',
  state: '53',
  county: '033',
  tables: ['B19013'],
};
const TRACTS = ['000100', '000200', '000300'];

type Answer = (response: ServerResponse, query: URLSearchParams) => void;

/** Responds as the API does: a row per tract. Each figure follows from its variable and tract. */
const rowsOf: Answer = (response, query) => {
  const variables = (query.get('get') ?? '').split(',');
  assert.ok(variables.length <= 50, `${variables.length} variables in one call`);
  const rows = TRACTS.map((tract) => [
    ...variables.map((name) =>
      name === 'NAME' ? `Tract ${tract}` : `${Number(name.slice(-4, -1))}${tract}`,
    ),
    '53',
    '033',
    tract,
  ]);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify([[...variables, 'state', 'county', 'tract'], ...rows]));
};

const status =
  (code: number, body = '', headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end(body);

interface TestApi {
  readonly deps: FetchDeps;
  readonly calls: URL[];
  readonly waits: number[];
  readonly close: () => void;
}

/** A server on loopback that gives the answers in turn, the last one for ever. */
async function startApi(answers: readonly Answer[]): Promise<TestApi> {
  const calls: URL[] = [];
  const waits: number[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const url = new URL(request.url ?? '', 'http://api');
    calls.push(url);
    answers[Math.min(calls.length, answers.length) - 1](response, url.searchParams);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-fetch-'));
  return {
    calls,
    waits,
    deps: {
      api: { url: `http://127.0.0.1:${address.port}`, key: KEY, allowCidrs: [] },
      outbound: createOutbound({ allowCidrs: ['127.0.0.0/8'], allowHttp: true }),
      clock: () => new Date('2026-01-31T12:00:00Z'),
      sleep: async (ms) => void waits.push(ms),
      dataDir,
    },
    close: () => {
      server.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

test('a table is requested by state and level, with the key, and stored as the importer reads it', async () => {
  const { deps, calls, close } = await startApi([rowsOf]);
  const { files, notOffered } = await fetchCensus(deps, REQUEST);
  assert.deepEqual([files.length, notOffered], [1, []]);
  assert.match(files[0], /ACSDT5Y2023\.B19013\.json$/);
  assert.equal(calls[0].pathname, '/data/2023/acs/acs5');
  assert.deepEqual(
    [...calls[0].searchParams],
    [
      ['get', 'NAME,B19013_001E,B19013_001M'],
      ['for', 'tract:*'],
      ['in', 'state:53'],
      ['in', 'county:033'],
      ['key', KEY],
    ],
  );
  const [header, first] = JSON.parse(readFileSync(files[0], 'utf8'));
  assert.deepEqual(header, ['NAME', 'B19013_001E', 'B19013_001M', 'state', 'county', 'tract']);
  assert.deepEqual(first, ['Tract 000100', '1000100', '1000100', '53', '033', '000100']);
  close();
});

test('tables of more than 49 variables come in portions that are joined by area', async () => {
  const { deps, calls, close } = await startApi([
    rowsOf,
    (response, query) => {
      TRACTS.reverse();
      rowsOf(response, query);
      TRACTS.reverse();
    },
  ]);
  const { files } = await fetchCensus(deps, { ...REQUEST, tables: ['B01001'] });
  assert.equal(calls.length, 2);
  const [header, ...rows]: string[][] = JSON.parse(readFileSync(files[0], 'utf8'));
  assert.equal(header.length, 1 + 98 + 3);
  for (const [i, row] of rows.entries()) {
    for (const [at, name] of header.entries()) {
      if (name.startsWith('B')) assert.equal(row[at], `${Number(name.slice(-4, -1))}${TRACTS[i]}`, name);
    }
  }
  close();
});

test('every built-in table is requested in calls of at most 50 variables, each variable once', () => {
  const calls = planCalls({ ...REQUEST, tables: null }).flatMap((table) => table.calls);
  const variables = calls.flatMap((call) => call.variables);
  assert.equal(new Set(variables).size, variables.length);
  for (const call of calls) assert.ok(call.variables.length <= 49);
  const blocks = planCalls({ ...REQUEST, level: 'block_group', county: null })[0].calls[0];
  assert.match(
    decodeURIComponent(blocks.target),
    /&for=block group:\*&in=state:53&in=county:\*&in=tract:\*$/,
  );
});

test('a fetched table is not fetched again, unless its file is damaged', async () => {
  const { deps, calls, close } = await startApi([rowsOf]);
  const request = { ...REQUEST, tables: ['B19013', 'B25064'] };
  const { files } = await fetchCensus(deps, request);
  await fetchCensus(deps, request);
  assert.equal(calls.length, 2);
  writeFileSync(files[1], '[["NAME"');
  await fetchCensus(deps, request);
  assert.equal(calls.length, 3);
  close();
});

test('a busy, failing or incomplete response is requested again, when the API says', async () => {
  const later = new Date(Date.parse('2026-01-31T12:00:30Z')).toUTCString();
  const { deps, waits, calls, close } = await startApi([
    status(429, 'slow down', { 'retry-after': '7' }),
    status(503, '<html>busy</html>', { 'retry-after': later }),
    (response) => response.end('[["NAME","B19013_001E","B19013_001M","state"],["Tract'),
    (response) => response.destroy(),
    rowsOf,
  ]);
  await fetchCensus(deps, REQUEST);
  assert.equal(calls.length, 5);
  assert.deepEqual(waits.slice(1), [7000, 30_000, 4000, 8000]);
  close();
});

test('if the API stays busy, or requests a long wait, the error message says to run the command later', async () => {
  for (const [answer, words, most] of [
    [status(500), /answers 500\. What was fetched before is kept/, 5],
    [status(200, '<html>maintenance</html>'), /answers with a web page/, 5],
    [status(429, '', { 'retry-after': '3600' }), /asks to wait 3600 s/, 1],
  ] as const) {
    const { deps, calls, close } = await startApi([answer]);
    await assert.rejects(
      fetchCensus(deps, REQUEST),
      (error) => error instanceof PlumblineError && error.code === 'unavailable' && words.test(error.message),
    );
    assert.equal(calls.length, most);
    close();
  }
});

test('a missing or wrong key is reported as such, and no error contains the key', async () => {
  const page =
    '<html><head><title>Missing Key</title></head><body>A valid <em>key</em> must be included</body></html>';
  for (const answer of [
    status(302, '', { location: 'https://api.census.gov/data/invalid_key.html' }),
    status(200, page),
  ]) {
    const { deps, calls, close } = await startApi([answer]);
    await assert.rejects(fetchCensus(deps, REQUEST), (error) => {
      assert.ok(error instanceof PlumblineError);
      assert.match(error.message, /wants a valid key.*CENSUS_API_KEY/);
      assert.doesNotMatch(JSON.stringify(error, Object.getOwnPropertyNames(error)), /secret/);
      return true;
    });
    assert.equal(calls.length, 1);
    close();
  }
});

test('tables that the API does not offer are named with its reason, the others are fetched', async () => {
  const { deps, close } = await startApi([
    status(400, "error: error: unknown variable 'B25064_001E'"),
    rowsOf,
  ]);
  const { files, notOffered } = await fetchCensus(deps, { ...REQUEST, tables: ['B25064', 'B19013'] });
  assert.equal(files.length, 1);
  assert.deepEqual(notOffered, [
    { tableId: 'B25064', reason: "error: error: unknown variable 'B25064_001E'" },
  ]);
  close();
  const nothing = await startApi([status(204)]);
  await assert.rejects(
    fetchCensus(nothing.deps, REQUEST),
    /offers none of these tables.*nothing for such areas/,
  );
  nothing.close();
});

test('requests that cannot be fetched, and addresses that may not be called, are rejected', async () => {
  const { deps, calls, close } = await startApi([rowsOf]);
  for (const [request, words] of [
    [{ state: 'WA' }, /--state is "WA"/],
    [{ county: '33' }, /--county is "33"/],
    [{ year: 2008 }, /begin with 2009/],
    [{ tables: ['B99999'] }, /"B99999" is not built in/],
  ] as const) {
    await assert.rejects(fetchCensus(deps, { ...REQUEST, ...request }), words);
  }
  const outbound = createOutbound({ allowCidrs: [], allowHttp: true });
  await assert.rejects(
    fetchCensus({ ...deps, outbound }, REQUEST),
    /may not be called.*CENSUS_API_ALLOW_CIDRS/,
  );
  assert.equal(calls.length, 0);
  close();
});
