import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readGuides } from '../src/api/docs/guides.ts';
import { EXAMPLES } from '../src/api/examples/examples.ts';
import { ROUTES } from '../src/api/routes.ts';
import { HTTP_ERRORS } from '../src/errors.ts';
import { createTestApi, storeOf, townMarkets } from './api-fixture.ts';
import { isRecord } from '../src/domain/json.ts';
import type { MeasuredHoldout } from '../src/operations/market-data/holdout-and-rents.ts';
import { pointCases } from '../src/valuation/ratio-study/cases.ts';
import { studyEquityByType } from '../src/valuation/ratio-study/equity.ts';

type Json = Record<string, unknown>;

async function openApi(): Promise<Json> {
  const response = await createTestApi().app.inject({ url: '/v1/openapi.json' });
  assert.equal(response.statusCode, 200);
  return response.json();
}

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);

/** Every object in a document, with its path. */
function* objectsIn(value: unknown, path = ''): Generator<[string, Json]> {
  if (isRecord(value)) yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* objectsIn(member, `${path}/${name}`);
}

test('the description is OpenAPI 3.1 and every reference resolves', async () => {
  const document = await openApi();
  assert.match(String(document.openapi), /^3\.1\.\d+$/);
  assert.ok(at(document, 'info', 'title') && at(document, 'info', 'version'));
  const operationIds = new Set<unknown>();
  for (const [path, object] of objectsIn(document)) {
    if (typeof object.$ref === 'string') {
      assert.ok(at(document, ...object.$ref.slice(2).split('/')), `${path}: ${object.$ref}`);
    }
    if (path.startsWith('/components') || path.includes('/schema'))
      assert.equal('nullable' in object, false, path);
    if (object.operationId !== undefined) {
      assert.equal(operationIds.has(object.operationId), false);
      operationIds.add(object.operationId);
      assert.ok(object.summary && Array.isArray(object.tags) && Array.isArray(object.security), path);
      assert.ok(at(object, 'responses', '200') ?? at(object, 'responses', '202'), path);
    }
  }
  assert.equal(operationIds.size, ROUTES.length);
});

test('every route is described with its key and its responses', async () => {
  const document = await openApi();
  for (const route of ROUTES) {
    const operation = at(document, 'paths', route.path, route.method.toLowerCase());
    const statuses = Object.keys(Object(at(operation, 'responses')));
    const isKeyed = route.access !== 'public' && route.access !== 'metrics';
    for (const status of isKeyed ? ['401', '403', '429', '500', '503'] : []) {
      assert.ok(statuses.includes(status), `${route.operationId} ${status}`);
    }
    for (const [status, response] of Object.entries(Object(at(operation, 'responses')))) {
      const headers = Object.keys(Object(at(response, 'headers')));
      const always = { 401: ['WWW-Authenticate'], 429: ['Retry-After'], 503: ['Retry-After'] }[status] ?? [];
      const limits = isKeyed && status === '429' ? ['RateLimit', 'RateLimit-Policy'] : [];
      for (const name of ['X-Request-Id', ...always, ...limits]) {
        assert.ok(headers.includes(name), `${route.operationId} ${status} ${name}`);
      }
    }
    if (isKeyed) assert.deepEqual(at(operation, 'security'), [{ ApiKey: [] }]);
    if (route.body) for (const status of ['400', '413', '415', '422']) assert.ok(statuses.includes(status));
    for (const [, name] of route.path.matchAll(/\{(\w+)\}/g)) {
      const parameters = at(operation, 'parameters');
      assert.ok(Array.isArray(parameters) && parameters.some((parameter) => parameter.name === name));
    }
  }
});

test('the query form lists every body member that has a flat name', async () => {
  const document = await openApi();
  const parameters = at(document, 'paths', '/v1/avm/property', 'get', 'parameters');
  assert.ok(Array.isArray(parameters));
  const named = parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name);
  const sections = ['Location', 'SearchParams', 'PropertyFields'];
  const members = sections.flatMap((name) =>
    Object.keys(Object(at(document, 'components', 'schemas', name, 'properties'))),
  );
  assert.deepEqual(named.sort(), members.filter((name) => name !== 'maps_api_response').sort());
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  assert.deepEqual(required, ['total_bedrooms', 'total_bathrooms']);
});

test('schemas compile as JSON Schema 2020-12, and every example matches its schema', async () => {
  const document = await openApi();
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
  for (const keyword of ['x-aliases', 'components', 'openapi', 'info', 'servers', 'tags', 'paths'])
    ajv.addKeyword(keyword);
  ajv.addSchema({ $id: 'openapi', components: document.components });
  for (const name of Object.keys(Object(at(document, 'components', 'schemas')))) {
    const check = ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
    if (EXAMPLES[name]) assert.equal(check(EXAMPLES[name]), true, `${name}: ${JSON.stringify(check.errors)}`);
  }
});

test('the example response satisfies the documented invariants', () => {
  const answer = EXAMPLES.PropertyValuation;
  const items = at(answer, 'comparables', 'items');
  assert.ok(Array.isArray(items) && items.length > 0);
  for (const item of items) {
    const amounts = item.adjustments.map((line: { amount: number }) => line.amount);
    assert.equal(
      item.adjusted_price,
      amounts.reduce((sum: number, amount: number) => sum + amount, item.sale_price),
    );
    assert.equal(item.time_adjusted_price, item.sale_price + amounts[0]);
  }
  const point = Number(at(answer, 'valuation', 'point_value'));
  const area = at(EXAMPLES.PropertyValuationRequest, 'property_fields', 'living_area');
  assert.equal(at(answer, 'valuation', 'price_per_sqft'), Math.round((point / Number(area)) * 100) / 100);
});

test('the documentation page shows every operation, field and error, and loads nothing from other hosts', async () => {
  const { app } = createTestApi();
  const page = await app.inject({ url: '/docs' });
  assert.equal(page.statusCode, 200);
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
  assert.doesNotMatch(
    page.body,
    /<script(?! type="module" src="\/docs\/docs.js">)|style="|(src|href)="(https?:)?\/\//,
  );
  for (const route of ROUTES) assert.ok(page.body.includes(`id="${route.operationId}"`), route.operationId);
  for (const { code } of HTTP_ERRORS) assert.ok(page.body.includes(`id="error-${code}"`), code);
  for (const field of ['total_bedrooms', 'lookback_months', 'maps_api_response', 'in_unit_laundry']) {
    assert.ok(page.body.includes(`<code>${field}</code>`), field);
  }
  for (const [, link] of page.body.matchAll(/href="(\/[^"#]*)"/g)) {
    assert.equal((await app.inject({ url: link })).statusCode, 200, link);
  }
  const targets = new Set([...page.body.matchAll(/id="([^"]+)"/g)].map(([, id]) => id));
  for (const [, anchor] of page.body.matchAll(/href="#([^"]+)"/g)) assert.ok(targets.has(anchor), anchor);
  assert.equal((await app.inject({ url: '/' })).headers.location, '/docs');
  const icon = await app.inject({ url: '/favicon.ico' });
  assert.deepEqual([icon.statusCode, icon.headers['content-type']], [200, 'image/x-icon']);
});

test('every query in the documentation belongs to its operation and is valid', async () => {
  const { app, key } = createTestApi();
  const { body } = await app.inject({ url: '/docs' });
  for (const { query, path, operationId } of ROUTES) {
    if (!query) continue;
    const shown = body.slice(body.indexOf(`id="${operationId}"`));
    const [, url = ''] = shown.match(/curl &quot;\$PLUMBLINE([^ ]+)&quot;/) ?? [];
    assert.equal(url.split('?')[0], path);
    const answer = await app.inject({
      url: url.replaceAll('&amp;', '&'),
      headers: { 'x-api-key': key, prefer: 'handling=strict' },
    });
    assert.ok(![400, 405, 422].includes(answer.statusCode), `${url}: ${answer.body}`);
  }
});

test('every page of docs/ can be read, and its links resolve', async () => {
  const { app } = createTestApi();
  const guides = readGuides();
  assert.ok(guides.length > 0);
  // Every page links to every other page. Each link is followed once.
  const followed = new Set<string>();
  for (const guide of guides) {
    const page = await app.inject({ url: `/docs/${guide.path}` });
    assert.equal(page.statusCode, 200, guide.path);
    assert.doesNotMatch(page.body, /<script(?! type="module" src="\/docs\/docs.js">)|style="/);
    for (const [, link] of page.body.matchAll(/href="(\/[^"#]*)/g)) {
      if (followed.has(link)) continue;
      followed.add(link);
      assert.equal((await app.inject({ url: link })).statusCode, 200, `${guide.path} → ${link}`);
    }
  }
});

test('the documentation is searched by every word, also with hostile words', async () => {
  const { app } = createTestApi();
  const search = async (query: string): Promise<string> => {
    const found = await app.inject({ url: `/docs/search?${query}` });
    assert.equal(found.statusCode, 200);
    return found.body;
  };
  const [, first] = /<h2 class="found"><a href="([^"]+)"/.exec(await search('q=challenge+DECISIONS')) ?? [];
  assert.equal(first, '/docs/guides/challenge#versions-and-decisions');
  assert.ok((await search('q=/v1/flood-zone')).includes('href="/docs#readFloodZone"'));
  assert.match(await search('q=challenge+zebra'), /Nothing contains every word/);
  const hostile = await search('q=%3Cscript%3Ealert(1)%3C/script%3E');
  assert.ok(
    hostile.includes('“&lt;script&gt;alert(1)&lt;/script&gt;”') && !hostile.includes('<script>alert'),
  );
  for (const query of ['', 'q=', 'q=a&q=b', `q=${'x'.repeat(5000)}`]) await search(query);
});

test('coverage, models and their accuracy use their wire names', async () => {
  const model = {
    modelId: 'm-1',
    marketId: 'wi-test',
    kind: 'property' as const,
    trainedOn: 20_000,
    sha256: 'ab',
    snapshotSha256: 'cd',
    datasetIds: [1],
    features: null,
    accuracy: [
      { stratum: 'all', n: 900, mdape: 0.08, ppe10: 0.6, coverage90: 0.9, window: '2024-01-01/2024-09-30' },
    ],
    createdAt: 0,
    state: 'active' as const,
    stateReason: null,
  };
  const crime = {
    datasetId: 2,
    marketId: 'wi-test',
    kind: 'crime' as const,
    status: 'ready' as const,
    baseDatasetId: null,
    source: { name: 'Test PD', license: null, retrievedAt: null, fileHashes: [], options: {} },
    contentHash: 'ef',
    rowCount: 5,
    snapshotSha256: '01',
    begunAt: 0,
    publishedAt: 0,
    bounds: null,
    features: [],
    rowsId: 1,
    addressCount: 0,
  };
  const rents = { ...crime, datasetId: 3, kind: 'rents' as const, rowCount: 12 };
  const rental = { ...model, modelId: 'm-2', kind: 'rental' as const, trainedOn: 20_100 };
  const older = { ...rental, modelId: 'm-0', trainedOn: 19_000 };
  const entry = {
    marketId: 'wi-test',
    sales: null,
    rents,
    parcels: null,
    addresses: null,
    index: null,
    layers: [crime],
    models: [older, model, rental],
    inactiveModels: [],
  };
  const rentTypes = [
    { dataset_id: rents.datasetId, property_type: 'condos', row_count: 7, last_on: 20_050, report: null },
    {
      dataset_id: rents.datasetId,
      property_type: 'multifamily',
      row_count: 5,
      last_on: 20_060,
      report: null,
    },
  ];
  const store = storeOf(rentTypes, () => new Date(0));
  const api = createTestApi({
    operations: {
      store,
      markets: { ...townMarkets(), list: async () => [entry] },
      holdoutCases: async () => HOLDOUT,
    },
  });
  const get = (url: string) => api.app.inject({ url, headers: { 'x-api-key': api.key } });
  const { lacks, ...covered } = (await get('/v1/coverage')).json().markets[0];
  assert.match(lacks[0].message, /^The newest listing is of 2024-12-03, \d+ days ago: /);
  assert.deepEqual(
    lacks.map(({ code }: { code: string }) => code).join(),
    'recent_rents,addresses,parcels,parcel_areas,sales,index,census_areas,census_values,flood,fire',
  );
  assert.deepEqual(covered, {
    market: 'wi-test',
    has_sales: false,
    has_rents: true,
    has_parcels: false,
    has_addresses: false,
    has_index: false,
    has_census_areas: false,
    has_census_values: false,
    has_crime: true,
    has_fire: false,
    has_flood: false,
    sales_rows: null,
    sales_flagged: [],
    types: [],
    last_sale_date: null,
    features: [],
    rents_rows: 12,
    rent_types: ['condos', 'multifamily'],
    last_listed_date: '2024-12-03',
    rent_features: [],
    indexes: [],
    sources: ['Test PD'],
    models: [
      { kind: 'property', count: 1, first_date_served: '2024-10-04', last_trained_on: '2024-10-04' },
      { kind: 'rental', count: 2, first_date_served: '2022-01-08', last_trained_on: '2025-01-12' },
    ],
    first_date_served: '2024-10-04',
    last_trained_on: '2024-10-04',
  });
  const { models } = (await get('/v1/models')).json();
  assert.deepEqual(
    models.map(({ id }: { id: string }) => id),
    ['m-0', 'm-1', 'm-2'],
  );
  const { accuracy } = (await get('/v1/models/m-1/accuracy')).json();
  assert.deepEqual(accuracy, [
    { stratum: 'all', n: 900, mdape: 0.08, ppe10: 0.6, coverage_90: 0.9, window: '2024-01-01/2024-09-30' },
  ]);
  const { equity } = (await get('/v1/models/m-1/accuracy')).json();
  assert.deepEqual(equity[0].measures[2], {
    measure: 'prd',
    figure: 1,
    ci95: [1, 1],
    range: [0.98, 1.03],
    verdict: 'in_range',
  });
  const ofRents = (await get('/v1/models/m-2/accuracy')).json();
  assert.deepEqual(ofRents.equity, [], 'the ranges are about prices of sales');
  assert.equal((await get('/v1/models/m-3/accuracy')).statusCode, 404);
});

/** Thirty sales valued at their prices. */
const PRICES = Float64Array.from({ length: 30 }, (_, i) => 200_000 + 10_000 * i);
const HOLDOUT: MeasuredHoldout = {
  cases: pointCases(PRICES, PRICES),
  type: new Uint8Array(30),
  soldOn: new Int32Array(30),
  lat: new Float64Array(30),
  lon: new Float64Array(30),
  trainings: 1,
  randomHoldout: 0,
  streets: Array.from(PRICES, () => ''),
  postalCodes: Array.from(PRICES, () => ''),
  neighborhoods: Array.from(PRICES, () => ''),
  recordIds: [],
  parcelIds: [],
  equity: studyEquityByType(pointCases(PRICES, PRICES), new Uint8Array(30)),
};
