import { join } from 'node:path';
import { formatDay, type Day } from '../../domain/day.ts';
import { importCensusAreas } from '../census-areas/import-census-areas.ts';
import { importCensusValues } from '../census-values/import-census-values.ts';
import { importCrime } from '../crime/import-crime.ts';
import { importFire } from '../fire/import-fire.ts';
import { importFlood } from '../flood/import-flood.ts';
import { importAddresses } from '../import-addresses.ts';
import type { ImportDeps, ImportReport } from '../import-options.ts';
import { importParcels } from '../import-parcels.ts';
import { importRents } from '../import-rents.ts';
import { importSales } from '../import-sales.ts';
import { generateSampleCounty, SAMPLE_SEED } from './generate-sample-county.ts';
import { writeSamplePlaces } from './places/write-sample-places.ts';
import type { SampleCounty } from './sample-county.ts';
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
  const county = generateSampleCounty(seed, asOf);
  return [...(await importHomes(deps, county)), ...(await importPlaces(deps, county))];
}

async function importHomes(deps: ImportDeps, county: SampleCounty): Promise<ImportReport[]> {
  const files = await writeSampleCounty(county, folderOf(deps));
  const options = labelled(county);
  // Addresses and parcels first, as sales and rents may be placed by them.
  return [
    await importAddresses(deps, { ...options, files: [files.addresses] }),
    await importParcels(deps, { ...options, files: [files.parcels], asOfDate: county.asOf }),
    await importSales(deps, { ...options, files: [files.sales] }),
    await importRents(deps, { ...options, files: [files.rents] }),
  ];
}

/** The layers of places: census areas and values, crime, fire and flood. */
export async function importPlaces(deps: ImportDeps, county: SampleCounty): Promise<ImportReport[]> {
  const files = await writeSamplePlaces(county, folderOf(deps));
  const options = labelled(county);
  return [
    await importCensusAreas(deps, { ...options, files: files.censusAreas }),
    await importCensusValues(deps, { ...options, files: files.censusValues }),
    await importCrime(deps, { ...options, files: files.crime }),
    await importFire(deps, { ...options, files: files.fire }),
    await importFlood(deps, { ...options, files: files.flood }),
  ];
}

const folderOf = ({ dataDir }: ImportDeps): string => join(dataDir, PLACE.marketId);

function labelled({ asOf }: SampleCounty) {
  return {
    marketId: PLACE.marketId,
    sourceName: PLACE.sourceName,
    license: PLACE.license,
    retrievedAt: formatDay(asOf),
  };
}
