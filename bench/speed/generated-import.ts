import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import type { ImportDeps } from '../../src/load/import-options.ts';
import { importParcels } from '../../src/load/import-parcels.ts';
import { importSales } from '../../src/load/import-records.ts';
import { openStore } from '../../src/store/open-store.ts';
import { writeParcelsFile, writeSalesFile } from './write-sales.ts';

/**
 * Imports one CSV file of generated sales into an empty database. Sales without coordinates are placed by parcels that are
 * imported before, which is not measured. The peak of memory is that of this process.
 */
export async function measureGeneratedImport(
  sales: number,
  {
    databaseUrl = null,
    hasCoordinates = true,
  }: { databaseUrl?: string | null; hasCoordinates?: boolean } = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-bench-'));
  const store = await openStore({ databaseUrl, dataDir });
  try {
    const deps: ImportDeps = { store, clock: systemClock, dataDir };
    const [salesPath, parcelsPath] = [join(dataDir, 'sales.csv'), join(dataDir, 'parcels.csv')];
    await writeSalesFile(salesPath, sales, hasCoordinates);
    if (!hasCoordinates) {
      await writeParcelsFile(parcelsPath, sales);
      await importParcels(deps, { marketId: 'generated', files: [parcelsPath] });
    }
    const before = process.cpuUsage();
    const { seconds, rowsTotal } = await importSales(deps, { marketId: 'generated', files: [salesPath] });
    const { user, system } = process.cpuUsage(before);
    const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
    return { sales: rowsTotal, seconds, cpu_seconds: (user + system) / 1e6, peak_mb: peakMb };
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true });
  }
}
