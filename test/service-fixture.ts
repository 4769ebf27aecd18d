import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { casesOf } from './harness/cases.ts';
import { composeServed } from '../src/cli/compose.ts';
import type { Clock } from '../src/clock.ts';
import { dayOf, formatDay } from '../src/domain/day.ts';
import type { ValuationKind } from '../src/domain/valuation-kind.ts';
import { importAddresses, importParcels } from '../src/load/import-parcels.ts';
import type { ImportDeps } from '../src/load/import-options.ts';
import { importRents, importSales } from '../src/load/import-records.ts';
import { generateSampleCounty, type SampleCounty } from '../src/load/sample-county/generate-sample-county.ts';
import type { SampleParcel } from '../src/load/sample-county/homes.ts';
import { writeSampleHomes, type SampleFiles } from '../src/load/sample-county/write-sample-county.ts';
import type { BatchLoop } from '../src/jobs/batch-loop.ts';
import type { OperationDeps } from '../src/operations/deps.ts';
import { train } from '../src/operations/training/train.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { engines, type TestDatabase, type TestEngine } from './harness/store/engines.ts';
import type { PreparedDatabase } from './harness/store/prepared-database.ts';
import { uuidV7 } from '../src/store/uuid-v7.ts';
import { NO_ASSUMPTION_FILE, type AssumptionFile } from '../src/valuation/multifamily/assumptions.ts';
import { quickJobs } from './cached-jobs.ts';
import { startTestApp } from './test-app.ts';
import type { Json } from './json.ts';

export const MARKET_ID = 'sample-county';
/** The current date in tests of the whole service. */
export const AS_OF = dayOf(2026, 6, 30);
/** Where people would reach the service, for links in reports. */
export const PUBLIC_URL = 'https://avm.test';
const SEED = 7;
/** A tenth of the trees: the tests check the service, not the accuracy of its values. */
const runQuickJobs = quickJobs(0.1);

const IMPORTERS = { sales: importSales, rents: importRents } as const;

export const county = everyThirdBlock(generateSampleCounty(SEED, AS_OF));

/**
 * About 1,400 sales and 1,400 listings instead of 4,000 each. The service behaves the same. Buildings are
 * few, so they keep all their sales.
 */
function everyThirdBlock(whole: SampleCounty): SampleCounty {
  const isThird = ({ blockId }: SampleParcel): boolean => blockId % 3 === 0;
  const isKept = (parcel: SampleParcel): boolean =>
    isThird(parcel) || parcel.type === 'small_multifamily' || parcel.type === 'multifamily';
  return {
    ...whole,
    parcels: whole.parcels.filter(isKept),
    sales: whole.sales.filter(({ parcel }) => isKept(parcel)),
    rents: whole.rents.filter(({ parcel }) => isThird(parcel)),
  };
}

/** The whole service on one store: imported, trained, and served without a port. */
export interface TestService {
  readonly app: FastifyInstance;
  readonly key: string;
  /** Works on batches while a test waits for it to be idle. */
  readonly batchLoop: BatchLoop;
  readonly operations: OperationDeps;
  readonly settings: TestDatabase['settings'];
  readonly importFile: (kind: 'sales' | 'rents', file: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Writes the generated county's files to a temporary folder for `use`. */
export async function withSampleFiles(
  use: (files: SampleFiles, dir: string) => Promise<void>,
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-service-'));
  try {
    await use(await writeSampleHomes(county, dir), dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const clock: Clock = () => new Date(AS_OF * 86_400_000 + 43_200_000);
const newId = (): string => uuidV7(clock().getTime(), randomBytes(10));
const OPTIONS = { marketId: MARKET_ID, sourceName: 'Generated sample county (not real)' };

/** The county with its sales and its property model. */
const WITH_SALES: PreparedDatabase = {
  name: 'sample-sales',
  fill: (settings) =>
    withStoreAndFiles(settings, async (deps, files) => {
      await importAddresses(deps, { ...OPTIONS, files: [files.addresses] });
      await importParcels(deps, { ...OPTIONS, files: [files.parcels] });
      await importSales(deps, { ...OPTIONS, files: [files.sales] });
      await trainKind(deps.store, 'property');
    }),
};

/** The same with rental listings and the models trained on them. */
export const SAMPLE_WITH_RENTS: PreparedDatabase = {
  name: 'sample-rents',
  basis: WITH_SALES,
  fill: (settings) =>
    withStoreAndFiles(settings, async (deps, files) => {
      await importRents(deps, { ...OPTIONS, files: [files.rents] });
      await trainKind(deps.store, 'rental');
      await trainKind(deps.store, 'multifamily');
    }),
};

/** Adds columns to a CSV file without quotes. */
async function addColumns(path: string, names: string, valuesOf: (cells: string[], row: number) => string) {
  const [head, ...rows] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const lines = rows.map((line, row) => `${line},${valuesOf(line.split(','), row)}`);
  await writeFile(path, [`${head},${names}`, ...lines, ''].join('\n'));
}

/** The county with features of its own: a grade that follows the price, a view, and the floor of rentals. */
export const SAMPLE_WITH_FEATURES: PreparedDatabase = {
  name: 'sample-features',
  fill: (settings) =>
    withStoreAndFiles(settings, async (deps, files) => {
      await addColumns(files.sales, 'Grade,view', (cells, row) => {
        const price = Number(cells[3]);
        const grade = row % 10 === 0 ? '' : Math.round(4 * Math.log(price / 50_000)) + (row % 2);
        return `${grade},${['LAKE', 'Park', 'STREET', ''][row % 4]}`;
      });
      await addColumns(files.rents, 'floor', (_, row) => String(row % 7));
      await importSales(deps, { ...OPTIONS, files: [files.sales], features: ['Grade', 'view'] });
      await importRents(deps, { ...OPTIONS, files: [files.rents], features: ['floor'] });
      for (const kind of ['property', 'rental', 'multifamily'] as const) await trainKind(deps.store, kind);
    }),
};

async function withStoreAndFiles(
  settings: Parameters<PreparedDatabase['fill']>[0],
  work: (deps: ImportDeps, files: SampleFiles) => Promise<void>,
): Promise<void> {
  const store = await openStore(settings);
  try {
    await withSampleFiles((files, dataDir) => work({ store, clock, dataDir }, files));
  } finally {
    await store.close();
  }
}

async function trainKind(store: Store, kind: ValuationKind): Promise<void> {
  const deps = { store, clock, newId, runJobs: runQuickJobs };
  await train(deps, { marketId: MARKET_ID, trainedOn: AS_OF - 30, kind }, () => {});
}

export async function startService(
  engine: TestEngine,
  dataDir: string,
  {
    hasRents = false,
    prepared = hasRents ? SAMPLE_WITH_RENTS : WITH_SALES,
    assumptions = NO_ASSUMPTION_FILE,
    threads = 1,
    marketMemoryBytes = 1e9,
  }: {
    readonly hasRents?: boolean;
    readonly prepared?: PreparedDatabase;
    readonly assumptions?: AssumptionFile;
    readonly threads?: number;
    readonly marketMemoryBytes?: number;
  } = {},
): Promise<TestService> {
  const database = await engine.copyOf(prepared);
  const store = await openStore(database.settings);
  const settings = { ...database.settings, threads, marketMemoryBytes };
  const served = composeServed(store, settings, null, assumptions);
  await served.preload();
  const operations: OperationDeps = { ...served.deps, clock, newId };
  const { app, key, batchLoop } = await startTestApp(operations, { publicUrl: PUBLIC_URL });
  return {
    app,
    key,
    batchLoop,
    operations,
    settings: database.settings,
    importFile: async (kind, file) => {
      await IMPORTERS[kind]({ store, clock, dataDir }, { ...OPTIONS, files: [file] });
    },
    close: async () => {
      await app.close();
      await batchLoop.close();
      await served.close();
      await store.close();
      await database.drop();
    },
  };
}

/**
 * A file with the sales and 50 more at other prices, sold and recorded today: after all others, because rows that sort
 * before the last row of a training are first used by the next training.
 *
 * @param parcelId the parcel of another later sale
 */
export async function withLaterSales(
  salesFile: string,
  dir: string,
  priceFactor: number,
  parcelId: string | null = null,
): Promise<string> {
  const [header, ...rows] = (await readFile(salesFile, 'utf8')).trimEnd().split('\n');
  const at = (name: string) => header.split(',').indexOf(name);
  const own = rows.filter((row) => row.split(',')[at('parcel_id')] === parcelId).slice(0, 1);
  const later = [...own, ...rows.slice(0, 50)].map((row, i) => {
    const cells = row.split(',');
    cells[at('record_id')] = `later-${i}`;
    cells[at('sale_date')] = cells[at('recorded_date')] = formatDay(AS_OF);
    cells[at('sale_price')] = String(Math.round(priceFactor * Number(cells[at('sale_price')])));
    return cells.join(',');
  });
  const path = join(dir, 'later-sales.csv');
  await writeFile(path, [header, ...rows, ...later, ''].join('\n'));
  return path;
}

interface ServiceAnswer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Json;
}

export async function postTo(
  service: Pick<TestService, 'app' | 'key'>,
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ServiceAnswer> {
  const response = await service.app.inject({
    method: 'POST',
    url,
    headers: { 'x-api-key': service.key, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}

export async function getFrom(
  service: Pick<TestService, 'app' | 'key'>,
  url: string,
): Promise<ServiceAnswer> {
  const response = await service.app.inject({ method: 'GET', url, headers: { 'x-api-key': service.key } });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}

/** The results of a batch of requests. */
export async function batchOf(
  service: TestService,
  properties: readonly object[],
  kind: ValuationKind = 'property',
): Promise<Json[]> {
  const submitted = await postTo(service, `/v1/avm/batch/${kind}`, { properties });
  assert.equal(submitted.status, 202, JSON.stringify(submitted.body));
  await service.batchLoop.idle();
  return (await getFrom(service, submitted.body.status_url)).body.results;
}

/** A response without the members that differ between two valuations. */
export function comparable(body: Json): string {
  return JSON.stringify({ ...body, valuation: { ...body.valuation, valuation_id: null } });
}

/**
 * How many cases a property test runs on a service. The second engine runs fewer, because its bytes are
 * compared to the first engine's as well.
 */
export function runsOn({ operations }: TestService, ofTheFirst: number): number {
  return casesOf(operations.store.engine === engines[0].name ? ofTheFirst : Math.ceil(ofTheFirst / 3));
}

/**
 * Runs tests on a service of each engine. Then checks, while all services are open, that they give the same
 * bytes.
 */
export async function onEveryEngine(
  t: TestContext,
  start: (engine: TestEngine) => Promise<TestService>,
  tests: (t: TestContext, service: TestService) => Promise<void>,
  assertSameBytes: (services: readonly TestService[]) => Promise<void>,
): Promise<void> {
  const services: TestService[] = [];
  try {
    for (const engine of engines) {
      const service = await start(engine);
      services.push(service);
      await t.test(`on ${engine.name}`, (t) => tests(t, service));
    }
    const skip = services.length < 2 && 'needs PostgreSQL beside SQLite';
    await t.test('both engines give the same bytes', { skip }, () => assertSameBytes(services));
  } finally {
    for (const service of services) await service.close();
  }
}
