import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayOf, formatDay } from '../src/domain/day.ts';
import { importSales } from '../src/load/import-records.ts';
import type { Store } from '../src/store/store.ts';

const START = dayOf(2024, 1, 1);
const HEADER =
  'record_id,parcel_id,sale_date,sale_price,address,latitude,longitude,property_type,living_area,year_built';

/** Houses that sold at about $200 per sqft. */
const HOUSES = Array.from({ length: 60 }, (_, i) => {
  const price = 1_500 * (190 + (i % 21));
  const at = `${43 + (i % 12) / 1_000},${-88 + (i % 7) / 1_000}`;
  return `r${i},p${i},${formatDay(START + 2 * i)},${price},${i} OAK ST,${at},houses,1500,1960`;
});

/** A lot that sold for $50,000 in the year in which its home was built. */
export const LOT = 'lot';
const LOT_ROW = `${LOT},${LOT},${formatDay(START + 300)},50000,99 OAK ST,43.001,-88.001,houses,1500,2024`;

/** Imports a market of 61 sales, one of which is flagged. */
export async function importFlaggedSales(store: Store, marketId: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-flagged-'));
  try {
    const path = join(dataDir, 'sales.csv');
    await writeFile(path, [HEADER, ...HOUSES, LOT_ROW, ''].join('\n'));
    await importSales({ store, dataDir, clock: store.clock }, { marketId, files: [path] });
  } finally {
    await rm(dataDir, { recursive: true });
  }
}
