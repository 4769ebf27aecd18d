import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { createKey, listKeys, revokeKey } from '../accounts/manage-keys.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { addMonths, dayOfInstant, formatDay, type Day } from '../domain/day.ts';
import type { Sale } from '../domain/sale.ts';
import { queueModelJob } from '../jobs/model-jobs.ts';
import { importSampleCounty } from '../load/sample-county/import-sample-county.ts';
import { PLACE } from '../load/sample-county/plan.ts';
import { formatAddress } from '../operations/locate-place.ts';
import { fitInThreads } from '../operations/training/fit-pool.ts';
import { train } from '../operations/training/train.ts';
import { currentDataset } from '../store/datasets.ts';
import { listModels } from '../store/models.ts';
import { readSales } from '../store/property-records.ts';
import type { Store } from '../store/store.ts';
import { composePeople, newId, withServedStore } from './compose.ts';
import {
  NPM_START,
  rejectForeignDatabase,
  renewDemoAdministrator,
  type DemoAdministrator,
} from './demo-administrator.ts';
import { listen } from './listen.ts';
import { withProgress, type OnProgress } from './progress.ts';
import { generatePassword } from './read-password.ts';

const EARLIER_MODELS =
  'Models of a year ago are being trained (half a minute). Then you can request values as of any date since.\n';

const TAKEN =
  '\n                 npm start did not create the user "demo", and leaves their password and role as they are';

const KEY_NAME = 'made by npm start';

export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('run by npm start: generate the sample county on the first start, print a key, serve')
    .action(() => withServedStore(demo));
}

async function demo(store: Store, config: Config): Promise<void> {
  if (config.databaseUrl !== null) await rejectForeignDatabase(store);
  const isNew = (await listModels(store, { marketId: PLACE.marketId })).length === 0;
  if (isNew) await withProgress((report) => createSampleCounty(store, config, report));
  const house = await findSale(store, isExampleHouse);
  const building = await findSale(store, isExampleBuilding);
  const logLevel = config.logLevel === 'info' ? 'warn' : config.logLevel;
  const server = await listen(store, { ...config, logLevel }, async (url) => {
    const key = await renewKey(store);
    const password = generatePassword();
    const administrator = await renewDemoAdministrator(composePeople(store, config), password);
    console.error(welcome(url, { key, password, administrator }, house, building));
    if (isNew) console.error(EARLIER_MODELS);
  });
  await server.stopped;
}

/** Uses the same importers and training as an operator. */
async function createSampleCounty(store: Store, config: Config, progress: OnProgress): Promise<void> {
  const today = dayOfInstant(systemClock());
  await importSampleCounty({ store, clock: systemClock, dataDir: config.dataDir, progress }, today);
  await train(
    { store, clock: systemClock, runJobs: fitInThreads(config.threads) },
    { marketId: PLACE.marketId, trainedOn: today, kind: null },
    progress,
  );
  await queueEarlierModels(store, today);
}

/**
 * Queues models as of a year ago; the server trains them after it starts. With them, values as of any later
 * date can be requested.
 */
async function queueEarlierModels(store: Store, today: Day): Promise<void> {
  const options = ['--market', PLACE.marketId, '--as-of', formatDay(addMonths(today, -12))];
  await queueModelJob({ store, clock: systemClock, newId }, { task: 'train', options });
}

/** A key cannot be shown twice, so every start creates a new key and revokes the keys of earlier starts. */
async function renewKey(store: Store): Promise<string> {
  const earlier = (await listKeys({ store })).filter(
    (key) => key.name === KEY_NAME && key.revokedAt === null,
  );
  for (const key of earlier) await revokeKey({ store, clock: systemClock }, NPM_START, key.keyId);
  const made = await createKey({ store, clock: systemClock, randomBytes }, NPM_START, {
    name: KEY_NAME,
    environment: 'test',
  });
  return made.text;
}

/** The fields of the example request. They match the record of the example house. */
const HOUSE = { total_bedrooms: 3, total_bathrooms: 2 } as const;

/** A house that matches the example request. */
function isExampleHouse({ type, attributes }: Sale): boolean {
  return (
    type === 'houses' &&
    attributes.bedrooms === HOUSE.total_bedrooms &&
    attributes.bathrooms === HOUSE.total_bathrooms
  );
}

/** A multifamily building with known units, bedrooms and bathrooms. */
function isExampleBuilding({ type, attributes }: Sale): boolean {
  const { totalUnits, bedrooms, bathrooms } = attributes;
  return type === 'multifamily' && totalUnits !== null && bedrooms !== null && bathrooms !== null;
}

async function findSale(store: Store, isWanted: (sale: Sale) => boolean): Promise<Sale> {
  const sales = await currentDataset(store, PLACE.marketId, 'sales');
  if (sales) {
    for await (const page of readSales(store, sales.datasetId)) {
      const found = page.find(isWanted);
      if (found) return found;
    }
  }
  throw new Error('the sample county has no sale to show as an example');
}

function locationOf({ address }: Sale): { address: string } {
  return { address: formatAddress(address) ?? address.street };
}

function welcome(
  url: string,
  {
    key,
    password,
    administrator,
  }: { readonly key: string; readonly password: string; readonly administrator: DemoAdministrator },
  house: Sale,
  building: Sale,
): string {
  const ask = (path: string, body: object): string => `curl -s ${url}${path} \\
  -H 'X-API-Key: ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`;
  const value = { location: locationOf(house), search_params: { num_comps: 3 }, property_fields: HOUSE };
  const { totalUnits, bedrooms, bathrooms } = building.attributes;
  const whole = {
    location: locationOf(building),
    search_params: { num_comps: 3 },
    property_fields: { total_units: totalUnits, bedrooms, bathrooms },
  };
  const rent = {
    location: locationOf(building),
    search_params: { num_comps: 3 },
    property_fields: {
      units: [
        { bedrooms: 1, bathrooms: 1 },
        { bedrooms: 2, bathrooms: 1, is_furnished: true },
      ],
    },
  };
  const place = {
    location: locationOf(house),
    requests: ['census-data', 'crime-data', 'fire-risk', 'flood-zone'],
    census: { census_keys: ['B19013_001E'] },
    crime: { limit: 3, include_crime_summary: true },
  };
  return `
Plumbline is serving the generated sample county (its homes, sales and values are not real).

  console        ${url}/console
                 name ${administrator.name}, password ${password}   (changes at the next start)${administrator.isRenamed ? TAKEN : ''}
  documentation  ${url}/docs
  API key        ${key}   (a test key; changes at the next start)

Value a home:

${ask('/v1/avm/property', value)}

Value a building by sales, rents and income:

${ask('/v1/avm/multifamily', whole)}

Value the monthly rent of two of its units:

${ask('/v1/avm/rental', rent)}

Describe a place:

${ask('/v1/comprehensive', place)}

Load your own county: README.md. Stop with Ctrl-C.
`;
}
