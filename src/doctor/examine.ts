import { statfsSync } from 'node:fs';
import { rejectUnknownPlans } from '../accounts/manage-accounts.ts';
import type { Plans } from '../accounts/plans.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { openExisting } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { checkBlobs, checkClock, checkPages, checkSchema } from './check-database.ts';
import { checkDisk, checkPermissions } from './check-machine.ts';
import { createObjectStore } from '../egress/object-store.ts';
import type { ObjectStore } from '../egress/stored-object.ts';
import { checkMarkets } from './check-markets.ts';
import { checkObjectAccess, checkSweepFiles, OBJECTS_ADVICE } from './check-objects.ts';
import { checkPortfolios, checkQueue, checkWebhooks } from './check-work.ts';
import { CHECKS, findingsOf, SETTINGS_ADVICE, type Advice, type Check, type Finding } from './finding.ts';
import { checkSealedSecrets } from './sealed-secrets.ts';

type ExaminedConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'webhookKey' | 'objectStore'>;

export interface ExamineDeps {
  readonly config: ExaminedConfig;
  /** Null if the file of plans cannot be read. */
  readonly plans: Plans | null;
  readonly clock?: Clock;
  readonly freeBytesOf?: (folder: string) => number;
}

const DATABASE: Advice = {
  where: 'the database',
  remedy: 'Check PLUMBLINE_DATA or DATABASE_URL, and whether the database runs.',
};
const KEY: Advice = {
  where: 'the key of sealed secrets',
  remedy: 'Restore WEBHOOK_KEY, or the file webhook-key of the data folder.',
};

/** Examines an installation and changes nothing. The findings are in the order of `CHECKS`. */
export async function examine({
  config,
  plans,
  clock,
  freeBytesOf = freeBytes,
}: ExamineDeps): Promise<Finding[]> {
  const found = [...checkDisk(config.dataDir, freeBytesOf), ...checkPermissions(config)];
  const objectStore = config.objectStore && createObjectStore(config.objectStore);
  const objects =
    objectStore && (await findingsOf('objects', OBJECTS_ADVICE, () => checkObjectAccess(objectStore)));
  if (objects !== null) found.push(...objects);
  const readable = objects?.length === 0 ? objectStore : null;
  found.push(
    ...(await findingsOf('database', DATABASE, async () => {
      const store = await openExisting({ ...config, clock });
      try {
        return await examineStore(store, config, plans, readable);
      } finally {
        await store.close();
      }
    })),
  );
  return found.sort((a, b) => CHECKS.indexOf(a.check) - CHECKS.indexOf(b.check));
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

async function examineStore(
  store: Store,
  config: ExaminedConfig,
  plans: Plans | null,
  objectStore: ObjectStore | null,
): Promise<Finding[]> {
  const schema = await checkSchema(store);
  if (schema.length > 0) return schema;
  const checks: readonly [Check, Advice, () => readonly Finding[] | Promise<readonly Finding[]>][] = [
    ['settings', SETTINGS_ADVICE, () => checkPlans(store, plans)],
    ['database', DATABASE, () => checkPages(store)],
    ['clock', DATABASE, () => checkClock(store)],
    ['blobs', DATABASE, () => checkBlobs(store)],
    ['objects', OBJECTS_ADVICE, () => (objectStore ? checkSweepFiles(store, objectStore) : [])],
    ['keys', KEY, () => checkSealedSecrets(store, config)],
    ['markets', DATABASE, () => checkMarkets(store)],
    ['queue', DATABASE, () => checkQueue(store)],
    ['webhooks', DATABASE, () => checkWebhooks(store)],
    ['portfolios', DATABASE, () => checkPortfolios(store)],
  ];
  const found: Finding[] = [];
  for (const [check, advice, run] of checks) found.push(...(await findingsOf(check, advice, run)));
  return found;
}

async function checkPlans(store: Store, plans: Plans | null): Promise<Finding[]> {
  if (plans !== null) await rejectUnknownPlans({ store, plans });
  return [];
}
