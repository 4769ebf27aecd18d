import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestApi, type TestApi } from './api-fixture.ts';
import { TEST_CONFIG } from './app-config.ts';
import { Problem } from '../src/schemas/problem.ts';

/** Sends raw bytes on a new connection and reads until the server closes it or the deadline passes. */
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

async function listening(
  run: (api: TestApi, port: number) => Promise<void>,
  api: TestApi = createTestApi(),
): Promise<void> {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const address = api.app.addresses()[0];
  assert.ok(typeof address === 'object');
  try {
    await run(api, address.port);
  } finally {
    await api.app.close();
  }
}

test('bytes that are not valid HTTP get a response and a closed connection, and other clients are still served', async () => {
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
      [
        'two hosts',
        'GET /healthz HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n',
        /^HTTP\/1\.1 400 .*bad_request/s,
      ],
      [
        'no host',
        'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
        /^HTTP\/1\.1 400 .*problem\+json.*bad_request/s,
      ],
      ['no host in HTTP/1.0, which has none', 'GET /healthz HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 200 /],
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

test('a response to bytes that are not HTTP is a whole problem document, under a request id that the log has', async () => {
  await listening(async (api, port) => {
    for (const request of [
      'hello\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
    ]) {
      const [head = '', body = ''] = (await exchange(port, request)).split('\r\n\r\n');
      const problem: Record<string, unknown> = JSON.parse(body);
      const id = /^x-request-id: (req_[0-9a-f]{24})$/m.exec(head)?.[1];
      assert.ok(id);
      assert.equal(problem.request_id, id);
      assert.ok(api.logLines.some((line) => line.includes(id)));
      assert.deepEqual(
        Problem.required.filter((name) => !(name in problem)),
        [],
      );
      assert.match(head, /^cache-control: no-store$/m);
      assert.match(head, new RegExp(`^HTTP/1.1 ${String(problem.status)} ${String(problem.title)}`));
    }
  });
});

test('a body announced as too large is rejected before it is sent', async () => {
  await listening(async (api, port) => {
    const head = `POST /v1/avm/property HTTP/1.1\r\nHost: x\r\nX-API-Key: ${api.key}\r\nContent-Type: application/json\r\n`;
    assert.match(await exchange(port, `${head}Content-Length: 1048577\r\n\r\n{`, 1000), /^HTTP\/1\.1 413 /);
  });
});

const MIB = 1_048_576;

test('a client that writes its whole body before reading gets the 413 of a body over the limit', async () => {
  await listening(async (api, port) => {
    const headers = { 'x-api-key': api.key, 'content-type': 'application/json' };
    for (const bytes of [MIB + 1, 2 * MIB, 8 * MIB]) {
      for (const isChunked of [false, true]) {
        const whole = new Uint8Array(bytes).fill(0x20);
        const body = isChunked ? new Blob([whole]).stream() : whole;
        const response = await fetch(`http://127.0.0.1:${port}/v1/avm/property`, {
          method: 'POST',
          headers,
          body,
          ...(isChunked ? { duplex: 'half' } : {}),
        });
        assert.equal(response.status, 413, `${bytes} bytes, chunked ${isChunked}`);
        assert.match(await response.text(), /payload_too_large/);
      }
    }
  });
});

test('at most 8 MiB of an oversized body are read before the connection is cut', async () => {
  await listening(async (api, port) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    socket.write(
      `POST /v1/avm/property HTTP/1.1\r\nHost: x\r\nX-API-Key: ${api.key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${1000 * MIB}\r\n\r\n`,
    );
    const piece = Buffer.alloc(MIB, ' ');
    let sent = 0;
    const send = (): void => {
      while (!socket.destroyed && sent < 1000 && socket.write(piece)) sent++;
      sent++;
    };
    socket.on('drain', send);
    send();
    await ended;
    assert.match(text, /^HTTP\/1\.1 413 /);
    assert.ok(sent < 100, `${sent} MiB`);
  });
});

test('clients that are not signed in can make the server hold at most 4 KiB in memory', async () => {
  await listening(async (_api, port) => {
    const url = `http://127.0.0.1:${port}/console/api/sign-in`;
    const signIn = (password: string) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ name: 'ada', password }),
      });
    assert.equal((await signIn('x'.repeat(4096))).status, 413);
    assert.notEqual((await signIn('🔑'.repeat(256))).status, 413, 'the longest password still fits');
  });
});

test('connections beyond the limit are closed at once, and those within it are served', async () => {
  const config = { ...TEST_CONFIG, maxConnections: 3 };
  const api = createTestApi({ config });
  await listening(async (_api, port) => {
    const held = Array.from({ length: 3 }, () => connect(port, '127.0.0.1'));
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    await sleep(20);
    const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    assert.equal(await exchange(port, request), '', 'closed without a response');
    assert.equal(await exchange(port, request), '');
    held[0].write(request);
    const [bytes] = await once(held[0], 'data');
    assert.match(String(bytes), /^HTTP\/1\.1 200 /);
    for (const socket of held) socket.destroy();
    const warnings = api.logLines.filter((line) => line.includes('MAX_CONNECTIONS'));
    assert.equal(warnings.length, 1, 'logged once, not once each');
  }, api);
});

test('a client that disconnects in the middle of its body causes no server error', async () => {
  await listening(async (api, port) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /v1/avm/property HTTP/1.1\r\nHost: x\r\nX-API-Key: ${api.key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"location":',
    );
    await sleep(50);
    socket.destroy();
    await sleep(200);
    const levels = api.logLines.map((line) => Number(/"level":(\d+)/.exec(line)?.[1]));
    assert.deepEqual(
      levels.filter((level) => level > 30),
      [],
      api.logLines.join(''),
    );
  });
});

test('an API key sent as the request id is neither logged nor repeated', async () => {
  const api = createTestApi();
  for (const url of ['/v1/models', '/nothing', '/healthz']) {
    const response = await api.app.inject({
      url,
      headers: { 'x-request-id': api.key, 'x-api-key': api.key },
    });
    assert.equal(JSON.stringify(response.headers).includes(api.key), false);
    assert.equal(response.body.includes(api.key), false);
  }
  assert.equal(api.logLines.join('').includes(api.key), false);
});

test('header injection into a response is impossible', async () => {
  await listening(async (_api, port) => {
    const answer = await exchange(
      port,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: a%0d%0aSet-Cookie: x\r\n\r\n',
    );
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(answer, /set-cookie/i);
  });
});

test('requests that arrive on open connections while the server closes get a response', async () => {
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
