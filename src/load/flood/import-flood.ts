import { importAreas } from '../import-areas.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../import-options.ts';
import { floodAreaKey, readFloodArea, readStudiedArea } from './read-flood-area.ts';

/**
 * Loads flood areas, and with `availability` the places that were studied. A later import replaces an area of the same
 * study by its identifier; one identifier may stand for several areas, as where an extract cut them apart.
 */
export async function importFlood(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  const availability = options.availability ?? null;
  const files = availability === null ? options.files : [...options.files, availability];
  return importAreas(
    deps,
    { ...options, files },
    {
      kind: 'flood',
      read: (properties, path) =>
        path === availability ? readStudiedArea(properties) : readFloodArea(properties),
      keyOf: floodAreaKey,
      sharesKeys: true,
    },
  );
}
