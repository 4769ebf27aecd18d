import { adjustmentTotals } from '../src/valuation/comparables/adjustments.ts';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import {
  DummyDriver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
} from 'kysely';
import { createApiKey, type KeyEnvironment } from '../src/accounts/api-key.ts';
import type { KeyStore } from '../src/accounts/authenticate.ts';
import { createPasswords } from '../src/accounts/passwords.ts';
import { BUILT_IN_PLANS } from '../src/accounts/plans.ts';
import { limitInMemory } from '../src/accounts/rate-limit.ts';
import { buildServer } from '../src/api/build-server.ts';
import { createLargeReads } from '../src/api/send-text.ts';
import type { ApiDeps } from '../src/api/route.ts';
import { composeOperations } from '../src/cli/compose-operations.ts';
import type { Clock } from '../src/clock.ts';
import { formatDay } from '../src/domain/day.ts';
import { ATTRIBUTES, type Attributes } from '../src/domain/property.ts';
import { PlumblineError } from '../src/errors.ts';
import type { CoarsePlace } from '../src/locate/located.ts';
import { createLog } from '../src/log.ts';
import { createMetrics } from '../src/metrics.ts';
import type { OperationDeps } from '../src/operations/deps.ts';
import type { ActiveMarket } from '../src/operations/market-data/markets.ts';
import type { ValuationKind } from '../src/domain/valuation-kind.ts';
import type {
  ComputedOf,
  InputsOf,
  PropertyValuationRequest,
  SaleComparable,
  ValuationInput,
  PropertyInputs,
} from '../src/operations/valuation-types.ts';
import { fieldNameOf } from '../src/schemas/field-names.ts';
import type { PlannedApiKey } from '../src/store/accounts.ts';
import { connect } from '../src/store/connect.ts';
import type { Store } from '../src/store/store.ts';
import { indexParcelSales } from '../src/valuation/columns/sale-columns.ts';
import { testColumns } from './harness/valuation/market.ts';
import type { ModelRecord } from '../src/store/tables/datasets.ts';
import { valueFigures } from '../src/operations/valuation/value-members.ts';
import { logNormal } from '../src/valuation/calibration/distribution.ts';
import { NO_SHARE_LIMITS, TEST_CONFIG } from './app-config.ts';
import { testPeople } from './harness/accounts/people.ts';

/** The current date in the API tests. */
export const TODAY = '2026-03-31';
const NOW = Date.parse(`${TODAY}T12:00:00Z`);

/** An API over in-memory operations and keys that records every call. */
export interface TestApi {
  readonly app: FastifyInstance;
  /** A key with all scopes. */
  readonly key: string;
  readonly asked: PropertyValuationRequest[];
  readonly logLines: string[];
  readonly keyLookups: string[];
  readonly addKey: (options?: Partial<PlannedApiKey>, environment?: KeyEnvironment) => string;
  readonly keyRecords: Map<string, PlannedApiKey>;
  readonly passMs: (ms: number) => void;
  /** Sets the system clock back. The monotonic clock does not move. */
  readonly setClockBack: (ms: number) => void;
}

export function createTestApi(
  over: Omit<Partial<ApiDeps>, 'operations'> & { operations?: Partial<OperationDeps> } = {},
): TestApi {
  const asked: PropertyValuationRequest[] = [];
  const logLines: string[] = [];
  const keyLookups: string[] = [];
  const keyRecords = new Map<string, PlannedApiKey>();
  let now = NOW;
  let elapsedMs = 0;
  const keys: KeyStore = {
    find: async (keyId) => {
      keyLookups.push(keyId);
      return keyRecords.get(keyId) ?? null;
    },
    recordUse: async (keyId, lastUsedAt) => {
      const record = keyRecords.get(keyId);
      if (record) keyRecords.set(keyId, { ...record, lastUsedAt });
    },
  };
  const addKey: TestApi['addKey'] = (options = {}, environment = 'test') => {
    const made = createApiKey(randomBytes, environment);
    keyRecords.set(made.keyId, {
      keyId: made.keyId,
      accountId: 'self',
      plan: 'unlimited',
      limits: null,
      name: 'a test',
      environment,
      scopes: ['*'],
      secretSha256: made.sha256,
      lastCharacters: made.last4,
      createdAt: NOW,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      ...options,
    });
    return made.text;
  };
  const clock: Clock = () => new Date(now);
  const app = buildServer({
    config: TEST_CONFIG,
    clock,
    monotonicClock: () => elapsedMs,
    log: createLog('info', linesInto(logLines)),
    metrics: createMetrics(),
    randomBytes,
    keys,
    plans: BUILT_IN_PLANS,
    rateLimit: limitInMemory(),
    runCharged: async (_payer, { run }) => {
      const result = await run(() => null);
      return { result, charged: result.credits, remaining: null };
    },
    readiness: async () => ({ isReady: true, checks: { database: 'ok' } }),
    overload: { rejection: () => null, count: () => {} },
    largeReads: createLargeReads(),
    shareLimits: NO_SHARE_LIMITS,
    people: nobody(clock),
    webhooks: NO_WEBHOOKS,
    batches: NO_BATCHES,
    mapTiles: NO_TILES,
    basemap: null,
    objectStore: null,
    identityProvider: null,
    ...over,
    operations: townOperations(asked, over.operations ?? {}, clock),
  });
  const setClockBack = (ms: number): void => void (now -= ms);
  const passMs = (ms: number): void => {
    now += ms;
    elapsedMs += ms;
  };
  return { app, key: addKey(), asked, logLines, keyLookups, addKey, keyRecords, passMs, setClockBack };
}

/** User management without stored users: the tests of users run on real databases. */
function nobody(clock: Clock): ApiDeps['people'] {
  return testPeople(storeOf([], clock), clock, createPasswords(randomBytes));
}

/** A database that returns the same rows for every query and stores nothing. */
export function storeOf(rows: readonly object[], clock: Clock): Store {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>() => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test gives the rows that its query reads
      const found = rows as Row[];
      return { rows: [...found] };
    },
    streamQuery: async function* () {},
  };
  class RowsDriver extends DummyDriver {
    override acquireConnection(): Promise<DatabaseConnection> {
      return Promise.resolve(connection);
    }
  }
  const views = connect({
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new RowsDriver(),
    createIntrospector: (within) => new SqliteIntrospector(within),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  });
  const refuse = async (): Promise<never> => {
    throw new Error('These tests write nothing.');
  };
  const connections = () => ({ waiting: 0, waitedSeconds: 0 });
  const fails = { insertRows: refuse, ping: refuse, byteCount: refuse };
  return { engine: 'sqlite', ...views, clock, ...fails, connections, close: async () => {} };
}

const NO_TILES: ApiDeps['mapTiles'] = {
  version: async () => 'none',
  tile: async () => ({ version: 'none', bytes: new Uint8Array(0) }),
};

/** Lists and stores nothing: the webhook tests run on a database. */
const NO_WEBHOOKS: ApiDeps['webhooks'] = {
  parseCallbackUrl: async () => ({ url: null, rejection: 'These tests send no webhooks.' }),
  listDeliveries: async () => ({ deliveries: [], nextCursor: null }),
  redeliver: async () => {
    throw new PlumblineError('not_found', 'There is no delivery with this id.');
  },
  sendTest: async () => {
    throw new Error('These tests send no webhooks.');
  },
  rotateSecret: async () => ({ text: 'whsec_', createdAt: NOW, previousUntil: null }),
  addEndpoint: async () => {
    throw new Error('These tests send no webhooks.');
  },
  listEndpoints: async () => [],
  removeEndpoint: async () => {
    throw new PlumblineError('not_found', 'There is no endpoint with this id.');
  },
};

const noJob = async (): Promise<never> => {
  throw new PlumblineError('not_found', 'There is no job with this id.');
};

/** Accepts no batches: the batch tests run on a database. */
const NO_BATCHES: ApiDeps['batches'] = {
  resultsKeptMs: 0,
  creditsMax: () => 0,
  submit: noJob,
  findSubmission: async () => null,
  read: noJob,
  list: async () => ({ jobs: [], nextCursor: null }),
  resultsPage: noJob,
  cancel: noJob,
  retryCreditsMax: noJob,
  retryFailed: noJob,
};

/** Operations of a made-up town that finds every address and invents every value. */
function townOperations(
  asked: PropertyValuationRequest[],
  over: Partial<OperationDeps>,
  clock: Clock,
): OperationDeps {
  const store = over.store ?? storeOf([], clock);
  const operations = composeOperations(store);
  let serial = 0;
  return {
    ...operations,
    places: { ...operations.places, counties: NO_COUNTIES },
    clock,
    markets: townMarkets(),
    geocoder: { find: async (text) => placeOf(text) },
    computeValue: inventValue,
    valuationLog: {
      append: async ({ request }) => void asked.push(JSON.parse(request)),
      charge: async () => {},
      close: async () => {},
    },
    newId: () => `00000000-0000-7000-8000-${String(++serial).padStart(12, '0')}`,
    ...over,
  };
}

const NO_COUNTIES: OperationDeps['places']['counties'] = {
  at: () => null,
  nameOf: () => null,
  all: () => {
    throw new Error('These tests draw no map.');
  },
  preload: () => {},
};

/** A single market that covers every point. Its model is older than any as-of date. */
export function townMarkets(): OperationDeps['markets'] {
  const columns = testColumns(20);
  const model: ModelRecord = {
    modelId: 'm',
    marketId: 'town',
    kind: 'property',
    trainedOn: 0,
    sha256: 'ab',
    snapshotSha256: 'cd',
    datasetIds: [],
    accuracy: [],
    features: null,
    createdAt: 0,
    state: 'active',
    stateReason: null,
  };
  const market: ActiveMarket = {
    marketId: 'town',
    model,
    dataset: null,
    columns,
    parcelSales: indexParcelSales(columns),
    inputs: { modelId: model.modelId, snapshotSha256: 'cd' },
    parcels: null,
  };
  const unbound = async (): Promise<never> => {
    throw new Error('These tests compute no value.');
  };
  return {
    at: async () => market,
    isCovered: async () => true,
    columnsOf: async () => market,
    ofInputs: unbound,
    buildingsOf: unbound,
    load: async () => {},
    preload: async () => [],
    preloadModels: async () => [],
    list: async () => [],
    datasets: async () => [],
  };
}

function placeOf(text: string): CoarsePlace {
  const address = { street: text, city: '', stateCode: '', postalCode: '' };
  const at = { lat: 43, lon: -88, accuracyM: null, isDoubtful: false };
  return { ...at, level: 'address', address, source: 'geocoder' };
}

const INVENT: { readonly [Kind in ValuationKind]: (inputs: InputsOf<Kind>, id: string) => ComputedOf<Kind> } =
  {
    property: inventedAnswer,
    rental: () => {
      throw new Error('These tests do not value rents.');
    },
    multifamily: () => {
      throw new Error('These tests do not value buildings.');
    },
  };

const inventValue: OperationDeps['computeValue'] = async (kind, inputs, valuationId) =>
  INVENT[kind](inputs, valuationId);

/** A well-formed response that repeats the request. Its figures mean nothing. */
function inventedAnswer(inputs: PropertyInputs, valuationId: string): ComputedOf<'property'> {
  const { search, subject } = inputs;
  const { attributes } = subject.home;
  const point = 250_000;
  const items = Array.from({ length: search.numComps }, (_, index) => inventedSale(attributes, index));
  return {
    valuation: {
      valuationId,
      propertyType: subject.home.type,
      totalUnits: attributes.totalUnits ?? 1,
      currency: 'USD',
      asOfDate: formatDay(inputs.asOf),
      ...valueFigures(point, logNormal(point, 0.1)),
      pricePerSqft: null,
      pricePerSqftLow: null,
      pricePerSqftHigh: null,
      estimators: [{ name: 'model', value: point, weight: 1 }],
      inputs: ATTRIBUTES.map((field): ValuationInput => ({
        field: fieldNameOf(field),
        value: attributes[field],
        source: attributes[field] === null ? 'comparables' : 'request',
        support: attributes[field] === null ? 20 : null,
      })),
      accuracy: null,
      model: { id: 'm', version: TODAY, sha256: 'ab', dataSnapshot: 'cd' },
      // Only the warnings about the request: no model was trained here.
      warnings: inputs.warnings.filter(({ code }) => code === 'unknown_member'),
    },
    comparables: {
      count: items.length,
      items,
      search: { radiusMi: search.radiusMi, lookbackMonths: search.lookbackMonths, candidates: items.length },
    },
  };
}

function inventedSale(attributes: Attributes, index: number): SaleComparable {
  return {
    compId: `sale-${index}`,
    formattedAddress: null,
    streetAddress: null,
    city: null,
    stateCode: null,
    postalCode: null,
    latitude: 43,
    longitude: -88,
    distanceMi: 0.1 * index,
    propertyType: 'houses',
    bedrooms: attributes.bedrooms,
    bathrooms: attributes.bathrooms,
    livingArea: attributes.livingAreaSqft,
    lotSize: attributes.lotSizeSqft,
    yearBuilt: attributes.yearBuilt,
    totalUnits: attributes.totalUnits,
    numStories: attributes.stories,
    condition: attributes.condition,
    salePrice: 240_000,
    saleDate: '2025-01-15',
    daysSinceSale: 440,
    pricePerSqft: null,
    timeAdjustedPrice: 240_000,
    adjustments: [{ field: 'living_area', subject: 1500, comp: 1400, amount: 10_000 }],
    ...adjustmentTotals(240_000, [{ field: 'living_area', amount: 10_000 }]),
    adjustedPrice: 250_000,
    similarity: 0.9,
    weight: 0.05,
    armsLength: null,
    source: { name: 'test', recordId: `sale-${index}`, license: null, retrievedAt: null },
  };
}

export function linesInto(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
}
