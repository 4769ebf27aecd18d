import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import { sendError } from '../problems.ts';
import { openConsoleFiles } from './console-files.ts';
import { codingFor, consolePolicy, serveConsole } from './serve-console.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-console-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A build of two files, with secret files outside its folder of assets. */
function writeBuild(): URL {
  const dist = join(folder, 'dist');
  mkdirSync(join(dist, 'assets'), { recursive: true });
  for (const [name, text] of [
    ['index.html', '<!doctype html><title>page</title>'],
    ['assets/main-abc123.js', 'export {};'],
  ] as const) {
    for (const coding of ['', '.gz', '.br']) writeFileSync(join(dist, name + coding), text + coding);
  }
  writeFileSync(join(dist, 'secret.js'), 'secret');
  writeFileSync(join(folder, 'secret.js'), 'secret');
  return pathToFileURL(`${dist}/`);
}

function serve(dist: URL, mapTilesUrl: string | null = null): FastifyInstance {
  const app = Fastify({ exposeHeadRoutes: false });
  app.setErrorHandler(sendError);
  serveConsole(app, { mapTilesUrl, files: openConsoleFiles(dist) });
  return app;
}

const app = serve(writeBuild());

test('every address of the console gets the same page, with its security policy', async () => {
  for (const url of ['/console', '/console/', '/console/keys', '/console/batches/0198-x?tab=items']) {
    const answer = await app.inject({ url });
    assert.equal(answer.statusCode, 200, url);
    assert.match(answer.body, /<title>page/);
    assert.equal(
      answer.headers['content-security-policy'],
      "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; " +
        "worker-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    const head = await app.inject({ url, method: 'HEAD' });
    assert.deepEqual([head.statusCode, head.body], [200, '']);
  }
});

test('the policy allows the operator’s map tiles, and nothing else from their server', () => {
  const policy = consolePolicy('https://tiles.example:8443/{z}/{x}/{y}.png');
  assert.match(policy, /img-src 'self' data: https:\/\/tiles\.example:8443;/);
  assert.match(policy, /connect-src 'self' https:\/\/tiles\.example:8443;/);
  assert.equal(policy.split('tiles.example').length, 3);
});

test('assets are cached permanently, in the smallest encoding that the browser accepts', async () => {
  const url = '/console/assets/main-abc123.js';
  for (const [accepted, coding, body] of [
    ['gzip, deflate, br, zstd', 'br', 'export {};.br'],
    ['gzip;q=1.0, br;q=0', 'gzip', 'export {};.gz'],
    ['identity', undefined, 'export {};'],
  ] as const) {
    const answer = await app.inject({ url, headers: { 'accept-encoding': accepted } });
    assert.equal(answer.headers['content-encoding'], coding);
    assert.equal(answer.body, body);
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(answer.headers.vary, 'accept-encoding');
    const again = await app.inject({ url, headers: { 'if-none-match': String(answer.headers.etag) } });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
  }
  assert.equal(codingFor(undefined), 'identity');
});

test('no path leads out of the folder of assets, and an unknown path gets a 404', async () => {
  for (const name of [
    '../secret.js',
    '..%2fsecret.js',
    '..%2f..%2fsecret.js',
    '%2e%2e%2fsecret.js',
    '..%5csecret.js',
    'x/../../secret.js',
    'main-abc123.js%00.js',
    'main-abc123.js.br',
    'nothing-here.js',
    '',
  ]) {
    const { statusCode, body } = await app.inject({ url: `/console/assets/${name}` });
    assert.doesNotMatch(body, /secret$/, name);
    // What a client resolves by itself before it asks is another address of the console.
    assert.ok(statusCode === 404 || /<title>page/.test(body), `${name}: ${statusCode}`);
  }
  const api = await app.inject({ url: '/console/api/nothing' });
  assert.deepEqual([api.statusCode, api.json().code], [404, 'not_found']);
});

test('other methods are rejected with the allowed methods', async () => {
  for (const url of ['/console', '/console/keys', '/console/assets/main-abc123.js']) {
    for (const method of ['POST', 'QUERY'] as const) {
      const answer = await app.inject({ url, method });
      assert.equal(answer.statusCode, 405);
      assert.equal(answer.headers.allow, 'GET, HEAD');
    }
  }
});

test('without a build the console explains how to build it, and works after the build', async () => {
  const dist = new URL('later/', pathToFileURL(`${folder}/`));
  const bare = serve(dist);
  const before = await bare.inject({ url: '/console/keys' });
  assert.equal(before.statusCode, 503);
  assert.match(before.body, /npm run console/);
  assert.match(String(before.headers['content-security-policy']), /script-src 'self'/);
  assert.doesNotMatch(before.body, /<script|<style|style=|\son\w+=/);
  mkdirSync(dist);
  for (const coding of ['', '.gz', '.br']) writeFileSync(new URL(`index.html${coding}`, dist), 'built');
  assert.equal((await bare.inject({ url: '/console/keys' })).body, 'built');
});
