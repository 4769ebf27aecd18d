import { join } from 'node:path';
import { formatDay, type Day } from '../../domain/day.ts';
import { importAddresses } from '../import-addresses.ts';
import type { ImportDeps, ImportReport } from '../import-options.ts';
import { importParcels } from '../import-parcels.ts';
import { importSales } from '../import-sales.ts';
import { generateSampleCounty, SAMPLE_SEED } from './generate-sample-county.ts';
import { PLACE } from './town/town-plan.ts';
import { writeSampleCounty } from './write-sample-county.ts';

export interface SampleImport {
  readonly asOf: Day;
  readonly seed?: number;
}

/**
 * Makes the sample county and loads it as an operator loads theirs: files in the data folder, the same importers,
 * and a source that says that nothing in it is real. Loaded again on the same day it changes nothing.
 */
export async function importSampleCounty(
  deps: ImportDeps,
  { asOf, seed = SAMPLE_SEED }: SampleImport,
): Promise<readonly ImportReport[]> {
  const files = await writeSampleCounty(generateSampleCounty(seed, asOf), join(deps.dataDir, PLACE.marketId));
  const labelled = {
    marketId: PLACE.marketId,
    sourceName: PLACE.sourceName,
    license: PLACE.license,
    retrievedAt: formatDay(asOf),
  };
  // Addresses and parcels first, as sales may be placed by them.
  return [
    await importAddresses(deps, { ...labelled, files: [files.addresses] }),
    await importParcels(deps, { ...labelled, files: [files.parcels], asOfDate: asOf }),
    await importSales(deps, { ...labelled, files: [files.sales] }),
  ];
}
