/**
 * Prints what imports of real and generated files report and store, as hashes, to show that two versions of the program give the
 * same: run it in both checkouts and compare what they print.
 *
 *   node bench/import-results.ts [NAME …]
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { ImportDeps, ImportOptions, ImportReport } from '../src/load/import-options.ts';
import { importAddresses, importParcels } from '../src/load/import-parcels.ts';
import { importRents, importSales } from '../src/load/import-records.ts';
import { openStore } from '../src/store/open-store.ts';
import { DATA } from './accuracy-data.ts';
import { writeParcelsFile, writeSalesFile } from './speed/write-sales.ts';

type ImportFiles = (deps: ImportDeps, options: ImportOptions) => Promise<ImportReport>;

const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-bench-'));
const real = (path: string): string => fileURLToPath(new URL(path, DATA));
const generated = (name: string): string => join(dataDir, name);
const mapping = (name: string): string =>
  fileURLToPath(new URL(`../docs/operations/mappings/${name}.json`, import.meta.url));
const raw = readdirSync(real('milwaukee/raw')).map((name) => real(`milwaukee/raw/${name}`));
const milwaukee = { marketId: 'milwaukee', format: 'milwaukee' } as const;
const king = { marketId: 'king', files: [real('king/kc_house_data.csv.gz')], mapping: mapping('king') };

await writeSalesFile(generated('sales.csv'), 30_000, true);
await writeSalesFile(generated('placed.csv'), 30_000, false);
await writeParcelsFile(generated('parcels.csv'), 30_000);

/** Later imports find the data of earlier ones. */
const CASES: readonly (readonly [string, ImportFiles, ImportOptions])[] = [
  ['addresses', importAddresses, { ...milwaukee, files: [real('milwaukee/addresses.csv.gz')] }],
  ['parcels', importParcels, { ...milwaukee, files: [real('milwaukee/parcels_2021.csv.gz')] }],
  ['raw', importSales, { ...milwaukee, files: raw.slice(0, -1) }],
  ['raw update', importSales, { ...milwaukee, files: raw.slice(-1) }],
  ['cleaned', importSales, { marketId: 'cleaned', files: [real('milwaukee/sales.csv.gz')] }],
  ['cleaned again', importSales, { marketId: 'cleaned', files: [real('milwaukee/sales.csv.gz')] }],
  ['king', importSales, { ...king, features: 'all' }],
  [
    'ames',
    importSales,
    { marketId: 'ames', files: [real('ames/ames.csv.gz')], mapping: mapping('ames'), features: 'all' },
  ],
  [
    'rents',
    importRents,
    {
      marketId: 'nyc',
      files: [real('rents/nyc_renthop_2016.csv.gz')],
      mapping: mapping('nyc-renthop'),
      datePrecision: 'none',
      accept: ['shared_coordinates', 'most_rows_flagged'],
      maxRejects: 0.5,
    },
  ],
  ['generated', importSales, { marketId: 'generated', files: [generated('sales.csv')] }],
  ['generated parcels', importParcels, { marketId: 'placed', files: [generated('parcels.csv')] }],
  ['generated, placed', importSales, { marketId: 'placed', files: [generated('placed.csv')] }],
];

const TABLES = ['sales', 'rents', 'parcels', 'address_points', 'address_areas', 'dataset_types'];
const store = await openStore({ databaseUrl: null, dataDir });
const deps: ImportDeps = { store, clock: () => new Date('2026-11-01T12:00:00Z'), dataDir };

/** The rows of all tables under the id. */
async function hashStored(rowsId: number): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const table of TABLES) {
    const { rows } =
      await sql<object>`select * from ${sql.table(table)} where dataset_id = ${rowsId}`.execute(store.rows);
    const texts = rows.map((row) => JSON.stringify({ ...row, dataset_id: null })).sort();
    if (rows.length > 0) hashes[table] = `${rows.length} ${sha256(texts.join())}`;
  }
  return hashes;
}

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

const wanted = process.argv.slice(2);
for (const [name, importFiles, options] of CASES) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { files, reportPath, refusedRowsPath, seconds, datasetId, ...report } = await importFiles(
    deps,
    options,
  );
  const { rowsId, ...dataset } = await store.db
    .selectFrom('datasets')
    .select(['rowsId', 'contentHash', 'snapshotSha256', 'south', 'north', 'west', 'east', 'addressCount'])
    .where('datasetId', '=', datasetId)
    .executeTakeFirstOrThrow();
  console.log(name, JSON.stringify({ ...report, findings: report.findings.map(({ message }) => message) }));
  console.log(JSON.stringify({ ...dataset, details: sha256(JSON.stringify(report)) }));
  console.log(JSON.stringify(await hashStored(rowsId ?? datasetId)));
  if (refusedRowsPath !== null) console.log(`refused rows: ${sha256(readFileSync(refusedRowsPath))}`);
  console.error(`${name}: ${files.length} files, ${seconds} s, ${reportPath}`);
}
await store.close();
rmSync(dataDir, { recursive: true });
