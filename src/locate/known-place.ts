import type { Store } from '../store/store.ts';
import { addressPointsNear, type AddressPointRow } from '../store/address-points.ts';
import type { KnownPlace } from './score-address.ts';

/** Radii searched around a row without city and state, smallest first. */
const CIRCLES_MI = [0.1, 0.5, 2];

/** The widest circle, for the open country, is skipped if a narrower one has this many addresses to read. */
const MOST_IN_CIRCLE = 500;

/** The current address points to search, and which of them come from sales, parcels and address files. */
export interface AddressSources {
  readonly store: Store;
  /** In order of trust for coordinates: address files, then parcels, then sales. */
  readonly datasetIds: readonly number[];
  /** The datasets that contain parcels. */
  readonly parcelDatasetIds: readonly number[];
  /** Address files and parcels: what is read from them does not depend on later sales. */
  readonly surveyedDatasetIds: readonly number[];
}

/** City, state and ZIP of a row and, if requested, of its surroundings. */
export interface RowPlace extends KnownPlace {
  /** For display, if the row itself names no city; null if its own values are displayed. */
  readonly shown: { readonly city: string; readonly stateCode: string } | null;
}

/** The city, state and ZIP in the row itself. */
export function ownPlace(row: AddressPointRow): RowPlace {
  const { city, stateCode, postalCode } = row.key;
  return {
    cities: listOf(city),
    stateCodes: listOf(stateCode),
    postalCodes: listOf(postalCode),
    isOwn: true,
    shown: null,
  };
}

/**
 * City files omit their own city and state. The nearest points of other datasets supply them, so that
 * "Chicago, IL" does not match in Milwaukee.
 */
export async function placeOfRow(sources: AddressSources, row: AddressPointRow): Promise<RowPlace> {
  const own = ownPlace(row);
  if (row.key.city !== '') return own;
  const others = sources.datasetIds.filter((id) => id !== row.datasetId);
  for (const radiusMi of CIRCLES_MI) {
    const near = await addressPointsNear(sources.store, others, row.lat, row.lon, radiusMi);
    const named = near.filter((point) => point.key.city !== '');
    if (named.length === 0 && near.length > MOST_IN_CIRCLE) break;
    if (named.length === 0) continue;
    const collect = (of: (point: AddressPointRow) => string): string[] => [
      ...new Set(named.map(of).filter((text) => text !== '')),
    ];
    return {
      cities: collect((point) => point.key.city),
      stateCodes: own.stateCodes.length > 0 ? own.stateCodes : collect((point) => point.key.stateCode),
      postalCodes: own.postalCodes.length > 0 ? own.postalCodes : collect((point) => point.key.postalCode),
      isOwn: own.postalCodes.length > 0,
      shown: {
        city: named[0].address.city,
        stateCode: row.address.stateCode || named[0].address.stateCode,
      },
    };
  }
  return own;
}

/** Whether addresses of that city are around the row: postal and legal cities differ at their borders. */
export async function isCityAround(
  sources: AddressSources,
  row: AddressPointRow,
  city: string,
): Promise<boolean> {
  const near = await addressPointsNear(sources.store, sources.datasetIds, row.lat, row.lon, CIRCLES_MI[1]);
  return near.some((point) => point.key.city === city);
}

function listOf(text: string): string[] {
  return text === '' ? [] : [text];
}
