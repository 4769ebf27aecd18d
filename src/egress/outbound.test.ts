import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { addressRule, isPublicAddress } from './address-rule.ts';
import { guardedConnector } from './guarded-connector.ts';
import { createOutbound } from './outbound.ts';
import type { Outbound, OutboundResponse } from './outbound-call.ts';
import { HOSTILE_NAMES, HOSTILE_URLS, PUBLIC_URLS } from '../../test/harness/egress/hostile-urls.ts';
import { assertNoneConnected, assertRebindingHarmless } from '../../test/harness/egress/check-guard.ts';
import { testNetwork } from '../../test/harness/egress/network.ts';

const ALL_HOSTILE = Object.values(HOSTILE_URLS).flat();
const LOOPBACK = { allowCidrs: ['127.0.0.0/8', '::1/128'], allowHttp: true };

test('no URL of the hostile corpus is connected to, whether requested, checked or requested without a check', async () => {
  const tried = await assertNoneConnected();
  assert.ok(tried >= 111, `${tried} URLs`);
});

test('the connector alone rejects them too, as if a stored URL had been changed in the database', async () => {
  const network = testNetwork();
  const connect = guardedConnector({
    rule: addressRule([]),
    signal: AbortSignal.timeout(60_000),
    ...network,
  });
  let tried = 0;
  for (const text of ALL_HOSTILE.filter((candidate) => URL.canParse(candidate))) {
    const { hostname, port, protocol } = new URL(text);
    if (hostname === '' || (port === '' && !/^https?:$/.test(protocol))) continue;
    const isPublicPart = protocol === 'http:' && !/user|:(22|25|0|81)\b/.test(text);
    await new Promise<void>((done) => {
      connect({ hostname, port, protocol }, (...[error]) => {
        assert.ok(error, text);
        if (isPublicPart) assert.equal(error.name, 'RejectedAddressError', `${text}: ${error.message}`);
        done();
      });
    });
    tried++;
  }
  assert.ok(tried > 100, `${tried} tried`);
  assert.deepEqual(
    network.connected.filter((address) => !isPublicAddress(address)),
    [],
  );
});

test('public addresses are connected to: the guard rejects no valid receiver', async () => {
  assert.ok(PUBLIC_URLS.length >= 13);
  for (const url of PUBLIC_URLS) {
    const network = testNetwork();
    const outbound = createOutbound({ allowCidrs: [], allowHttp: true, ...network });
    assert.equal(await outbound.rejectionOf(url), null, url);
    const answer = await outbound.request(url);
    assert.equal(answer.outcome, 'unreachable', `${url}: ${JSON.stringify(answer)}`);
    assert.ok(network.connected.length > 0 && network.connected.every(isPublicAddress), url);
  }
});

test('a name whose address changes between look-ups is connected to at the address that was checked', () =>
  assertRebindingHarmless(200));

test('a name is rejected if any of its addresses is not public', async () => {
  const open = ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111'];
  for (const closed of Object.values(HOSTILE_NAMES).flat()) {
    if (isPublicAddress(closed)) continue;
    for (let at = 0; at <= open.length; at++) {
      const network = testNetwork(() => open.toSpliced(at, 0, closed));
      const outbound = createOutbound({ allowCidrs: [], allowHttp: true, ...network });
      assert.equal((await outbound.request('https://mixed.example/')).outcome, 'rejected');
      assert.deepEqual(network.connected, []);
    }
  }
});

test('a socket connected to another address than requested is closed before a byte is written', async () => {
  const written: unknown[] = [];
  const openSocket = (): Socket => {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: '10.0.0.1' });
    socket.write = (chunk: unknown) => written.push(chunk) > 0;
    queueMicrotask(() => socket.emit('connect'));
    return socket;
  };
  const outbound = createOutbound({ allowCidrs: [], allowHttp: true, openSocket });
  for (const url of ['http://8.8.8.8/', 'https://8.8.8.8/']) {
    assert.equal((await outbound.request(url)).outcome, 'rejected', url);
  }
  assert.deepEqual(written, []);
});

test('redirects to the metadata service are returned, not followed', async (t) => {
  let calls = 0;
  const metadata = 'http://169.254.169.254/latest/meta-data/';
  const base = await serve(t, (request, response) => {
    calls++;
    response.writeHead(Number(request.url?.slice(1)), { location: metadata }).end();
  });
  for (const status of [301, 302, 303, 307, 308]) {
    const answer = await createOutbound(LOOPBACK).request(`${base}/${status}`);
    assert.equal(answer.outcome === 'responded' && answer.status, status);
  }
  assert.equal(calls, 5);
});

test('the request arrives and the response is returned, each call on its own connection', async (t) => {
  const ports = new Set<number>();
  const base = await serve(t, async (request, response) => {
    ports.add(request.socket.remotePort ?? 0);
    const body = Buffer.concat(await Readable.from(request).toArray());
    response.writeHead(201, { 'x-seen': `${request.method} ${request.headers['x-a']} ${request.url}` });
    response.end(body);
  });
  const outbound = createOutbound(LOOPBACK);
  for (const body of [
    'text ü',
    Buffer.from('text ü'),
    Readable.from([Buffer.from('text '), Buffer.from('ü')]),
  ]) {
    const answer = await answered(outbound, `${base}/p?q=1#h`, {
      method: 'POST',
      headers: { 'x-a': 'b' },
      body,
    });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['x-seen'], 'POST b /p?q=1');
    assert.equal(Buffer.from(answer.body).toString(), 'text ü');
    assert.equal(answer.isTruncated, false);
  }
  assert.equal(ports.size, 3);
});

test('a long response is cut at the limit, also one that never ends', async (t) => {
  const base = await serve(t, (request, response) => {
    if (request.url === '/exact') response.end('x'.repeat(1000));
    else {
      const timer = setInterval(() => response.write('x'.repeat(500)), 1);
      response.on('close', () => clearInterval(timer));
    }
  });
  const outbound = createOutbound(LOOPBACK);
  const exact = await answered(outbound, `${base}/exact`, { maxBytes: 1000 });
  assert.deepEqual([exact.body.length, exact.isTruncated], [1000, false]);
  const endless = await answered(outbound, `${base}/endless`, { maxBytes: 1200 });
  assert.deepEqual([endless.body.length, endless.isTruncated], [1200, true]);
});

test('a call that takes too long is ended, at the look-up, the socket, the headers or the body', async (t) => {
  const base = await serve(t, (request, response) => {
    if (request.url === '/body') response.write('x');
  });
  const silent = createTcpServer(() => {}).listen(0, '127.0.0.1');
  await listening(t, silent);
  const never = createOutbound({ ...LOOPBACK, resolve: () => new Promise(() => {}) });
  const ask = (outbound: Outbound, url: string) => outbound.request(url, { timeoutMs: 150 });
  // Compared with a client that has thirty times as long, because a busy machine delays both.
  const patient = createOutbound(LOOPBACK).request(`${base}/headers`, { timeoutMs: 4500 });
  const impatient = Promise.all([
    ask(createOutbound(LOOPBACK), `${base}/headers`),
    ask(createOutbound(LOOPBACK), `${base}/body`),
    ask(createOutbound(LOOPBACK), `https://127.0.0.1:${portOf(silent)}/`),
    ask(never, 'http://name.example/'),
  ]);
  const first = await Promise.race([impatient, patient.then(() => 'the patient one')]);
  assert.deepEqual(typeof first === 'string' ? first : first.map(({ outcome }) => outcome), [
    'timeout',
    'timeout',
    'timeout',
    'timeout',
  ]);
});

test('a host that refuses, hangs up or does not speak HTTP is unreachable, with a sentence', async (t) => {
  const rude = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  const odd = createTcpServer((socket) => socket.end('HELLO\r\n\r\n')).listen(0, '127.0.0.1');
  const closed = createTcpServer().listen(0, '127.0.0.1');
  await Promise.all([listening(t, rude), listening(t, odd), once(closed, 'listening')]);
  const closedPort = portOf(closed);
  closed.close();
  const unknown = createOutbound({ ...LOOPBACK, ...testNetwork() });
  for (const [outbound, url] of [
    [createOutbound(LOOPBACK), `http://127.0.0.1:${portOf(rude)}/`],
    [createOutbound(LOOPBACK), `https://127.0.0.1:${portOf(rude)}/`],
    [createOutbound(LOOPBACK), `http://127.0.0.1:${portOf(odd)}/`],
    [createOutbound(LOOPBACK), `https://127.0.0.1:${portOf(odd)}/`],
    [createOutbound(LOOPBACK), `http://127.0.0.1:${closedPort}/`],
    [unknown, 'http://unknown.example/'],
  ] as const) {
    const answer = await outbound.request(url, { timeoutMs: 3000 });
    assert.ok(
      answer.outcome === 'unreachable' && /^\S.*\.$/.test(answer.detail),
      `${url} ${JSON.stringify(answer)}`,
    );
  }
  assert.match((await unknown.rejectionOf('http://unknown.example/')) ?? '', /cannot be looked up/);
});

test("the operator's ranges are allowed on any port, for this client only, and http only if allowed", async (t) => {
  const base = await serve(t, (_request, response) => response.end('ok'));
  const closed = createOutbound({ allowCidrs: [], allowHttp: true });
  assert.equal((await closed.request(base)).outcome, 'rejected');
  assert.equal((await createOutbound({ ...LOOPBACK, allowHttp: false }).request(base)).outcome, 'rejected');
  assert.equal((await createOutbound(LOOPBACK).request(base)).outcome, 'responded');
  const rule = addressRule(['10.1.0.0/16', 'fd00::/8', '192.0.2.7']);
  assert.ok(
    rule.mayConnect('10.1.2.3', 25) && rule.mayConnect('fd12::1', 22) && rule.mayConnect('192.0.2.7', 443),
  );
  for (const address of ['10.2.0.1', 'fe80::1', '192.0.2.8', '127.0.0.1', '', 'name']) {
    assert.ok(!rule.mayConnect(address, 443), address);
  }
  assert.ok(rule.mayConnect('8.8.8.8', 443) && !rule.mayConnect('8.8.8.8', 25));
});

async function answered(
  outbound: Outbound,
  url: string,
  request: Parameters<Outbound['request']>[1],
): Promise<OutboundResponse> {
  const answer = await outbound.request(url, request);
  assert.ok(answer.outcome === 'responded', JSON.stringify(answer));
  return answer;
}

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await listening(t, server);
  return `http://127.0.0.1:${portOf(server)}`;
}

async function listening(t: TestContext, server: Server | TcpServer): Promise<void> {
  await once(server, 'listening');
  t.after(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
}

function portOf(server: Server | TcpServer): number {
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return (address satisfies AddressInfo).port;
}
