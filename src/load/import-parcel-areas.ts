import { importAreas } from './import-areas.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { reject } from './rejections.ts';

/** Names of the parcel id in published parcel polygons, without punctuation, in order of preference. */
const ID_NAMES = [
  'PARCELID',
  'PARCELNUMBER',
  'PARCELNO',
  'APN',
  'PIN',
  'TAXKEY',
  'TAXPARCELID',
  'MAJORMINOR',
];

/**
 * Imports the polygons of parcels, by which coordinates find their parcel anywhere on a lot. The ids must be
 * written as in the market's parcels and sales. A parcel of several features keeps them all.
 */
export async function importParcelAreas(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  return importAreas(deps, options, {
    kind: 'parcel-areas',
    read: (properties) => ({ parcel_id: parcelIdOf(properties) }),
    keyOf: ({ parcel_id: parcelId }) => String(parcelId),
    sharesKeys: true,
  });
}

function parcelIdOf(properties: Readonly<Record<string, string | number | boolean | null>>): string {
  const byName = new Map(
    Object.entries(properties).map(([name, value]) => [name.toUpperCase().replace(/[^A-Z]/g, ''), value]),
  );
  const name = ID_NAMES.find((candidate) => byName.has(candidate));
  if (name === undefined) return reject('missing', 'parcel_id', Object.keys(properties).join(', '));
  const id = String(byName.get(name) ?? '').trim();
  if (/\p{Cc}/u.test(id)) reject('control_character', name, id);
  return id === '' ? reject('missing', name, '') : id;
}
