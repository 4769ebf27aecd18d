import type { Warning } from '../domain/warning.ts';
import { PlumblineError } from '../errors.ts';
import { locateSubject } from '../locate/locate-subject.ts';
import type { Located, LocationRequest, Subject } from '../locate/located.ts';
import { addressInfoOf, type AddressInfo } from './address-info.ts';
import type { OperationDeps } from './deps.ts';

/** The location of a request, and how responses name it. */
export interface LocatedPlace {
  readonly located: Located;
  readonly addressInfo: AddressInfo;
  readonly warnings: readonly Warning[];
}

type LocateDeps = Pick<OperationDeps, 'store' | 'markets' | 'geocoder' | 'metrics'>;

/**
 * Locates the home to value.
 *
 * @throws PlumblineError `address_not_found` with `candidates`
 */
export function locateHome(deps: LocateDeps, location: LocationRequest): Promise<Located> {
  return locateCounted(deps, location, 'home');
}

/**
 * Locates the place of a request for area data. An address that is found only by ZIP code or city is
 * accepted, with a warning.
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

/** Counts how precisely places were located, or why they were not found. */
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
