import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { localSetting, startS3 } from '../../test/harness/egress/s3-server.ts';
import type { ObjectStoreSetting } from '../config.ts';
import { PlumblineError } from '../errors.ts';
import { createObjectStore } from './object-store.ts';
import type { NewObject, ObjectStore, OpenedObject } from './stored-object.ts';

const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
const SHA256 = createHash('sha256').update(BYTES).digest('hex');

function objectOf(
  key: string,
  bytes: Readable = Readable.from([BYTES.subarray(0, 9), BYTES.subarray(9)]),
): NewObject {
  const md5 = createHash('md5').update(BYTES).digest('base64');
  return { key, type: 'text/csv', byteCount: BYTES.length, sha256: SHA256, md5, bytes };
}

async function readAll(opened: OpenedObject | null): Promise<Buffer> {
  assert.ok(opened);
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened.bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A server in place of object storage. */
async function startStub(t: TestContext, listener: RequestListener): Promise<ObjectStoreSetting> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return localSetting(port);
}

const CALLS: readonly ((store: ObjectStore) => Promise<unknown>)[] = [
  (store) => store.put(objectOf('x.csv')),
  (store) => store.open('x.csv', { first: 0, last: 9 }),
  (store) => store.find('x.csv'),
  (store) => store.remove('x.csv'),
];

/** The message of each call, which must fail. */
async function messagesOf(setting: ObjectStoreSetting, calls = CALLS): Promise<string[]> {
  const store = createObjectStore(setting);
  return Promise.all(
    calls.map(async (call) => {
      const error: unknown = await call(store).then(
        () => assert.fail(),
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof PlumblineError, String(error));
      assert.equal(error.code, 'unavailable');
      return error.message;
    }),
  );
}

test('an object that was stored is read whole and in parts, and is gone when it is removed', async (t) => {
  const { setting, keys } = await startS3(t);
  const counted: string[] = [];
  const store = createObjectStore(
    setting(),
    (operation, outcome) => void counted.push(`${operation} ${outcome}`),
  );
  assert.equal(store.location, 's3://bucket/town');
  await store.put(objectOf('a/x.csv'));
  assert.deepEqual(keys(), ['town/a/x.csv']);
  assert.deepEqual(await store.find('a/x.csv'), { byteCount: BYTES.length, sha256: SHA256 });
  const whole = await store.open('a/x.csv', { first: 0, last: BYTES.length - 1 });
  assert.deepEqual(await readAll(whole), BYTES);
  const part = await store.open('a/x.csv', { first: 1000, last: 200_000 });
  assert.deepEqual([part?.byteCount, part?.sha256], [199_001, SHA256]);
  assert.deepEqual(await readAll(part), BYTES.subarray(1000, 200_001));
  assert.equal(await store.open('a/x.csv', { first: BYTES.length, last: BYTES.length + 9 }), null);
  await store.remove('a/x.csv');
  await store.remove('a/x.csv');
  assert.deepEqual(
    [await store.find('a/x.csv'), await store.open('a/x.csv', { first: 0, last: 9 })],
    [null, null],
  );
  assert.deepEqual(counted, [
    'put ok',
    'head ok',
    'get ok',
    'get ok',
    'get missing',
    'delete ok',
    'delete ok',
    'head missing',
    'get missing',
  ]);
});

test('an error says what is wrong, where, and which setting to correct', async (t) => {
  const { setting } = await startS3(t);
  const wrongKey = await messagesOf(setting({ accessKeyId: 'OTHER' }));
  for (const message of wrongKey) assert.match(message, /s3:\/\/bucket\/town\/x\.csv.*AWS_ACCESS_KEY_ID/);
  const noBucket = await messagesOf(setting({ bucket: 'none' }), [...CALLS.slice(0, 2), CALLS[3]]);
  for (const message of noBucket) assert.match(message, /there is no bucket none\. Create it/);
  for (const message of await messagesOf(setting({ endpoint: 'http://127.0.0.1:9' }))) {
    assert.match(message, /ECONNREFUSED.*AWS_ENDPOINT_URL_S3/);
  }
  const answers: Readonly<Record<string, readonly [status: number, code: string, expected: RegExp]>> = {
    secret: [403, 'SignatureDoesNotMatch', /rejects the credentials.*AWS_SECRET_ACCESS_KEY/],
    expired: [400, 'ExpiredToken', /rejects the credentials.*AWS_SESSION_TOKEN/],
    permission: [403, 'AccessDenied', /access is denied.*s3:GetObject on s3:\/\/bucket\/town/],
    region: [301, 'PermanentRedirect', /not in the region us-east-1.*AWS_REGION/],
    clock: [403, 'RequestTimeTooSkewed', /clock of this machine/],
    odd: [400, 'EntityTooSilly', /responded with 400 EntityTooSilly\. Odd\./],
  };
  for (const [status, code, expected] of Object.values(answers)) {
    const stub = await startStub(t, (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>Odd.</Message></Error>`);
    });
    const [message] = await messagesOf(stub, [CALLS[1]]);
    assert.match(message, expected);
  }
});

test('an address of the own network is connected to only if the settings allow it', async (t) => {
  let connections = 0;
  const setting = await startStub(t, (_request, response) => void response.end());
  const server = createServer()
    .on('connection', () => void connections++)
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const message of await messagesOf({ ...setting, endpoint, allowCidrs: ['10.0.0.0/8'] })) {
    assert.match(message, /not a public address.*OBJECT_STORE_ALLOW_CIDRS/);
  }
  assert.equal(connections, 0);
});

test('a request is tried again after a broken connection and after 503', async (t) => {
  let requests = 0;
  const setting = await startStub(t, (request, response) => {
    requests++;
    if (requests === 1) return void request.socket.destroy();
    response.writeHead(requests === 2 ? 503 : 200, { 'content-length': '0' }).end();
  });
  assert.deepEqual(await createObjectStore(setting).find('x.csv'), { byteCount: 0, sha256: null });
  assert.equal(requests, 3);
});

test('an upload that breaks off is an error', async (t) => {
  const { setting } = await startS3(t);
  const broken = Readable.from(
    (async function* () {
      yield BYTES.subarray(0, 100_000);
      throw Object.assign(new Error('the disk is gone'), { code: 'EIO' });
    })(),
  );
  await assert.rejects(createObjectStore(setting()).put(objectOf('x.csv', broken)), { code: 'unavailable' });
});

/** The signature of a request by the rules of AWS Signature Version 4, from what was received. */
function signatureOf({ method, url = '', headers }: IncomingMessage, secret: string): string {
  const [path, query = ''] = url.split('?');
  const [, scope, names] =
    /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const payload = String(headers['x-amz-content-sha256']);
  const canonical = [method, path, query, signed.join(''), names, payload].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, digest].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (last, part) => createHmac('sha256', last).update(part).digest(),
      `AWS4${secret}`,
    );
  return createHmac('sha256', key).update(text).digest('hex');
}

test('what is sent is what was signed with the secret', async (t) => {
  const checked: string[] = [];
  const setting = await startStub(t, (request, response) => {
    assert.match(
      request.headers.authorization ?? '',
      new RegExp(`Signature=${signatureOf(request, 'S3RVER')}$`),
    );
    assert.match(request.headers.authorization ?? '', /SignedHeaders=[^,]*\bhost\b/);
    checked.push(request.method ?? '');
    request.resume().on('end', () => void response.writeHead(200, { 'content-length': '0' }).end());
  });
  const store = createObjectStore(setting);
  for (const call of CALLS) await call(store);
  assert.deepEqual(checked, ['PUT', 'GET', 'HEAD', 'DELETE']);
});
