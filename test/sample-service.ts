import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { composeServed } from '../src/cli/compose.ts';
import type { Clock } from '../src/clock.ts';
import { dayOf } from '../src/domain/day.ts';
import { VALUATION_KINDS } from '../src/domain/valuation-kind.ts';
import type { BatchLoop } from '../src/jobs/batch-loop.ts';
import type { ImportReport } from '../src/load/import-options.ts';
import { importSampleCounty } from '../src/load/sample-county/import-sample-county.ts';
import { PLACE } from '../src/load/sample-county/plan.ts';
import type { OperationDeps } from '../src/operations/deps.ts';
import { train } from '../src/operations/training/train.ts';
import { openStore } from '../src/store/open-store.ts';
import { engines, type TestDatabase } from './harness/store/engines.ts';
import type { PreparedDatabase } from './harness/store/prepared-database.ts';
import type { DeliverySender } from '../src/webhooks/deliver.ts';
import { quickJobs } from './cached-jobs.ts';
import { startTestApp } from './test-app.ts';

/**
 * The county that `npm start` creates on the current date, with very few trees: these tests check interfaces,
 * not values.
 */
export const SAMPLE_DAY = dayOf(2026, 6, 30);
const EFFORT = 0.05;
const REPORTS = 'import-reports.json';
const clock: Clock = () => new Date(SAMPLE_DAY * 86_400_000 + 43_200_000);
const runQuickJobs = quickJobs(EFFORT);

/** Homes, rents and places. Keeps the reports of their import. */
export const IMPORTED_SAMPLE: PreparedDatabase = {
  name: 'sample-imported',
  fill: async ({ dataDir, ...settings }) => {
    const store = await openStore({ ...settings, dataDir });
    try {
      const reports = await importSampleCounty({ store, clock, dataDir }, SAMPLE_DAY);
      await writeFile(join(dataDir, REPORTS), JSON.stringify(reports));
    } finally {
      await store.close();
    }
  },
};

/** The same with a model of each kind. */
const WHOLE_SAMPLE: PreparedDatabase = {
  name: 'sample-whole',
  basis: IMPORTED_SAMPLE,
  fill: async (settings) => {
    const store = await openStore(settings);
    try {
      for (const kind of VALUATION_KINDS) {
        const deps = { store, clock, newId: () => `sample-${kind}`, runJobs: runQuickJobs };
        await train(deps, { marketId: PLACE.marketId, trainedOn: SAMPLE_DAY - 30, kind }, () => {});
      }
    } finally {
      await store.close();
    }
  },
};

/** The reports of the import that filled IMPORTED_SAMPLE. */
export async function readImportReports(dataDir: string): Promise<readonly ImportReport[]> {
  return JSON.parse(await readFile(join(dataDir, REPORTS), 'utf8'));
}

/** A new database with the sample county. The engine does not matter to HTTP clients. */
async function sampleDatabase(): Promise<TestDatabase> {
  return engines[0].copyOf(WHOLE_SAMPLE);
}

export interface SampleService {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly key: string;
  readonly settings: TestDatabase['settings'];
  readonly operations: OperationDeps;
  /** Works on batches, and delivers webhooks to this machine, while a test waits for them to be idle. */
  readonly batchLoop: BatchLoop;
  readonly deliverySender: DeliverySender;
  readonly close: () => Promise<void>;
}

/** The service on the sample county, on a local port. */
export async function serveSampleCounty(): Promise<SampleService> {
  const database = await sampleDatabase();
  const store = await openStore({ ...database.settings, clock });
  const served = composeServed(store, { ...database.settings, threads: 1, marketMemoryBytes: 1e9 });
  const operations: OperationDeps = { ...served.deps, clock };
  const { app, key, batchLoop, deliverySender } = await startTestApp(operations, {
    callbackAllowCidrs: ['127.0.0.0/8'],
    publicUrl: 'https://avm.example.com',
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = addressOf(app);
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    key,
    settings: database.settings,
    operations,
    batchLoop,
    deliverySender,
    close: async () => {
      await app.close();
      await batchLoop.close();
      await deliverySender.close();
      await served.close();
      await store.close();
      await database.drop();
    },
  };
}

function addressOf(app: FastifyInstance): AddressInfo {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the test server has no port');
  return address;
}
