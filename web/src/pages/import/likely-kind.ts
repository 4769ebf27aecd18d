import type { ImportInspection, ImportKind } from '../../api/imports.ts';

/** What an address file has, and nothing else. */
const OF_ADDRESSES = new Set([
  'address',
  'city',
  'state_code',
  'postal_code',
  'latitude',
  'longitude',
  'parcel_id',
]);

/** Names that only price indexes and only rents have. `parent` and `current` are not rents. */
const OF_INDEX = /^(hpi_(type|flavor)|index_n?sa)$/i;
const OF_RENTS = /(^|[^a-z])rent([^a-z]|$)/i;

/** What the rows of a file without prices and dates of sales probably are; null for sales. */
export function likelyKind(
  columns: readonly Pick<ImportInspection['columns'][number], 'name' | 'read_as'>[],
): ImportKind | null {
  if (columns.some(({ name }) => OF_INDEX.test(name))) return 'index';
  const read = new Set(columns.flatMap(({ read_as: targets }) => targets));
  if (read.has('sale_price') || read.has('sale_date')) return null;
  if (columns.some(({ name }) => OF_RENTS.test(name))) return 'rents';
  const isPlaced = read.has('latitude') && read.has('longitude');
  const hasOnlyAddresses = columns.every(({ read_as: targets }) =>
    targets.some((target) => OF_ADDRESSES.has(target)),
  );
  if (isPlaced && read.has('address') && hasOnlyAddresses) return 'addresses';
  return read.has('parcel_id') ? 'parcels' : null;
}
