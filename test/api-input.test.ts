import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { measureJson, parseJsonBody } from '../src/api/request/input-guard.ts';
import { XLSX_TYPE } from '../src/tables/write-xlsx.ts';
import { createTestApi, type TestApi } from './api-fixture.ts';

const URL = '/v1/avm/property';
const GOOD = { location: { address: '1 Main St' }, property_fields: { beds: 3, baths: 2 } };

function send(api: TestApi, payload: string | Buffer, headers: Record<string, string> = {}) {
  const all = { 'x-api-key': api.key, 'content-type': 'application/json', ...headers };
  return api.app.inject({ method: 'POST', url: URL, payload, headers: all });
}

/** The valid body with one more member in its location, as JSON text. */
const withMember = (json: string): string =>
  `{"location":{"address":"1 Main St","maps_api_response":{"x":${json}}},"property_fields":{"beds":3,"baths":2}}`;

test('hostile JSON gets its exact status quickly and changes nothing', async () => {
  const api = createTestApi();
  const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(',')}}`;
  // The body around the member is three levels deep and has six keys.
  const cases: [string, string | Buffer, number, string | null][] = [
    ['at the depth limit', withMember(nest(29)), 200, null],
    ['one level too deep', withMember(nest(30)), 400, 'json_too_deep'],
    ['250,000 deep', nest(250_000), 400, 'json_too_deep'],
    ['deep and not closed', '['.repeat(500_000), 400, 'json_too_deep'],
    ['brackets in a string', withMember(JSON.stringify('[{'.repeat(1000))), 200, null],
    ['an escaped quote in a string', withMember('"\\"[[["'), 200, null],
    ['at the key limit', `{${JSON.stringify(GOOD).slice(1, -1)},"y":${keys(20_000 - 6)}}`, 200, null],
    [
      'one key too many',
      `{${JSON.stringify(GOOD).slice(1, -1)},"y":${keys(20_000 - 5)}}`,
      400,
      'json_too_many_keys',
    ],
    ['60,000 keys', keys(60_000), 400, 'json_too_many_keys'],
    ['half a million numbers', `{"a":[${'1,'.repeat(500_000)}1]}`, 422, 'validation_error'],
    ['empty objects', `{"a":[${'{},'.repeat(300_000)}1]}`, 422, 'validation_error'],
    ['100,000 errors', `{"a":[${'"\\u0001",'.repeat(100_000)}1]}`, 422, 'validation_error'],
    ['__proto__', withMember('{"__proto__":{"polluted":1}}'), 400, 'malformed_json'],
    ['__proto__ in escapes', withMember('{"\\u005f_proto__":{"polluted":1}}'), 400, 'malformed_json'],
    [
      'constructor.prototype',
      withMember('{"constructor":{"prototype":{"polluted":1}}}'),
      400,
      'malformed_json',
    ],
    ['a member named constructor', withMember('{"constructor":"Smith & Sons"}'), 200, null],
    ['empty', '', 400, 'malformed_json'],
    ['blank', '   ', 400, 'malformed_json'],
    ['cut', '{"location":{', 400, 'malformed_json'],
    ['trailing comma', '{"a":1,}', 400, 'malformed_json'],
    ['two documents', '{}{}', 400, 'malformed_json'],
    ['single quotes', "{'a':1}", 400, 'malformed_json'],
    ['NaN', '{"a":NaN}', 400, 'malformed_json'],
    ['a comment', '{} // x', 400, 'malformed_json'],
    ['a form', 'address=1+Main+St', 400, 'malformed_json'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'malformed_json'],
    ['UTF-16', Buffer.from(JSON.stringify(GOOD), 'utf16le'), 400, 'malformed_json'],
    [
      'a byte order mark',
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(GOOD))]),
      200,
      null,
    ],
    ['null', 'null', 422, 'validation_error'],
    ['a list', '[]', 422, 'validation_error'],
    ['text', '"x"', 422, 'validation_error'],
    ['a number', '1e999', 422, 'validation_error'],
    [
      'infinity for bedrooms',
      '{"location":{"address":"x"},"property_fields":{"beds":1e999,"baths":2}}',
      422,
      'validation_error',
    ],
    [
      'the last of two',
      '{"location":{"address":"x"},"property_fields":{"beds":99,"beds":3,"baths":2}}',
      200,
      null,
    ],
    [
      'the last of two, bad',
      '{"location":{"address":"x"},"property_fields":{"beds":3,"beds":99,"baths":2}}',
      422,
      'validation_error',
    ],
  ];
  for (const [name, payload, status, code] of cases) {
    const begun = process.cpuUsage();
    const response = await send(api, payload);
    const { user, system } = process.cpuUsage(begun);
    assert.equal(response.statusCode, status, `${name}: ${response.body.slice(0, 300)}`);
    if (code) assert.equal(response.json().code, code, name);
    // 100 ms on an idle machine. A busy one takes several times as long.
    assert.ok(user + system < 1e6, `${name} took ${user + system} µs of CPU time`);
    assert.ok(response.body.length < 100_000, `${name} got a long response`);
  }
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('a body is accepted up to the size limit and only as JSON', async () => {
  const api = createTestApi();
  const bare = JSON.stringify(GOOD);
  const padded = (bytes: number) => bare + ' '.repeat(bytes - bare.length);
  const cases: [string, string | Buffer, Record<string, string>, number, string | null][] = [
    ['at the limit', padded(1_048_576), {}, 200, null],
    ['one byte too many', padded(1_048_577), {}, 413, 'payload_too_large'],
    [
      'longer than its content-length',
      bare,
      { 'content-length': String(bare.length - 1) },
      400,
      'bad_request',
    ],
    ['with a charset', bare, { 'content-type': 'application/json; charset=utf-8' }, 200, null],
    ['as text', bare, { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    [
      'as a form',
      bare,
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    [
      'as another JSON media type',
      bare,
      { 'content-type': 'application/vnd.api+json' },
      415,
      'unsupported_media_type',
    ],
    ['as a workbook', bare, { 'content-type': XLSX_TYPE }, 415, 'unsupported_media_type'],
    ['as an invalid media type', bare, { 'content-type': 'x' }, 415, 'unsupported_media_type'],
    ['compressed', gzipSync(bare), { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['with identity encoding', bare, { 'content-encoding': 'identity' }, 200, null],
    ['accepting HTML only', bare, { accept: 'text/html' }, 406, 'not_acceptable'],
    ['accepting anything', bare, { accept: 'text/html, */*;q=0.1' }, 200, null],
    ['accepting nothing', bare, { accept: 'application/json;q=0' }, 406, 'not_acceptable'],
    ['accepting anything else', bare, { accept: 'application/json;q=0, */*' }, 406, 'not_acceptable'],
    ['accepting JSON only', bare, { accept: '*/*;q=0, application/json' }, 200, null],
  ];
  for (const [name, payload, headers, status, code] of cases) {
    const response = await send(api, payload, headers);
    assert.equal(response.statusCode, status, `${name}: ${response.body.slice(0, 200)}`);
    if (code) assert.equal(response.json().code, code, name);
  }
});

test('known paths list their methods in a 405, unknown paths get a 404', async () => {
  const api = createTestApi();
  const headers = { 'x-api-key': api.key };
  for (const [method, url, allow] of [
    ['PUT', URL, 'GET, POST'],
    ['DELETE', URL, 'GET, POST'],
    ['HEAD', URL, 'GET, POST'],
    ['OPTIONS', URL, 'GET, POST'],
    ['TRACE', URL, 'GET, POST'],
    ['QUERY', URL, 'GET, POST'],
    ['PROPFIND', URL, 'GET, POST'],
    ['M-SEARCH', '/healthz', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['GET', '/v1/valuations/x/replay', 'POST'],
  ] as const) {
    const response = await api.app.inject({ method, url, headers });
    assert.equal(response.statusCode, 405, `${method} ${url}`);
    assert.equal(response.headers.allow, allow);
  }
  for (const url of [
    '/v1/avm',
    '/v1/avm/property/',
    '/v2/avm/property',
    '/v1/avm/Property',
    '/admin',
    '/%ff',
    '/docs/../config.ts',
  ]) {
    const response = await api.app.inject({ url, headers });
    assert.ok([400, 404].includes(response.statusCode), url);
    assert.match(String(response.headers['content-type']), /problem\+json/);
  }
  assert.equal((await api.app.inject({ method: 'HEAD', url: '/healthz' })).statusCode, 200);
});

test('text that no database or log can store gets a 422 in every position, and all other text is accepted', async () => {
  const api = createTestApi();
  const asAddress = (address: string) => JSON.stringify({ ...GOOD, location: { address } });
  for (const character of [
    '\u0000',
    '\u0001',
    '\b',
    '\n',
    '\r',
    '\t',
    '\u001f',
    '\ud800',
    '\udfff',
    '\udc00\ud800',
  ]) {
    const places = [
      asAddress(`1 Main${character}St`),
      JSON.stringify({ ...GOOD, [`x${character}`]: 1 }),
      JSON.stringify({ ...GOOD, unknown: [{ deep: character }] }),
      withMember(JSON.stringify(character)),
    ];
    for (const payload of places) {
      const response = await send(api, payload);
      assert.equal(response.statusCode, 422, JSON.stringify(payload));
      assert.match(response.json().detail[0].type, /^string_(control_character|not_well_formed)$/);
    }
  }
  const query = { address: '1 Main\u0000St', beds: '3', baths: '2' };
  const byGet = await api.app.inject({ url: URL, query, headers: { 'x-api-key': api.key } });
  assert.equal(byGet.statusCode, 422);
  for (const address of [
    'שדרות רוטשילד 1',
    '東京都千代田区1-1',
    'Ünïcode Straße 1',
    '1 Main St 🏠',
    '\u202e1 Main',
    'e\u0301',
    "1 O'Brien; DROP TABLE sales",
    '<script>',
    '../../etc/passwd',
    '%00',
    '${x}',
    '{{x}}',
  ]) {
    const response = await send(api, asAddress(address));
    assert.equal(response.statusCode, 200, address);
    assert.equal(response.json().address_info.formatted_address, address);
  }
});

test('the byte scanner counts like a parser', () => {
  const texts = [
    '{}',
    '[[]]',
    '{"a":{"b":[1,{"c":"x:y,{"}]}}',
    '"::"',
    '{"\\"":1,"a\\\\":{}}',
    '[{"a":1},{"b":2}]',
  ];
  const measure = (value: unknown): { depth: number; keys: number } => {
    if (typeof value !== 'object' || value === null) return { depth: 0, keys: 0 };
    const inner = Object.values(value).map(measure);
    return {
      depth: 1 + Math.max(0, ...inner.map((each) => each.depth)),
      keys: inner.reduce(
        (sum, each) => sum + each.keys,
        Array.isArray(value) ? 0 : Object.keys(value).length,
      ),
    };
  };
  for (const text of texts) {
    assert.deepEqual(measureJson(Buffer.from(text)), measure(JSON.parse(text)), text);
    assert.deepEqual(parseJsonBody(Buffer.from(text)), JSON.parse(text));
  }
});

test('a valid request id is kept, and an invalid one is replaced', async () => {
  const api = createTestApi();
  const idFor = async (given: Record<string, string>) =>
    String((await api.app.inject({ url: '/healthz', headers: given })).headers['x-request-id']);
  assert.equal(await idFor({ 'x-request-id': 'abc-123' }), 'abc-123');
  assert.equal(await idFor({ 'x-request-id': 'x'.repeat(128) }), 'x'.repeat(128));
  for (const bad of ['x'.repeat(129), 'a b', 'é', '', 'a\tb']) {
    assert.match(await idFor({ 'x-request-id': bad }), /^req_[0-9a-f]{24}$/, bad);
  }
});
