import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { createKey, listKeys, revokeKey } from '../accounts/manage-keys.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { addMonths, dayOfInstant, formatDay } from '../domain/day.ts';
import type { Sale } from '../domain/sale.ts';
import { queueModelJob } from '../jobs/model-jobs.ts';
import type { OnProgress } from '../load/import-options.ts';
import { importSampleCounty } from '../load/sample-county/import-sample-county.ts';
import { PLACE } from '../load/sample-county/plan.ts';
import { formatAddress } from '../locate/display-address.ts';
import { fitInThreads } from '../operations/training/fit-pool.ts';
import { train } from '../operations/training/train.ts';
import { currentDataset } from '../store/datasets.ts';
import { listModels } from '../store/models.ts';
import { readSales } from '../store/property-records.ts';
import type { Store } from '../store/store.ts';
import { composePeople } from './compose-people.ts';
import { newId, withServedStore } from './configured-store.ts';
import {
  NPM_START,
  rejectForeignDatabase,
  renewDemoAdministrator,
  type DemoAdministrator,
} from './demo-administrator.ts';
import { listen } from './serve.ts';
import { withProgress } from './progress.ts';
import { generatePassword } from './read-password.ts';

const EARLIER_MODELS =
  'Models as of a year ago are being trained (half a minute). Then you can request values as of any later date.\n';

const TAKEN = '\n                 a user "demo" exists that npm start did not create; it was not changed';

const KEY_NAME = 'made by npm start';

export function registerDemo(program: Command): void {
  program.command('demo').action(() => withServedStore(demo));
}

async function demo(store: Store, config: Config): Promise<void> {
  if (config.databaseUrl !== null) await rejectForeignDatabase(store);
  const isNew = (await listModels(store, { marketId: PLACE.marketId })).length === 0;
  if (isNew) await withProgress((report) => createSampleCounty(store, config, report));
  const house = await findSale(store, isExampleHouse);
  const requests = exampleRequests(house, await findSale(store, isExampleBuilding));
  const logLevel = config.logLevel === 'info' ? 'warn' : config.logLevel;
  const server = await listen(store, { ...config, logLevel }, async (url) => {
    const key = await renewKey(store);
    const password = generatePassword();
    const administrator = await renewDemoAdministrator(composePeople(store, config), password);
    console.error(welcome(url, key, { ...administrator, password }, requests));
    if (isNew) console.error(EARLIER_MODELS);
  });
  await server.stopped;
}

/** Imports and trains as an operator would. */
async function createSampleCounty(store: Store, config: Config, progress: OnProgress): Promise<void> {
  const today = dayOfInstant(systemClock());
  const { marketId } = PLACE;
  await importSampleCounty({ store, clock: systemClock, dataDir: config.dataDir, progress }, today);
  const deps = { store, clock: systemClock, runJobs: fitInThreads(config.threads) };
  await train(deps, { marketId, trainedOn: today, kind: null }, progress);
  // The server trains models as of a year ago after it starts. With them, values as of any later date can be
  // requested.
  const options = ['--market', marketId, '--as-of', formatDay(addMonths(today, -12))];
  await queueModelJob({ store, clock: systemClock, newId }, { task: 'train', options });
}

/** A key cannot be shown twice, so every start creates a new key and revokes the keys of earlier starts. */
async function renewKey(store: Store): Promise<string> {
  const deps = { store, clock: systemClock, randomBytes };
  for (const { keyId, name, revokedAt } of await listKeys({ store })) {
    if (name === KEY_NAME && revokedAt === null) await revokeKey(deps, NPM_START, keyId);
  }
  return (await createKey(deps, NPM_START, { name: KEY_NAME, environment: 'test' })).text;
}

/** The fields of the example request. They match the record of the example house. */
const HOUSE = { total_bedrooms: 3, total_bathrooms: 2 } as const;

function isExampleHouse({ type, attributes: { bedrooms, bathrooms } }: Sale): boolean {
  return type === 'houses' && bedrooms === HOUSE.total_bedrooms && bathrooms === HOUSE.total_bathrooms;
}

function isExampleBuilding({ type, attributes }: Sale): boolean {
  const { totalUnits, bedrooms, bathrooms } = attributes;
  return type === 'multifamily' && totalUnits !== null && bedrooms !== null && bathrooms !== null;
}

async function findSale(store: Store, isWanted: (sale: Sale) => boolean): Promise<Sale> {
  const sales = await currentDataset(store, PLACE.marketId, 'sales');
  if (sales) {
    for await (const page of readSales(store, sales.rowsId)) {
      const found = page.find(isWanted);
      if (found) return found;
    }
  }
  throw new Error('the sample county has no sale to show as an example');
}

/** Requests to try: what each does, its path and its body. */
function exampleRequests(house: Sale, building: Sale): [string, string, object][] {
  const locationOf = ({ address }: Sale) => ({ address: formatAddress(address) });
  const atHouse = { location: locationOf(house) };
  const atBuilding = { location: locationOf(building), search_params: { num_comps: 3 } };
  const { totalUnits, bedrooms, bathrooms } = building.attributes;
  const units = [
    { bedrooms: 1, bathrooms: 1 },
    { bedrooms: 2, bathrooms: 1, is_furnished: true },
  ];
  return [
    [
      'Value a home',
      '/v1/avm/property',
      { ...atHouse, search_params: { num_comps: 3 }, property_fields: HOUSE },
    ],
    [
      'Value a building by sales, rents and income',
      '/v1/avm/multifamily',
      { ...atBuilding, property_fields: { total_units: totalUnits, bedrooms, bathrooms } },
    ],
    [
      'Value the monthly rent of two of its units',
      '/v1/avm/rental',
      { ...atBuilding, property_fields: { units } },
    ],
    [
      'Describe a place',
      '/v1/comprehensive',
      {
        ...atHouse,
        requests: ['census-data', 'crime-data', 'fire-risk', 'flood-zone'],
        census: { census_keys: ['B19013_001E'] },
        crime: { limit: 3, include_crime_summary: true },
      },
    ],
  ];
}

function welcome(
  url: string,
  key: string,
  { name, isRenamed, password }: DemoAdministrator & { readonly password: string },
  requests: readonly [string, string, object][],
): string {
  const examples = requests.map(([title, path, body]) => {
    return `${title}:

curl -s ${url}${path} \\
  -H 'X-API-Key: ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'

`;
  });
  return `
Plumbline is serving the generated sample county (its homes, sales and values are not real).

  console        ${url}/console
                 name ${name}, password ${password}   (changes at the next start)${isRenamed ? TAKEN : ''}
  documentation  ${url}/docs
  API key        ${key}   (a test key; changes at the next start)

${examples.join('')}Load your own county: the console’s page Import. Stop with Ctrl-C.
`;
}
