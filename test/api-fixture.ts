import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createApiKey, type KeyEnvironment } from '../src/accounts/api-key.ts';
import type { KeyStore } from '../src/accounts/authenticate.ts';
import { createPasswords } from '../src/accounts/passwords.ts';
import { BUILT_IN_PLANS } from '../src/accounts/plans.ts';
import { limitInMemory } from '../src/accounts/rate-limit.ts';
import { buildServer } from '../src/api/build-server.ts';
import type { ApiDeps, Operations } from '../src/api/deps.ts';
import type { Clock } from '../src/clock.ts';
import { formatDay } from '../src/domain/day.ts';
import { ATTRIBUTES, type Attribute } from '../src/domain/property.ts';
import { PlumblineError } from '../src/errors.ts';
import { createLog } from '../src/log.ts';
import { createMetrics } from '../src/metrics.ts';
import type {
  PropertyValuation,
  PropertyValuationRequest,
  SaleComparable,
} from '../src/operations/property/property-valuation.ts';
import type { PlannedApiKey } from '../src/store/api-keys.ts';
import type { Database } from '../src/store/database.ts';
import type { Store } from '../src/store/store.ts';

/** The day on which the API tests take place. */
export const TODAY = '2026-03-31';
const NOW = Date.parse(`${TODAY}T12:00:00Z`);

/** An API over operations and keys in memory, with everything it does on the record. */
export interface TestApi {
  readonly app: FastifyInstance;
  /** A key that may do everything. */
  readonly key: string;
  readonly asked: PropertyValuationRequest[];
  readonly logLines: string[];
  readonly keyLookups: string[];
  readonly addKey: (options?: Partial<PlannedApiKey>, environment?: KeyEnvironment) => string;
  readonly keyRecords: Map<string, PlannedApiKey>;
  readonly passMs: (ms: number) => void;
  /** Sets the machine's clock back; no time passes. */
  readonly setClockBack: (ms: number) => void;
}

export function createTestApi(
  over: Omit<Partial<ApiDeps>, 'operations'> & { operations?: Partial<Operations> } = {},
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
    touch: async (keyId, lastUsedAt) => {
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
  const app = buildServer({
    config: { maxConnections: 1000, metricsToken: null, trustedProxies: [], mapTilesUrl: null },
    clock: () => new Date(now),
    monotonicClock: () => elapsedMs,
    log: createLog('info', linesInto(logLines)),
    metrics: createMetrics(),
    randomBytes,
    keys,
    plans: BUILT_IN_PLANS,
    rateLimit: limitInMemory(),
    runCharged: async (_payer, { run }) => {
      const answer = await run(() => null);
      return { answer, charged: answer.credits, remaining: null };
    },
    usageOf: async (accountId, plan, period) => ({
      accountId,
      plan: plan.name,
      period,
      requests: 0,
      creditsUsed: 0,
      creditsLimit: plan.creditsPerMonth,
      creditsRemaining: plan.creditsPerMonth,
      operations: [],
    }),
    readiness: async () => ({ isReady: true, checks: { database: 'ok' } }),
    overload: () => null,
    people: nobody(() => new Date(now)),
    webhooks: NO_WEBHOOKS,
    batches: NO_BATCHES,
    ...over,
    operations: { ...memoryOperations(asked), ...over.operations },
  });
  const setClockBack = (ms: number): void => void (now -= ms);
  const passMs = (ms: number): void => {
    now += ms;
    elapsedMs += ms;
  };
  return { app, key: addKey(), asked, logLines, keyLookups, addKey, keyRecords, passMs, setClockBack };
}

/** A database in which nobody is found: the tests of people run on real ones. */
function nobody(clock: Clock): ApiDeps['people'] {
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (within) => new SqliteIntrospector(within),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const refuse = async (): Promise<never> => {
    throw new Error('These tests write nothing of people.');
  };
  const store: Store = {
    engine: 'sqlite',
    db,
    clock,
    insertRows: refuse,
    ping: refuse,
    close: async () => {},
  };
  return { store, clock, randomBytes, plans: BUILT_IN_PLANS, passwords: createPasswords(randomBytes) };
}

/** Lists nothing and keeps nothing: the tests of webhooks run on a database. */
const NO_WEBHOOKS: ApiDeps['webhooks'] = {
  parseCallbackUrl: async () => ({ url: null, refusal: 'These tests call nobody.' }),
  listDeliveries: async () => ({ deliveries: [], nextCursor: null }),
  redeliver: async () => {
    throw new PlumblineError('not_found', 'There is no delivery of this id.');
  },
  sendTest: async () => {
    throw new Error('These tests send no webhooks.');
  },
  rotateSecret: async () => ({ text: 'whsec_', createdAt: NOW, previousUntil: null }),
};

const noJob = async (): Promise<never> => {
  throw new PlumblineError('not_found', 'There is no job of this id.');
};

/** Takes none on and has none: the tests of batches run on a database. */
const NO_BATCHES: ApiDeps['batches'] = {
  creditsMax: () => 0,
  submit: async () => {
    throw new Error('These tests submit no batches.');
  },
  findSubmission: async () => null,
  read: noJob,
  list: async () => ({ jobs: [], nextCursor: null }),
  resultsPage: noJob,
  cancel: noJob,
  retryCreditsMax: noJob,
  retryFailed: noJob,
};

function memoryOperations(asked: PropertyValuationRequest[]): Operations {
  const kept = new Map<string, { accountId: string; answer: PropertyValuation }>();
  const find = (valuationId: string, accountId: string): PropertyValuation => {
    const found = kept.get(valuationId);
    if (found?.accountId !== accountId)
      throw new PlumblineError('not_found', `There is no valuation ${valuationId}.`);
    return found.answer;
  };
  return {
    valueProperty: async (request, caller) => {
      asked.push(request);
      const serial = String(asked.length).padStart(12, '0');
      const answer = inventedAnswer(request, `00000000-0000-7000-8000-${serial}`);
      kept.set(answer.valuation.valuationId, { accountId: caller.accountId, answer });
      return { ...answer, credits: 30 + answer.comparables.count };
    },
    propertyCreditsMax: (search) => 30 + search.numComps,
    propertyMissingDetails: async () => {
      throw new Error('These tests ask for no range costs.');
    },
    describeHome: async () => {
      throw new Error('These tests describe no homes.');
    },
    rentalCreditsMax: () => 30,
    valueRental: async () => {
      throw new Error('These tests ask for no rents.');
    },
    multifamilyCreditsMax: (search) => 50 + search.numComps,
    valueMultifamily: async () => {
      throw new Error('These tests ask for no buildings.');
    },
    readValuation: async (valuationId, caller) => ({
      kind: 'property',
      answer: find(valuationId, caller.accountId),
    }),
    replayValuation: async (valuationId, caller) => {
      const original = find(valuationId, caller.accountId);
      return { valuationId, kind: 'property', agrees: true, original, replayed: original };
    },
    censusCreditsMax: async () => 1,
    censusAtPlace: async () => {
      throw new Error('These tests ask for no census figures.');
    },
    censusOfAreas: async () => {
      throw new Error('These tests ask for no census figures.');
    },
    censusHere: async () => ({ county: null, years: [] }),
    completeAddress: async () => [],
    mapTiles: {
      version: async () => 'none',
      tile: async () => ({ version: 'none', bytes: new Uint8Array(0) }),
    },
    listCensusVariables: async () => [],
    unknownCensusNames: async () => ({ keys: [], categories: [] }),
    crimeDataCreditsMax: () => 10,
    crimeData: async () => {
      throw new Error('These tests ask for no crime.');
    },
    hazardCreditsMax: () => 10,
    fireRisk: async () => {
      throw new Error('These tests ask for no fire risk.');
    },
    floodZone: async () => {
      throw new Error('These tests ask for no flood zone.');
    },
    comprehensiveCreditsMax: async () => 1,
    comprehensive: async () => {
      throw new Error('These tests ask for no place as a whole.');
    },
    listMarkets: async () => [],
    listCoverage: async () => [],
    listMarketIds: async () => [],
    listMarketWork: async () => [],
    listVersions: async () => [],
    studyModel: async () => {
      throw new PlumblineError('not_found', 'There is no model of this id.');
    },
    findKeptBacktest: async () => null,
  };
}

/** An answer of the right form that shows what was asked; its figures mean nothing. */
export function inventedAnswer(request: PropertyValuationRequest, valuationId: string): PropertyValuation {
  const { location, search, attributes } = request;
  const point = 250_000;
  const items = Array.from({ length: search.numComps }, (_, index) => inventedSale(request, index));
  return {
    addressInfo: {
      formattedAddress: location.address,
      streetAddress: location.address,
      city: null,
      state: null,
      stateCode: null,
      county: null,
      postalCode: null,
      latitude: location.lat ?? 43,
      longitude: location.lon ?? -88,
      geohash8: 'dp9dtest',
      matchLevel: 'point',
      censusGeoids: null,
    },
    valuation: {
      valuationId,
      propertyType: request.propertyType ?? 'houses',
      totalUnits: attributes.totalUnits ?? 1,
      currency: 'USD',
      asOfDate: formatDay(request.asOf),
      pointValue: point,
      estimatedValue: point,
      estimatedValueLow: 210_000,
      estimatedValueHigh: 300_000,
      confidenceInterval90: { lower: 210_000, upper: 300_000 },
      confidenceInterval95: { lower: 200_000, upper: 312_000 },
      distribution: {
        mean: 251_000,
        median: point,
        std: 26_000,
        percentiles: {
          p5: 210_000,
          p10: 220_000,
          p25: 235_000,
          p50: point,
          p75: 268_000,
          p90: 288_000,
          p95: 300_000,
        },
      },
      fsd: 0.1,
      confidenceScore: 90,
      pricePerSqft: null,
      pricePerSqftLow: null,
      pricePerSqftHigh: null,
      estimators: [{ name: 'model', value: point, weight: 1 }],
      inputs: ATTRIBUTES.map((field: Attribute) => ({
        field,
        value: attributes[field],
        source: attributes[field] === null ? ('comparables' as const) : ('request' as const),
        support: attributes[field] === null ? 20 : null,
      })),
      accuracy: null,
      model: { id: 'm', version: TODAY, sha256: 'ab', dataSnapshot: 'cd' },
      warnings: [...request.warnings],
    },
    comparables: {
      count: items.length,
      items,
      search: { radiusMi: search.radiusMi, lookbackMonths: search.lookbackMonths, candidates: items.length },
    },
  };
}

function inventedSale(request: PropertyValuationRequest, index: number): SaleComparable {
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
    attributes: request.attributes,
    salePrice: 240_000,
    saleDate: '2025-01-15',
    daysSinceSale: 440,
    pricePerSqft: null,
    timeAdjustedPrice: 246_000,
    adjustments: [
      { field: 'time', subject: null, comp: null, amount: 6000 },
      { field: 'livingAreaSqft', subject: 1500, comp: 1400, amount: 4000 },
    ],
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
