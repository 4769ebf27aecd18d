import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { bodyOf, EMPTY_REQUEST, type Kind } from './value-request.ts';
import { KEY_PLACEHOLDER, snippetsOf } from './snippets.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../../..');
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

/** With everything that a shell, a template or a literal could take for its own. */
const ADDRESS = `12 O'Brien's "Old" \\ $HOME \`id\` \${x} Straße, "a": 1`;
const BODIES = {
  home: bodyOf({
    ...EMPTY_REQUEST,
    where: { address: ADDRESS },
    fields: { total_bedrooms: 3, total_bathrooms: 1.5, has_pool: false },
  }),
  rent: bodyOf({
    ...EMPTY_REQUEST,
    kind: 'rent',
    where: { latitude: 42.1, longitude: -101.5 },
    date: '2026-01-31',
    units: [{ bedrooms: 1, bathrooms: 1, size: 700, is_furnished: true }],
  }),
  building: bodyOf({
    ...EMPTY_REQUEST,
    kind: 'building',
    where: { address: ADDRESS },
    fields: { total_units: 4, bedrooms: 8, bathrooms: 4 },
  }),
} as const satisfies Record<Kind, unknown>;
const KINDS = ['home', 'rent', 'building'] as const;
const PATHS = { home: '/v1/avm/property', rent: '/v1/avm/rental', building: '/v1/avm/multifamily' } as const;

const VALUED = Object.fromEntries(
  ['value', 'rent'].flatMap((name) => [
    [`estimated_${name}`, 2],
    [`estimated_${name}_low`, 1],
    [`estimated_${name}_high`, 3],
  ]),
);
const received: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: unknown }[] =
  [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    received.push({ url: request.url ?? '', headers: request.headers, body });
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ valuation: VALUED }));
  });
});
let baseUrl = '';
let folder = '';
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  baseUrl = `http://127.0.0.1:${address.port}`;
  folder = await mkdtemp(join(tmpdir(), 'plumbline-snippets-'));
});
after(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

function snippet(kind: Kind, name: string): string {
  const found = snippetsOf(kind, BODIES[kind], baseUrl).find((one) => one.name === name);
  assert.ok(found);
  return found.text;
}

function assertReceived(kind: Kind): void {
  const last = received.at(-1);
  assert.ok(last);
  assert.equal(last.url, PATHS[kind]);
  assert.equal(last.headers['x-api-key'], KEY_PLACEHOLDER);
  assert.deepEqual(last.body, BODIES[kind]);
}

test('the curl command sends the exact request, whatever characters the address contains', async () => {
  for (const kind of KINDS) {
    await run('bash', ['-c', snippet(kind, 'curl')]);
    assertReceived(kind);
  }
});

test(
  'the Python program sends the exact request',
  { skip: HAS_PYTHON ? false : 'there is no python3 here' },
  async () => {
    for (const kind of KINDS) {
      const file = join(folder, `${kind}.py`);
      await writeFile(file, snippet(kind, 'python'));
      // Only the standard library, without installed packages.
      const { stdout } = await run('python3', ['-I', '-S', file]);
      assertReceived(kind);
      assert.equal(stdout.trim(), '2 1 3');
    }
  },
);

test('the TypeScript program compiles with the client’s types', async () => {
  for (const kind of KINDS) await writeFile(join(folder, `${kind}.ts`), snippet(kind, 'typescript'));
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: true,
      typeRoots: [join(ROOT, 'node_modules/@types')],
      paths: { 'plumbline-client': [join(ROOT, 'client/src/index.ts')] },
    },
    include: ['*.ts'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(stdout, '');
});
