import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { createTestApi, type TestApi } from './api-fixture.ts';

/** Sends raw bytes on a new connection and reads until the server hangs up, or the deadline. */
function exchange(port: number, request: string, deadlineMs = 3000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let text = '';
    const timer = setTimeout(() => socket.destroy(), deadlineMs);
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

async function listening(run: (api: TestApi, port: number) => Promise<void>): Promise<void> {
  const api = createTestApi();
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const address = api.app.addresses()[0];
  assert.ok(typeof address === 'object');
  try {
    await run(api, address.port);
  } finally {
    await api.app.close();
  }
}

test('bytes that are not the HTTP we read are answered and hung up, and others go on being served', async () => {
  await listening(async (api, port) => {
    const post = `POST /v1/avm/property HTTP/1.1\r\nHost: x\r\nX-API-Key: ${api.key}\r\nContent-Type: application/json\r\n`;
    const body = '{"location":{"address":"1 Main St"},"property_fields":{"beds":3,"baths":2}}';
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const cases: [string, string, RegExp][] = [
      ['garbage', 'hello\r\n\r\n', /^HTTP\/1\.1 400 .*problem\+json/s],
      [
        'headers of 20 KB',
        `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
        /^HTTP\/1\.1 431 /,
      ],
      [
        'two lengths',
        `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        /^HTTP\/1\.1 400 /,
      ],
      ['a bad length', `${post}Content-Length: -1\r\n\r\n{}`, /^HTTP\/1\.1 400 /],
      ['a bad chunk', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, /HTTP\/1\.1 400 /],
      ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 400 /],
      [
        'a path that is none',
        'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
        /^HTTP\/1\.1 400 .*bad_request/s,
      ],
      [
        'chunks',
        `${post}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(body)}0\r\n\r\n`,
        /^HTTP\/1\.1 200 /,
      ],
      [
        'chunks beyond the limit',
        `${post}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(' '.repeat(700_000)).repeat(2)}0\r\n\r\n`,
        /^HTTP\/1\.1 413 .*payload_too_large/s,
      ],
    ];
    for (const [name, request, expected] of cases) {
      assert.match(await exchange(port, request), expected, name);
      const healthy = await fetch(`http://127.0.0.1:${port}/healthz`);
      assert.equal(healthy.status, 200);
      await healthy.arrayBuffer();
    }
  });
});

test('a body announced beyond the limit is refused before it is sent', async () => {
  await listening(async (api, port) => {
    const head = `POST /v1/avm/property HTTP/1.1\r\nHost: x\r\nX-API-Key: ${api.key}\r\nContent-Type: application/json\r\n`;
    assert.match(await exchange(port, `${head}Content-Length: 1048577\r\n\r\n{`, 1000), /^HTTP\/1\.1 413 /);
  });
});

test('a header cannot be smuggled into an answer', async () => {
  await listening(async (_api, port) => {
    const answer = await exchange(
      port,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: a%0d%0aSet-Cookie: x\r\n\r\n',
    );
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(answer, /set-cookie/i);
  });
});

test('requests that arrive on open connections while the server closes are answered', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const api = createTestApi({
    readiness: async () => {
      await released;
      return { isReady: true, checks: {} };
    },
  });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const address = api.app.addresses()[0];
  assert.ok(typeof address === 'object');
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const socket = connect(address.port, '127.0.0.1', () => socket.write(request('/readyz')));
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  const closed = new Promise((resolve) => socket.on('close', resolve));
  await once(api.app.server, 'request');
  const closing = api.app.close();
  const second = once(api.app.server, 'request');
  socket.write(request('/healthz'));
  await second;
  release();
  await Promise.all([closing, closed]);
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200']);
  assert.match(text, /connection: close/i);
});
