import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount } from '../../src/accounts/manage-accounts.ts';
import { createKey } from '../../src/accounts/manage-keys.ts';
import { parsePlans } from '../../src/accounts/plans.ts';
import { systemClock } from '../../src/clock.ts';
import { formatDay } from '../../src/domain/day.ts';
import { importSales } from '../../src/load/import-records.ts';
import { train } from '../../src/operations/training/train.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { TestDatabase } from '../harness/store/engines.ts';
import { uuidV7 } from '../../src/store/uuid-v7.ts';
import { quickJobs } from '../cached-jobs.ts';
import { AS_OF, county, MARKET_ID, withSampleFiles } from '../service-fixture.ts';
import { COMMAND_LINE } from '../../src/store/audit-log.ts';

/** A tenth of the trees: the quality of the values does not matter here. */
const runQuickJobs = quickJobs(0.1);
/** The cost of a valuation without comparables. */
export const CREDITS_EACH = 30;

/** A database with the sample county's sales, a model trained on them, and accounts with keys. */
export interface FaultMarket {
  readonly database: TestDatabase;
  /** A key of an account without a cap. */
  readonly key: string;
  /** A key of an account whose monthly cap allows this many valuations. */
  readonly cappedKey: string;
  /** Environment variables for servers on this database. */
  readonly environment: Readonly<Record<string, string>>;
  /** @param databaseUrl where the database is now, if it moved */
  readonly open: (databaseUrl?: string) => Promise<Store>;
}

export async function createFaultMarket(
  database: TestDatabase,
  { cappedAt = 1_000_000 }: { readonly cappedAt?: number } = {},
): Promise<FaultMarket> {
  const { settings } = database;
  const store = await openStore(settings);
  await withSampleFiles(async (files) => {
    const deps = { store, clock: systemClock, dataDir: settings.dataDir };
    await importSales(deps, { marketId: MARKET_ID, sourceName: 'Generated', files: [files.sales] });
  });
  const newId = (): string => uuidV7(systemClock().getTime(), randomBytes(10));
  const training = { store, clock: systemClock, newId, runJobs: runQuickJobs };
  await train(training, { marketId: MARKET_ID, trainedOn: AS_OF - 30, kind: 'property' }, () => {});
  const written = {
    plans: {
      capped: { endpoints: ['*'], requests: {}, credits_per_month: CREDITS_EACH * cappedAt, batch: true },
    },
  };
  const plans = join(settings.dataDir, 'plans.json');
  writeFileSync(plans, JSON.stringify(written));
  const deps = { store, clock: systemClock, randomBytes, plans: parsePlans(written) };
  await createAccount(deps, COMMAND_LINE, { accountId: 'capped', name: 'Capped', plan: 'capped' });
  const { text: key } = await createKey(deps, COMMAND_LINE, { name: 'load' });
  const { text: cappedKey } = await createKey(deps, COMMAND_LINE, { name: 'capped', accountId: 'capped' });
  await store.close();
  // All processes encrypt secrets with the same key.
  const environment = { PLANS: plans, WEBHOOK_KEY: Buffer.alloc(32, 7).toString('base64') };
  return {
    database,
    key,
    cappedKey,
    environment,
    open: (databaseUrl = settings.databaseUrl ?? undefined) =>
      openStore({ ...settings, databaseUrl: databaseUrl ?? null }),
  };
}

/** A request for a home of the county, by its number. */
export function valuationBody(number: number): string {
  const { parcel } = county.sales[number % county.sales.length];
  return JSON.stringify({
    location: { latitude: parcel.lat, longitude: parcel.lon },
    search_params: { date: formatDay(AS_OF), num_comps: 0 },
    property_fields: { total_bedrooms: 3, total_bathrooms: 2 },
  });
}

/** A batch request for homes of the county, by its number. */
export function batchBody(number: number, items: number): string {
  const properties = Array.from({ length: items }, (_, i) => JSON.parse(valuationBody(items * number + i)));
  return JSON.stringify({ properties });
}
