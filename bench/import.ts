/**
 * Measures imports, with the embedded database by default:
 *
 *   node bench/import.ts [postgres://…]
 *   node bench/import.ts [postgres://…] --sales 3000000 [--without-coordinates]
 *
 * The first imports Milwaukee's files (../shared/data). Each import runs twice; the second run must change nothing. First
 * the newest 158 sales are added to a market that has the others. The second imports one file of generated sales; its
 * database must be empty.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { systemClock } from '../src/clock.ts';
import { importAddresses, importParcels } from '../src/load/import-parcels.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../src/load/import-options.ts';
import { importSales } from '../src/load/import-records.ts';
import { openStore } from '../src/store/open-store.ts';
import { DATA } from './accuracy-data.ts';
import { measureGeneratedImport } from './speed/generated-import.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sales: { type: 'string' }, 'without-coordinates': { type: 'boolean', default: false } },
});
const [databaseUrl = null] = positionals;
if (values.sales !== undefined) {
  const hasCoordinates = !values['without-coordinates'];
  console.log(await measureGeneratedImport(Number(values.sales), { databaseUrl, hasCoordinates }));
  process.exit();
}

const folder = fileURLToPath(new URL('milwaukee', DATA));
if (!existsSync(folder)) {
  console.error(`There are no Milwaukee files at ${folder}.`);
  process.exit(1);
}
const raw = join(folder, 'raw');
const cases: readonly [
  string,
  (deps: ImportDeps, options: ImportOptions) => Promise<ImportReport>,
  ImportOptions,
][] = [
  ['addresses', importAddresses, ofMilwaukee([join(folder, 'addresses.csv.gz')])],
  ['parcels', importParcels, ofMilwaukee([join(folder, 'parcels_2021.csv.gz')])],
  ['sales', importSales, { marketId: 'cleaned', files: [join(folder, 'sales.csv.gz')] }],
  ['raw sales', importSales, ofMilwaukee(readdirSync(raw).map((name) => join(raw, name)))],
];

function ofMilwaukee(files: string[]): ImportOptions {
  return { marketId: 'milwaukee', format: 'milwaukee', files };
}

const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-bench-'));
const store = await openStore({ databaseUrl, dataDir });
const deps: ImportDeps = { store, clock: systemClock, dataDir };
console.log(`${store.engine}: what, rows, seconds, seconds again, peak MB`);
const NEWEST = 158;
const text = gunzipSync(readFileSync(join(folder, 'sales.csv.gz'))).toString();
const [header, ...lines] = text.trimEnd().split('\n');
const dateColumn = header.split(',').indexOf('sale_date');
lines.sort((a, b) => (a.split(',')[dateColumn] < b.split(',')[dateColumn] ? -1 : 1));
async function importLines(name: string, some: readonly string[]): Promise<ImportReport> {
  const path = join(dataDir, name);
  writeFileSync(path, [header, ...some, ''].join('\n'));
  return importSales(deps, { marketId: 'newest', files: [path] });
}
await importLines('others.csv', lines.slice(0, -NEWEST));
const bytesBefore = await store.byteCount();
const { seconds, rowsLoaded } = await importLines('newest.csv', lines.slice(-NEWEST));
const addedMb = ((await store.byteCount()) - bytesBefore) / 1e6;
console.log(`${rowsLoaded} newer sales: ${seconds} s, ${addedMb.toFixed(2)} MB added`);

let total = 0;
for (const [what, importFiles, options] of cases) {
  const first = await importFiles(deps, options);
  const again = await importFiles(deps, options);
  if (!again.unchanged) console.error(`${what}: the second import changed something`);
  if (what !== 'raw sales') total += first.seconds;
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log([what, first.rowsTotal, first.seconds, again.seconds, peakMb].join(', '));
}
console.log(`addresses, parcels and sales together: ${total.toFixed(1)} s`);
await store.close();
rmSync(dataDir, { recursive: true });
