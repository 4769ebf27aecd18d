import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createUser } from '../src/accounts/manage-users.ts';
import { formatDay } from '../src/domain/day.ts';
import { milesApart } from '../src/geo/distance.ts';
import { createMcpServer } from '../src/mcp/create-mcp-server.ts';
import { reviewSale } from '../src/operations/market/review-sales.ts';
import { train } from '../src/operations/training/train.ts';
import { BY_COMMAND_LINE, COMMAND_LINE } from '../src/store/audit-log.ts';
import { quickJobs } from './cached-jobs.ts';
import { openBrowser, PASSWORD } from './console-fixture.ts';
import { engines } from './harness/store/engines.ts';
import type { Json } from './json.ts';
import {
  AS_OF,
  batchOf,
  county,
  getFrom,
  MARKET_ID,
  postTo,
  startService,
  withSampleFiles,
  type TestService,
} from './service-fixture.ts';
import { testPeople } from './harness/accounts/people.ts';

/** The county's other models are trained on AS_OF − 30. */
const TRAINED_ON = AS_OF - 250;
const FRESH = { date: formatDay(TRAINED_ON + 1) };
const STALE = { date: formatDay(AS_OF - 31) };

const [house, nextHouse] = nearestHouses();
/** The parcel file is newer than the requests, so the record of the building is that of its sale. */
const tower = county.sales.find(
  ({ parcel, soldOn }) => parcel.type === 'multifamily' && soldOn < TRAINED_ON,
)?.parcel;
const plex = county.parcels.find(({ type }) => type === 'small_multifamily');
const reviewed = county.sales.find(
  ({ parcel, kind, soldOn }) =>
    parcel.type === 'houses' && kind === 'market' && soldOn > TRAINED_ON - 300 && soldOn < TRAINED_ON - 60,
);
assert.ok(tower && plex && reviewed);
/** Reviews exclude all of them, so that no sale of the type is used. */
const mobile = county.sales.filter(({ parcel }) => parcel.type === 'mobile');

/** Requests whose value may be wrong in some way, and the warning that says so. */
const CASES: readonly { kind: Kind; what: string; code: string | null; request: Json }[] = [
  {
    kind: 'property',
    what: 'a unit in a rental building',
    code: 'unit_not_sold_separately',
    request: requestOf({
      address: `${tower.address.street} #3, ${tower.address.city}, ${tower.address.stateCode}`,
    }),
  },
  {
    kind: 'property',
    what: 'ambiguous coordinates',
    code: 'parcel_ambiguous',
    request: requestOf(between(house, nextHouse)),
  },
  {
    kind: 'rental',
    what: 'ambiguous coordinates',
    code: 'parcel_ambiguous',
    request: {
      location: between(house, nextHouse),
      property_fields: { units: [{ bedrooms: 3, bathrooms: 2 }] },
    },
  },
  {
    kind: 'property',
    what: 'implausible input',
    code: 'implausible_input',
    request: requestOf(pointOf(house), { total_bedrooms: 50, living_area: 1_128 }),
  },
  {
    kind: 'property',
    what: 'a type without data',
    code: 'type_not_in_training_sales',
    request: requestOf(pointOf(house), { property_type: 'mobile' }),
  },
  {
    kind: 'property',
    what: 'an unknown feature name',
    code: 'unknown_feature',
    request: requestOf(pointOf(house), { features: { moat: 1 } }),
  },
  { kind: 'property', what: 'an old model', code: 'stale_model', request: requestOf(pointOf(plex)) },
  {
    kind: 'rental',
    what: 'an old model',
    code: 'stale_model',
    request: { location: pointOf(plex), property_fields: { units: [{ bedrooms: 2, bathrooms: 1 }] } },
  },
  {
    kind: 'multifamily',
    what: 'an old model',
    code: 'stale_model',
    request: {
      location: pointOf(plex),
      property_fields: { total_units: 2, bedrooms: 4, bathrooms: 2, living_area: 2200 },
    },
  },
  {
    kind: 'property',
    what: 'a sale nearby that a review excluded',
    code: null,
    request: { ...requestOf(pointOf(nearest(reviewed.parcel))), search_params: { num_comps: 20 } },
  },
];

type Kind = keyof typeof TOOLS;
const TOOLS = { property: 'value_home', rental: 'value_rent', multifamily: 'value_building' } as const;

function requestOf(location: object, fields: object = {}): Json {
  return { location, property_fields: { total_bedrooms: 3, total_bathrooms: 2, ...fields } };
}

function pointOf({ lat, lon }: { readonly lat: number; readonly lon: number }) {
  return { latitude: lat, longitude: lon };
}

type Parcel = (typeof county.parcels)[number];

function nearest(to: Parcel): Parcel {
  const others = county.parcels.filter((parcel) => parcel !== to && parcel.type === 'houses');
  return others.reduce((best, parcel) => (milesApart(parcel, to) < milesApart(best, to) ? parcel : best));
}

/** Two houses that are as near each other as any two of the county's first hundred. */
function nearestHouses(): readonly [Parcel, Parcel] {
  const pairs = county.parcels
    .filter(({ type }) => type === 'houses')
    .slice(0, 100)
    .map((parcel) => [parcel, nearest(parcel)] as const);
  return pairs.reduce((best, pair) => (milesApart(...pair) < milesApart(...best) ? pair : best));
}

function between(a: Parcel, b: Parcel) {
  return { latitude: (a.lat + b.lat) / 2, longitude: (a.lon + b.lon) / 2 };
}

/** Everything that a response says about the value, without what differs between two requests. */
function lasting({ valuation, comparables }: Json): Json {
  return { valuation: { ...valuation, valuation_id: null }, comparables };
}

async function openSurfaces(service: TestService) {
  const { store, clock } = service.operations;
  const people = testPeople(store, clock);
  await createUser(people, COMMAND_LINE, {
    accountId: 'self',
    name: 'ann',
    role: 'member',
    password: PASSWORD,
  });
  const browser = openBrowser(service);
  await browser.signIn('ann');
  const { server } = createMcpServer(async ({ method, path, body }) => {
    const { status, body: answer } = await (method === 'GET'
      ? getFrom(service, path)
      : postTo(service, path, body));
    return { status, text: JSON.stringify(answer) };
  }, 'test');
  const client = new Client({ name: 'a test', version: '1.0.0' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  return {
    api: async (kind: Kind, request: Json) => (await postTo(service, `/v1/avm/${kind}`, request)).body,
    console: async (kind: Kind, request: Json) => (await browser.ask('POST', `avm/${kind}`, request)).body,
    batch: async (kind: Kind, request: Json) => (await batchOf(service, [request], kind))[0].data,
    mcp: async (kind: Kind, request: Json) => {
      const called: Json = await client.callTool({ name: TOOLS[kind], arguments: request });
      return called.structuredContent;
    },
  };
}

for (const engine of engines) {
  test(`${engine.name}: API, console, batches and MCP give the same value, range, confidence and warnings`, async () => {
    await withSampleFiles(async (_, dir) => {
      const service = await startService(engine, dir, { hasRents: true });
      try {
        const { store, clock } = service.operations;
        for (const { recordId, soldOn: fromDay } of [reviewed, ...mobile]) {
          const review = { recordId, isUsed: false, fromDay, reason: 'a test' };
          await reviewSale(store, BY_COMMAND_LINE, MARKET_ID, review);
        }
        const deps = { store, clock, runJobs: quickJobs(0.1) };
        await train(deps, { marketId: MARKET_ID, trainedOn: TRAINED_ON, kind: null }, () => {});
        await new Promise((resolve) => setTimeout(resolve, 1100)); // the market list is cached for a second
        const { api, ...others } = await openSurfaces(service);
        for (const { kind, what, code, request } of CASES) {
          const dated = { ...request, search_params: { ...STALE, ...request.search_params } };
          const expected = await api(kind, dated);
          const codes = expected.valuation?.warnings.map((warning: Json) => warning.code) ?? [];
          assert.ok(
            code === null || codes.includes(code),
            `${what}: ${JSON.stringify(expected.valuation?.warnings ?? expected)}`,
          );
          for (const member of [
            'confidence_interval_90',
            'fsd',
            'confidence_level',
            'probability_within_10_pct',
          ]) {
            assert.ok(expected.valuation[member] !== undefined, member);
          }
          if (code === 'stale_model') {
            const fresh = (await api(kind, { ...dated, search_params: FRESH })).valuation;
            assert.ok(!fresh.warnings.some((warning: Json) => warning.code === code), kind);
            assert.ok(
              expected.valuation.fsd >= fresh.fsd,
              `${kind}: ${fresh.fsd} → ${expected.valuation.fsd}`,
            );
            const { field, message } = expected.valuation.warnings.find((one: Json) => one.code === code);
            assert.equal(field, 'date');
            assert.match(message, new RegExp(`up to ${formatDay(TRAINED_ON)}, \\d{3} days`), kind);
            assert.ok(!codes.includes('stale_market'), kind);
          }
          if (code === null) {
            const listed = expected.comparables.items.map(({ comp_id: id }: Json) => id);
            assert.ok(listed.length > 10 && !listed.includes(reviewed.recordId), what);
          }
          for (const [surface, valued] of Object.entries(others)) {
            assert.deepEqual(lasting(await valued(kind, dated)), lasting(expected), `${surface}: ${what}`);
          }
        }
      } finally {
        await service.close();
      }
    });
  });
}
