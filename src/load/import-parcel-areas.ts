import { bareName, RECORD_HEADINGS } from '../domain/column-headings.ts';
import { usageError } from '../errors.ts';
import { currentDataset } from '../store/datasets.ts';
import { countParcelIds, someParcelIds } from '../store/property-records.ts';
import type { Store } from '../store/store.ts';
import { importAreas } from './import-areas.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { reject, shownValue } from './rejections.ts';

/** Names of the parcel id in published parcel polygons, in order of preference. */
const ID_NAMES = ['parcel id', ...RECORD_HEADINGS.parcel_id.split(', ')].map(bareName);

/** Shapefiles cut names to this length: PARCEL_NUMBER is PARCEL_NUM, PARCELNUMBER is PARCELNUMB. */
const SHAPEFILE_NAME_CHARACTERS = 10;

/** Ids written in another form match none of the market's; of ids in the same form, some of so many match. */
const COMPARED_IDS = 2000;

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
    check: (keys) => rejectOtherIds(deps.store, options.marketId, keys),
  });
}

/** Without a common id, no polygon would have a record: coordinates would lose the records that they find now. */
async function rejectOtherIds(store: Store, marketId: string, ids: readonly string[]): Promise<void> {
  const known =
    (await currentDataset(store, marketId, 'parcels')) ?? (await currentDataset(store, marketId, 'sales'));
  if (known?.kind !== 'parcels' && known?.kind !== 'sales') return;
  const step = Math.max(1, Math.floor(ids.length / COMPARED_IDS));
  const compared = ids.filter((_, i) => i % step === 0);
  const examples = await someParcelIds(store, known.kind, known.rowsId, 3);
  if (examples.length === 0 || (await countParcelIds(store, known.kind, known.rowsId, compared)) > 0) return;
  const list = (some: readonly string[]): string => some.map((id) => shownValue(id, 40)).join(', ');
  throw usageError(
    `None of the ${compared.length} parcel ids compared is in the ${known.kind} of market ${marketId}. The polygons ` +
      `have ids such as ${list(ids.slice(0, 3))}; the ${known.kind} such as ${list(examples)}. Nothing was loaded: ` +
      'write the ids in the same form, and name their column PARCEL_ID.',
  );
}

function parcelIdOf(properties: Readonly<Record<string, string | number | boolean | null>>): string {
  const byName = new Map(Object.entries(properties).map(([name, value]) => [bareName(name), value]));
  const short = ID_NAMES.map((candidate) => candidate.slice(0, SHAPEFILE_NAME_CHARACTERS));
  const name = [...ID_NAMES, ...short].find((candidate) => byName.has(candidate));
  if (name === undefined) return reject('missing', 'parcel_id', Object.keys(properties).join(', '));
  const value = byName.get(name) ?? '';
  const id = String(value).trim();
  if (/\p{Cc}/u.test(id)) reject('control_character', name, id);
  // A number of 17 digits has lost its last ones, which merges parcels.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) reject('rounded', name, id);
  return id === '' ? reject('missing', name, '') : id;
}
