import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { composeServed } from '../src/cli/compose.ts';
import type { Clock } from '../src/clock.ts';
import { dayOf, dayOfInstant } from '../src/domain/day.ts';
import { importAddresses } from '../src/load/import-addresses.ts';
import { importParcels } from '../src/load/import-parcels.ts';
import { importRents } from '../src/load/import-rents.ts';
import { importSales } from '../src/load/import-sales.ts';
import { generateSampleCounty } from '../src/load/sample-county/generate-sample-county.ts';
import { writeSampleCounty, type SampleFiles } from '../src/load/sample-county/write-sample-county.ts';
import type { OperationDeps } from '../src/operations/deps.ts';
import { train } from '../src/operations/training/train.ts';
import { openStore } from '../src/store/open-store.ts';
import type { TestDatabase } from '../src/store/test-engines.ts';
import { uuidV7 } from '../src/store/uuid-v7.ts';
import { propertyModelOf } from '../src/valuation/model/property-model.ts';
import { NO_ASSUMPTION_FILE, type AssumptionFile } from '../src/valuation/multifamily/parse-assumptions.ts';
import { cachedJobs } from './cached-jobs.ts';
import { startTestApp } from './test-app.ts';

export const MARKET_ID = 'sample-county';
/** The day on which the tests of the whole service take place. */
export const AS_OF = dayOf(2026, 6, 30);
const SEED = 7;
/** A tenth of the trees: the tests are of the service, not of how good its values are. */
const runQuickJobs = cachedJobs(propertyModelOf({ effort: 0.1 }), 'effort 0.1');

const IMPORTERS = { sales: importSales, rents: importRents } as const;

export const county = generateSampleCounty(SEED, AS_OF);

/** The whole service on one store: imported, trained, served without a port. */
export interface TestService {
  readonly app: FastifyInstance;
  readonly key: string;
  readonly operations: OperationDeps;
  readonly importFile: (kind: 'sales' | 'rents', file: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Writes the generated county's files to a folder that `use` may read. */
export async function withSampleFiles(
  use: (files: SampleFiles, dir: string) => Promise<void>,
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-service-'));
  try {
    await use(await writeSampleCounty(county, dir), dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

export async function startService(
  database: TestDatabase,
  files: SampleFiles,
  dataDir: string,
  {
    hasRents = false,
    assumptions = NO_ASSUMPTION_FILE,
  }: { readonly hasRents?: boolean; readonly assumptions?: AssumptionFile } = {},
): Promise<TestService> {
  const clock: Clock = () => new Date(AS_OF * 86_400_000 + 43_200_000);
  const store = await openStore(database.settings);
  const deps = { store, clock, dataDir };
  const options = { marketId: MARKET_ID, sourceName: 'Generated sample county (not real)' };
  await importAddresses(deps, { ...options, files: [files.addresses] });
  await importParcels(deps, { ...options, files: [files.parcels] });
  await importSales(deps, { ...options, files: [files.sales] });
  if (hasRents) await importRents(deps, { ...options, files: [files.rents] });
  const newId = (): string => uuidV7(clock().getTime(), randomBytes(10));
  await train(
    { store, clock, newId, runJobs: runQuickJobs },
    { marketId: MARKET_ID, trainedOn: dayOfInstant(clock()) - 30, kind: null },
    () => {},
  );
  const served = composeServed(store, { ...database.settings, threads: 2 }, null, assumptions);
  await served.preload();
  const operations: OperationDeps = { ...served.deps, clock, newId };
  const { app, key } = await startTestApp(operations);
  return {
    app,
    key,
    operations,
    importFile: async (kind, file) => {
      await IMPORTERS[kind](deps, { ...options, files: [file] });
    },
    close: async () => {
      await app.close();
      await served.close();
      await store.close();
      await database.drop();
    },
  };
}
