/**
 * Measures imports of Milwaukee's files (../shared/data): `node bench/import.ts [postgres://…]`, with the
 * embedded database by default. Each import runs twice; the second run must change nothing.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/clock.ts';
import { importAddresses, importParcels } from '../src/load/import-parcels.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../src/load/import-options.ts';
import { importSales } from '../src/load/import-records.ts';
import { openStore } from '../src/store/open-store.ts';
import { DATA } from './accuracy-data.ts';

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
const store = await openStore({ databaseUrl: process.argv[2] ?? null, dataDir });
const deps: ImportDeps = { store, clock: systemClock, dataDir };
console.log(`${store.engine}: what, rows, seconds, seconds again, peak MB`);
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
