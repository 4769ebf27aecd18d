/**
 * Measures how much the database grows, on the generated sample county with the embedded database:
 *
 *   node bench/storage.ts
 *
 * Batches of 500 homes without and with comparables, and one of 5 MB: 500 buildings with 250 units each.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { serveSampleCounty } from '../test/sample-service.ts';

const ITEMS = 500;
const UNITS = 250;
const COMPARABLES = 20;

const service = await serveSampleCounty();
const { dataDir } = service.settings;
const home = { location: { address: '' }, property_fields: { total_bedrooms: 3, total_bathrooms: 2 } };

/** Bytes of every table with its indexes, largest first. */
function bytesByTable(): Map<string, number> {
  const database = new DatabaseSync(join(dataDir, 'plumbline.db'));
  database.exec('pragma wal_checkpoint(truncate)');
  const rows = database
    .prepare(
      `select m.tbl_name as name, sum(s.pgsize) as bytes from dbstat s join sqlite_schema m on m.name = s.name
       group by m.tbl_name order by bytes desc`,
    )
    .all();
  database.close();
  return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
}

async function addressesOf(count: number): Promise<string[]> {
  const { rows } = service.operations.store;
  const found = await rows
    .selectFrom('parcels')
    .select(['street', 'city', 'state_code', 'postal_code'])
    .where('street', '!=', '')
    .limit(count)
    .execute();
  return found.map(
    ({ street, city, state_code, postal_code }) => `${street}, ${city}, ${state_code} ${postal_code}`,
  );
}

async function runBatch(kind: string, properties: readonly object[]): Promise<void> {
  const before = bytesByTable();
  const body = JSON.stringify({ properties });
  const response = await fetch(`${service.url}/v1/avm/batch/${kind}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': service.key },
    body,
  });
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  await service.batchLoop.idle();
  const after = bytesByTable();
  const grown = [...after].map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)] as const);
  const total = grown.reduce((sum, [, bytes]) => sum + bytes, 0);
  const shown = grown
    .filter(([, bytes]) => bytes > 100_000)
    .map(([name, bytes]) => `${name} ${megabytes(bytes)}`);
  console.log(`  ${megabytes(body.length)} MB added ${megabytes(total)} MB: ${shown.join(', ')}`);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}

const addresses = await addressesOf(ITEMS);
const homes = (numComps: number): object[] =>
  addresses.map((address) => ({ ...home, location: { address }, search_params: { num_comps: numComps } }));
console.log(`${ITEMS} homes`);
await runBatch('property', homes(0));
console.log(`${ITEMS} homes with ${COMPARABLES} comparables`);
await runBatch('property', homes(COMPARABLES));
console.log(`${ITEMS} buildings with ${UNITS} units`);
const units = Array.from({ length: UNITS }, (_, i) => ({
  bedrooms: 1 + (i % 3),
  bathrooms: 1,
  size: 500 + i,
}));
await runBatch(
  'rental',
  addresses.map((address) => ({ location: { address }, property_fields: { units } })),
);
await service.close();
