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

/** What the rows of a file without prices and dates of sales probably are; null for sales. */
export function likelyKind(columns: readonly Pick<ImportInspection['columns'][number], 'read_as'>[]) {
  const read = new Set(columns.flatMap(({ read_as: targets }) => targets));
  if (read.has('sale_price') || read.has('sale_date')) return null;
  const isPlaced = read.has('latitude') && read.has('longitude');
  const hasOnlyAddresses = columns.every(({ read_as: targets }) =>
    targets.some((target) => OF_ADDRESSES.has(target)),
  );
  if (isPlaced && read.has('address') && hasOnlyAddresses) return 'addresses' satisfies ImportKind;
  return read.has('parcel_id') ? ('parcels' satisfies ImportKind) : null;
}
