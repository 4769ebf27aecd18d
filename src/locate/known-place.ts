import type { Day } from '../domain/day.ts';
import type { Store } from '../store/store.ts';
import {
  addressPointsNear,
  findAddressPoints,
  type AddressPointQuery,
  type AddressPointRow,
} from '../store/address-points.ts';

/** Radii searched around a row without city and state. */
const CIRCLES_MI = [0.1, 0.5, 2];

/** If a circle has more addresses and none names a city, wider circles, for rural areas, are skipped. */
const MAX_IN_CIRCLE = 500;

/** The current datasets whose address points are searched, and which are parcels and address files. */
export interface AddressSources {
  readonly store: Store;
  /** In order of trust for coordinates: address files, parcels, sales, then listings. */
  readonly rowsIds: readonly number[];
  /** The datasets that contain parcels. */
  readonly parcelRowsIds: readonly number[];
  /** Address files and parcels: what is read from them does not depend on later sales. */
  readonly surveyedRowsIds: readonly number[];
  /** The as-of date: sales and listings that became known later are not searched. null = all are. */
  readonly knownBy: Day | null;
  /** Ids of the parcels whose polygons contain a point; none without polygons. */
  readonly parcelsContaining: (lat: number, lon: number) => Promise<readonly string[]>;
}

/** City, state and ZIP of a row: its own, or those of the addresses around it. */
export interface RowPlace {
  readonly cities: readonly string[];
  readonly stateCodes: readonly string[];
  readonly postalCodes: readonly string[];
  /** Whether the row itself has the ZIP. One from the surroundings proves nothing: ZIPs change across a street. */
  readonly isOwn: boolean;
  /** For display, if the row itself names no city; null if its own values are displayed. */
  readonly shown: { readonly city: string; readonly stateCode: string } | null;
}

/** Rows with that number or street name, the most trusted source first. */
export async function findTrusted(
  sources: AddressSources,
  wanted: AddressPointQuery,
  rowsIds: readonly number[] = sources.rowsIds,
): Promise<AddressPointRow[]> {
  const rows = await findAddressPoints(sources.store, rowsIds, wanted);
  return rows.sort((a, b) => compareTrust(sources, a, b));
}

/** Negative if `a` has the more trusted source, or comes first in the same one. */
export function compareTrust({ rowsIds }: AddressSources, a: AddressPointRow, b: AddressPointRow): number {
  return rowsIds.indexOf(a.rowsId) - rowsIds.indexOf(b.rowsId) || a.rowNo - b.rowNo;
}

/** The city, state and ZIP in the row itself. */
export function ownPlace({ key }: AddressPointRow): RowPlace {
  const listOf = (text: string): string[] => (text === '' ? [] : [text]);
  return {
    cities: listOf(key.city),
    stateCodes: listOf(key.stateCode),
    postalCodes: listOf(key.postalCode),
    isOwn: true,
    shown: null,
  };
}

/** City files omit their city and state. Without those around, "Chicago, IL" would match in Milwaukee. */
export async function placeOfRow(sources: AddressSources, row: AddressPointRow): Promise<RowPlace> {
  const own = ownPlace(row);
  if (row.key.city !== '') return own;
  const others = sources.rowsIds.filter((id) => id !== row.rowsId);
  for (const radiusMi of CIRCLES_MI) {
    const near = await addressPointsNear(sources.store, others, row.lat, row.lon, radiusMi, {
      knownBy: sources.knownBy,
    });
    const named = near.filter((point) => point.key.city !== '');
    if (named.length === 0 && near.length > MAX_IN_CIRCLE) break;
    if (named.length === 0) continue;
    const known = (given: readonly string[], part: 'city' | 'stateCode' | 'postalCode'): readonly string[] =>
      given.length > 0
        ? given
        : [...new Set(named.map(({ key }) => key[part]).filter((text) => text !== ''))];
    const { city, stateCode } = named[0].address;
    return {
      cities: known(own.cities, 'city'),
      stateCodes: known(own.stateCodes, 'stateCode'),
      postalCodes: known(own.postalCodes, 'postalCode'),
      isOwn: own.postalCodes.length > 0,
      shown: { city, stateCode: row.address.stateCode || stateCode },
    };
  }
  return own;
}
