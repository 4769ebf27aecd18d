import { PlumblineError } from '../../errors.ts';
import { importAreas } from '../import-areas.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../import-options.ts';
import { censusAreaKey, FIRST_YEAR, readCensusArea } from './read-census-area.ts';

/** Loads counties, county subdivisions, tracts and block groups. A later import replaces an area of the same census by its GEOID. */
export async function importCensusAreas(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  const vintage = options.vintage ?? null;
  if (vintage !== null && !(vintage >= FIRST_YEAR)) {
    throw new PlumblineError(
      'usage',
      `--vintage is ${vintage}; it is 2010 or 2020, or a later year that uses one.`,
    );
  }
  return importAreas(deps, options, {
    kind: 'census-areas',
    read: (properties, path) => readCensusArea(properties, path, vintage),
    keyOf: censusAreaKey,
  });
}
