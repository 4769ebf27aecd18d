import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

test('plumbline fetch census downloads and imports, and a second run downloads and changes nothing', async (t) => {
  let calls = 0;
  const server = createServer((request, response) => {
    calls++;
    const variables = (new URL(request.url ?? '', 'http://api').searchParams.get('get') ?? '').split(',');
    const figures = variables.map((name) => (name === 'NAME' ? 'King County, Washington' : '106326'));
    response.end(
      JSON.stringify([
        [...variables, 'state', 'county'],
        [...figures, '53', '033'],
      ]),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-fetch-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const env = {
    ...process.env,
    DATABASE_URL: '',
    PLUMBLINE_DATA: dataDir,
    CENSUS_API_URL: `http://127.0.0.1:${address.port}/`,
    CENSUS_API_KEY: 'opensesame',
  };
  const command =
    'fetch census --state 53 --county 033 --level county --year 2023 --market wa-king --tables B19013,b25077';
  const plumbline = (more: object = {}) =>
    run(process.execPath, ['src/main.ts', ...command.split(' ')], { env: { ...env, ...more } });

  await assert.rejects(plumbline(), /may not be called.*CENSUS_API_ALLOW_CIDRS/);
  assert.equal(calls, 0);
  const allowed = { CENSUS_API_ALLOW_CIDRS: '127.0.0.0/8' };
  const first = await plumbline(allowed);
  assert.match(
    first.stdout,
    /Market wa-king now has 2 census tables of areas \(2 from these files, 0 kept\)/,
  );
  assert.equal(calls, 2);
  const again = await plumbline(allowed);
  assert.match(again.stdout, /Nothing new: market wa-king keeps its 2 census tables of areas/);
  assert.equal(calls, 2);
  assert.doesNotMatch(first.stdout + first.stderr + again.stdout + again.stderr, /opensesame/);
});
