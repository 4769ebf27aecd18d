import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Ajv } from 'ajv';
import { serveSampleCounty, type SampleService } from './sample-service.ts';
import type { Json } from './json.ts';

const LOCATION = { address: '249 W Canal St, Plumb Falls' };
/** A fixed as-of date, because the MCP server uses the system clock. */
const AS_OF = { date: '2026-06-20' };
const HOME = {
  location: LOCATION,
  search_params: AS_OF,
  property_fields: { total_bedrooms: 3, total_bathrooms: 2 },
};

/** Members that differ between two responses to the same request. */
const OWN_TO_EACH = new Set(['valuation_id', 'compute_ms', 'request_id', 'response_timestamp']);
const lasting = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value: unknown) => (OWN_TO_EACH.has(name) ? undefined : value)));

describe('plumbline mcp', () => {
  let service: SampleService;
  let client: Client;
  const logged: string[] = [];

  before(async () => {
    service = await serveSampleCounty();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['src/main.ts', 'mcp'],
      env: environment(service),
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (chunk: Buffer) => logged.push(chunk.toString('utf8')));
    client = new Client({ name: 'a test', version: '1.0.0' });
    await client.connect(transport);
  });
  after(async () => {
    await client.close();
    await service.close();
  });

  const call = async (name: string, given: object): Promise<Json> =>
    client.callTool({ name, arguments: { ...given } });

  async function overHttp(path: string, body: object): Promise<Json> {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answered: Json = JSON.parse(await response.text());
    return answered;
  }

  test('every tool is listed with a schema that compiles and a description for models', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        'value_home',
        'value_rent',
        'value_building',
        'find_comparables',
        'challenge_valuation',
        'valuation_report',
        'describe_place',
        'value_history',
        'market_trends',
        'coverage',
      ],
    );
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const { name, description = '', inputSchema, annotations } of tools) {
      const takes = ajv.compile(inputSchema);
      if (name !== 'coverage' && name !== 'market_trends') assert.equal(takes({}), false, name);
      assert.ok(description.length > 100, name);
      assert.equal(annotations?.readOnlyHint, name !== 'challenge_valuation');
      assert.doesNotMatch(JSON.stringify(inputSchema), /x-aliases|x-when|maps_api_response/, name);
    }
    assert.match(client.getInstructions() ?? '', /not appraisals/);
  });

  test('a tool returns the same as HTTP, as data and as sentences', async () => {
    const rents = {
      location: LOCATION,
      search_params: AS_OF,
      property_fields: { units: [{ bedrooms: 2, bathrooms: 1 }] },
    };
    const building = {
      location: { address: '372 W Canal St, Plumb Falls' },
      search_params: AS_OF,
      property_fields: { total_units: 4, bedrooms: 8, bathrooms: 4 },
    };
    const place = {
      location: LOCATION,
      census: { years: [2024], census_keys: ['B19013_001E'] },
      crime: { radius_mi: 0.2, limit: 3 },
    };
    const sections = ['census-data', 'crime-data', 'fire-risk', 'flood-zone'];
    const cases: [string, object, string, object, RegExp][] = [
      [
        'value_home',
        HOME,
        '/v1/avm/property',
        HOME,
        /249 W Canal St.*\$[\d,]+ as of 2026-06-20 \(90% range \$/,
      ],
      ['value_rent', rents, '/v1/avm/rental', rents, /a month for 1 unit/],
      ['value_building', building, '/v1/avm/multifamily', building, /4 units: \$/],
      [
        'describe_place',
        place,
        '/v1/comprehensive',
        { ...place, requests: sections },
        /B19013_001E of the block group.*\n[\s\S]*Flood: zone/,
      ],
    ];
    for (const [tool, given, path, body, sentences] of cases) {
      const result = await call(tool, given);
      assert.ok(!result.isError, JSON.stringify(result));
      assert.deepEqual(lasting(result.structuredContent), lasting(await overHttp(path, body)), tool);
      assert.match(result.content[0].text, sentences);
      assert.doesNotMatch(result.content[0].text, /\bnull\b|\b1 (?:units|miles|sales|incidents)\b|\d\.\d{3}/);
      assert.deepEqual(JSON.parse(result.content[1].text), result.structuredContent);
    }
    const { structuredContent: original } = await call('value_home', HOME);
    const { valuation_id } = original.valuation;
    const change = { property_fields: { living_area: 1900 } };
    const challenge = await call('challenge_valuation', { valuation_id, ...change });
    assert.ok(!challenge.isError, JSON.stringify(challenge));
    const { changes, valuation } = challenge.structuredContent;
    const moved = valuation.point_value - original.valuation.point_value;
    assert.deepEqual([changes.split[0].cause, changes.split[0].amount], ['facts', moved]);
    assert.match(challenge.content[0].text, /before \$[\d,]+ \(challenge, version 1\)[\s\S]*Change: facts/);
    const unknown = await call('challenge_valuation', { ...change });
    assert.equal(unknown.structuredContent.code, 'not_found');
    const challenged = {
      valuation_id: valuation.valuation_id,
      version: 'appeal',
      prepared_by: 'Ada Lovelace',
    };
    const report = await call('valuation_report', challenged);
    const { lower, upper } = valuation.confidence_interval_90;
    for (const usd of [valuation.point_value, original.valuation.point_value, lower, upper])
      assert.ok(report.content[0].text.includes(`$${usd.toLocaleString('en-US')}`), String(usd));
    assert.ok(report.content[0].text.includes('Ada Lovelace'));
    assert.match(
      report.content[0].text,
      /## The challenge[\s\S]*\| Corrected details \|[\s\S]*## Sales comparison grid/,
    );
    const plain = { ...challenged, valuation_id };
    assert.equal((await call('valuation_report', plain)).structuredContent.code, 'conflict');
    const coverage = await call('coverage', {});
    assert.equal(coverage.structuredContent.markets[0].market, 'sample-county');
  });

  test('comparables are those of the valuation, ten by default', async () => {
    const ten = await call('find_comparables', HOME);
    const search = { ...AS_OF, num_comps: 10 };
    const { comparables } = await overHttp('/v1/avm/property', { ...HOME, search_params: search });
    assert.deepEqual(ten.structuredContent.comparables, comparables);
    assert.match(ten.content[0].text, /^10 of the [\d,]+ nearest sales within 5 miles/);
    assert.match(ten.content[0].text, /similarity (0\.\d{1,2}|0|1)\.$/m);
    const near = { ...AS_OF, num_comps: 2, radius_mi: 1 };
    const two = await call('find_comparables', { ...HOME, search_params: near });
    assert.match(two.content[0].text, /^2 of the [\d,]+ nearest sales within 1 mile of/);
    assert.equal(two.structuredContent.comparables.count, 2);
  });

  test('errors are reported with their code and the next step', async () => {
    const unknown = await call('value_home', {
      ...HOME,
      location: { address: '249 W Cannal St, Plumb Falls' },
    });
    assert.ok(unknown.isError);
    assert.match(
      unknown.content[0].text,
      /Candidate: 249 W Canal St[\s\S]*code address_not_found, request req_/,
    );
    const far = await call('value_home', { ...HOME, location: { latitude: 10, longitude: 10 } });
    assert.match(far.content[0].text, /Call the tool `coverage`/);
    assert.equal(far.structuredContent.code, 'outside_coverage');
    const incomplete = await call('value_home', {
      location: LOCATION,
      property_fields: { total_bedrooms: 99 },
    });
    assert.match(
      incomplete.content[0].text,
      /property_fields.total_bathrooms [\s\S]*Correct these arguments/,
    );
  });

  test('arguments of any form get a response, and the server keeps running', async () => {
    const hostile: object[] = [
      {},
      { location: null },
      { location: 'Main St', property_fields: [] },
      { ...HOME, search_params: 'all' },
      { ...HOME, search_params: { num_comps: 1e9 } },
      { ...HOME, location: { address: 'x'.repeat(100_000) } },
      JSON.parse('{"__proto__": {"admin": true}, "location": {"address": "1 A St"}}'),
      {
        location: { address: '\u0000\ud800' },
        property_fields: { total_bedrooms: -1, total_bathrooms: 'NaN' },
      },
    ];
    for (const name of ['value_home', 'find_comparables', 'describe_place']) {
      for (const given of hostile) {
        const result = await call(name, given).catch((error: unknown) => ({ thrown: error, content: [] }));
        assert.ok('thrown' in result || result.content.length > 0, JSON.stringify(given));
      }
    }
    await assert.rejects(call('drop_tables', {}), /There is no tool drop_tables/);
    assert.ok(!(await call('coverage', {})).isError);
  });

  test("calls are charged to the installation's own account and logged without the address", async () => {
    const lines = await service.operations.store.db
      .selectFrom('credit_ledger')
      .select(['accountId', 'operation', 'credits'])
      .where('keyId', '=', 'mcp')
      .execute();
    assert.ok(
      lines.some(
        (line) => line.accountId === 'self' && line.operation === 'avm:property' && line.credits === 40,
      ),
    );
    const log = logged.join('');
    assert.match(log, /"route":"\/v1\/avm\/property".*"keyId":"mcp"/);
    assert.doesNotMatch(log, /Canal/);
  });

  test('at the end of its input it answers what it has read and exits with 0', async () => {
    const child = spawn(process.execPath, ['src/main.ts', 'mcp'], { env: environment(service) });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.end(
      [
        rpc(
          'initialize',
          { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
          1,
        ),
        'this is not JSON',
        rpc('tools/call', { name: 'value_home', arguments: HOME }, 2),
        '',
      ].join('\n'),
    );
    const [code] = await once(child, 'close');
    const answers = Buffer.concat(chunks)
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line): Json => JSON.parse(line));
    assert.deepEqual([code, ...answers.map(({ id }) => id)], [0, 1, 2]);
    assert.ok(answers[1].result.structuredContent.valuation.point_value > 0);
  });

  test('a signal ends it with 0, and it prints nothing but the protocol', async () => {
    const child = spawn(process.execPath, ['src/main.ts', 'mcp'], { env: environment(service) });
    const printed: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    await once(child.stderr, 'data');
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString('utf8')));
    child.kill('SIGTERM');
    const [code, signal] = await once(child, 'close');
    assert.deepEqual([code, signal, Buffer.concat(printed).length], [0, null, 0], log);
  });
});

function rpc(method: string, params: object, id: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

function environment({ settings }: SampleService): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, PLUMBLINE_DATA: settings.dataDir, LOG_LEVEL: 'info' };
}
