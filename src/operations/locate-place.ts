import type { Warning } from '../domain/warning.ts';
import { PlumblineError } from '../errors.ts';
import { locateSubject } from '../locate/locate-subject.ts';
import type { Located, LocationRequest, Subject } from '../locate/located.ts';
import { addressInfoOf, type AddressInfo } from './address-info.ts';
import type { OperationDeps } from './deps.ts';

/** Where a request about a place is, and how answers name it. */
export interface LocatedPlace {
  readonly located: Located;
  readonly addressInfo: AddressInfo;
  readonly warnings: readonly Warning[];
}

type LocateDeps = Pick<OperationDeps, 'store' | 'markets' | 'geocoder' | 'metrics'>;

/**
 * Where the home is that a valuation is asked of.
 *
 * @throws PlumblineError `address_not_found` with `candidates`
 */
export function locateHome(deps: LocateDeps, location: LocationRequest): Promise<Located> {
  return locateCounted(deps, location, 'home');
}

/**
 * Locates what a question about a place is of: an address that is known by its ZIP or city alone will do, with a
 * warning.
 *
 * @throws PlumblineError `address_not_found` with `candidates`
 */
export async function locatePlace(
  deps: LocateDeps & Pick<OperationDeps, 'places'>,
  location: LocationRequest,
): Promise<LocatedPlace> {
  const located = await locateCounted(deps, location, 'area');
  return { located, addressInfo: await addressInfoOf(deps.places, located), warnings: located.warnings };
}

/** Counts how closely the subject was known, or why it was not found. */
async function locateCounted(
  { store, markets, geocoder, metrics }: LocateDeps,
  location: LocationRequest,
  subject: Subject,
): Promise<Located> {
  try {
    const located = await locateSubject(
      { store, listDatasets: markets.datasets, geocoder },
      location,
      subject,
    );
    metrics.locateOutcomes.inc({ outcome: located.matchLevel });
    return located;
  } catch (error) {
    metrics.locateOutcomes.inc({ outcome: error instanceof PlumblineError ? error.code : 'internal_error' });
    throw error;
  }
}
