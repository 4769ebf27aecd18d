import { join } from 'node:path';
import { formatDay, type Day } from '../../domain/day.ts';
import { MAP_LAYERS } from '../../domain/map-layer.ts';
import { importCensusAreas } from '../census-areas/import-census-areas.ts';
import { importCensusValues } from '../census-values/import-census-values.ts';
import { importCrime } from '../crime/import-crime.ts';
import { importFire } from '../fire/import-fire.ts';
import { importFlood } from '../flood/import-flood.ts';
import { importMapLayer } from '../import-map-layer.ts';
import { importParcelAreas } from '../import-parcel-areas.ts';
import { importAddresses, importParcels } from '../import-parcels.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../import-options.ts';
import { importRents, importSales } from '../import-records.ts';
import { generateSampleCounty, SAMPLE_SEED, type SampleCounty } from './generate-sample-county.ts';
import { PLACE } from './plan.ts';
import { samplePlaceFiles, writeSampleFiles, writeSampleHomes } from './write-sample-county.ts';

/**
 * Generates the sample county and imports it as an operator would: from files, with the same importers, and
 * with a source that states that nothing is real. Importing it again on the same day changes nothing.
 */
export async function importSampleCounty(deps: ImportDeps, asOf: Day): Promise<readonly ImportReport[]> {
  const county = generateSampleCounty(SAMPLE_SEED, asOf);
  const files = await writeSampleHomes(county, join(deps.dataDir, PLACE.marketId));
  const options = (file: string): ImportOptions => optionsOf(county, [file]);
  return [
    // Addresses and parcels first, because sales and rents may be located by them.
    await importAddresses(deps, options(files.addresses)),
    await importParcels(deps, { ...options(files.parcels), asOfDate: asOf }),
    await importSales(deps, options(files.sales)),
    await importRents(deps, options(files.rents)),
    ...(await importSamplePlaces(deps, county)),
  ];
}

/** Census areas and values, crime, fire and flood. */
export async function importSamplePlaces(deps: ImportDeps, county: SampleCounty): Promise<ImportReport[]> {
  const { censusAreas, censusValues, crime, fire, flood, parcelAreas, ...layers } = samplePlaceFiles(county);
  const write = async (files: Parameters<typeof writeSampleFiles>[0]): Promise<ImportOptions> =>
    optionsOf(county, await writeSampleFiles(files, join(deps.dataDir, PLACE.marketId)));
  const importMapLayers = async (): Promise<ImportReport[]> => {
    const reports: ImportReport[] = [];
    for (const layer of MAP_LAYERS)
      reports.push(await importMapLayer(deps, await write(layers[layer]), layer));
    return reports;
  };
  return [
    await importCensusAreas(deps, await write(censusAreas)),
    await importCensusValues(deps, await write(censusValues)),
    await importCrime(deps, await write(crime)),
    await importFire(deps, await write(fire)),
    await importFlood(deps, await write(flood)),
    await importParcelAreas(deps, await write(parcelAreas)),
    ...(await importMapLayers()),
  ];
}

function optionsOf({ asOf }: SampleCounty, files: readonly string[]): ImportOptions {
  const { marketId, sourceName, license } = PLACE;
  return { marketId, sourceName, license, retrievedAt: formatDay(asOf), files };
}
