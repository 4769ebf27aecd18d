import type { Warning } from '../domain/warning.ts';
import { locateSubject, type Located, type LocationRequest } from '../locate/locate-subject.ts';
import { addressInfoOf } from './address-info.ts';
import type { OperationDeps } from './deps.ts';
import type { AddressInfo } from './property-valuation.ts';

/** Where a request about a place is, and how answers name it. */
export interface LocatedPlace {
  readonly located: Located;
  readonly addressInfo: AddressInfo;
  readonly warnings: readonly Warning[];
}

/**
 * Locates what a question about a place is of: an address that is known by its ZIP or city alone will do, with a
 * warning.
 *
 * @throws PlumblineError `address_not_found` with `candidates`
 */
export async function locatePlace(
  deps: Pick<OperationDeps, 'store' | 'markets' | 'places' | 'geocoder'>,
  location: LocationRequest,
): Promise<LocatedPlace> {
  const { store, markets, geocoder } = deps;
  const located = await locateSubject({ store, listDatasets: markets.datasets, geocoder }, location, 'area');
  return { located, addressInfo: await addressInfoOf(deps.places, located), warnings: located.warnings };
}
