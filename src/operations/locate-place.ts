import type { PostalAddress } from '../domain/address.ts';
import { parseAddress } from '../domain/address-parts.ts';
import type { Day } from '../domain/day.ts';
import { STATE_CODES, stateCodeOfFips, stateNameOf } from '../domain/us-states.ts';
import type { Warning } from '../domain/warning.ts';
import { statesOfZip } from '../domain/zip-states.ts';
import { PlumblineError } from '../errors.ts';
import { milesPerDegree } from '../geo/distance.ts';
import { geohash8 } from '../geo/geohash.ts';
import { formatAddress } from '../locate/display-address.ts';
import { completeAddress as complete } from '../locate/suggest-addresses.ts';
import { addressSources, locateSubject } from '../locate/locate-subject.ts';
import type { Located, LocationRequest, Target } from '../locate/located.ts';
import { censusAreasAt, censusGeoidsOf, type CensusAreas } from '../places/census-areas.ts';
import type { PlaceDeps } from '../places/deps.ts';
import { parcelsContaining } from '../places/parcel-areas.ts';
import type { AddressInfo as AddressInfoSchema } from '../schemas/location.ts';
import type { ResponseOf } from '../schemas/member-names.ts';
import type { OperationDeps, Priced } from './deps.ts';

/** Where a place is, as every response about a place reports it. */
export type AddressInfo = ResponseOf<typeof AddressInfoSchema>;

/** A request about a place, and warnings about the request itself. */
export interface PlaceRequest {
  readonly location: LocationRequest;
  readonly warnings: readonly Warning[];
}

/** The location of a request, and how responses name it. */
export interface LocatedPlace {
  readonly located: Located;
  readonly addressInfo: AddressInfo;
}

/**
 * Locates the home to value, or the place of a request for area data. An address that is found only by ZIP code
 * or city is accepted for area data, with a warning. A home is located as of its as-of date. Counts how precisely places were located, or why they were
 * not found.
 *
 * @throws PlumblineError `address_not_found` with `candidates`
 */
export async function locate(
  {
    store,
    markets,
    places,
    geocoder,
    metrics,
  }: Pick<OperationDeps, 'store' | 'markets' | 'places' | 'geocoder' | 'metrics'>,
  location: LocationRequest,
  target: Target,
  asOf: Day | null = null,
): Promise<Located> {
  try {
    const located = await locateSubject(
      {
        store,
        listDatasets: markets.datasets,
        geocoder,
        parcelsContaining: (lat, lon) => parcelsContaining(places, lat, lon),
        asOf,
      },
      location,
      target,
    );
    metrics.locateOutcomes.inc({ outcome: located.matchLevel });
    const warning = zipWarning(places, location.address, located);
    return warning ? { ...located, warnings: [...located.warnings, warning] } : located;
  } catch (error) {
    metrics.locateOutcomes.inc({ outcome: error instanceof PlumblineError ? error.code : 'internal_error' });
    throw error;
  }
}

/** Some ZIP codes cross the border of their state: so near to it, none is certain to be wrong. */
const BORDER_MI = 20;

/** For a ZIP code of another state than that of the place. Others are compared with the data of the market, if they have any. */
function zipWarning(
  { counties }: PlaceDeps,
  address: string | null,
  { lat, lon, warnings, address: found }: Located,
): Warning | null {
  const { postalCode } = parseAddress(address ?? '');
  const ofZip = statesOfZip(postalCode);
  if (ofZip.length === 0 || warnings.some(({ code }) => code === 'postal_code_differs')) return null;
  const stateAt = (north: number, east: number) =>
    stateCodeOfFips(counties.at(lat + north, lon + east)?.slice(0, 2) ?? '');
  const here = stateAt(0, 0);
  if (here === null || ofZip.includes(here)) return null;
  // A generated county lies in a state that it does not name.
  if (found?.stateCode && !STATE_CODES.includes(found.stateCode)) return null;
  const { lat: perLat, lon: perLon } = milesPerDegree(lat);
  const [byLat, byLon] = [BORDER_MI / perLat, BORDER_MI / perLon];
  const around = [stateAt(byLat, 0), stateAt(-byLat, 0), stateAt(0, byLon), stateAt(0, -byLon)];
  if (around.some((state) => state !== null && ofZip.includes(state))) return null;
  const message = `The ZIP code ${postalCode} is not in ${stateNameOf(here)}, where this place is; check the address.`;
  return { code: 'postal_code_differs', field: 'address', message };
}

/** @throws PlumblineError `address_not_found` with `candidates` */
export async function locatePlace(
  deps: OperationDeps,
  location: LocationRequest,
  asOf: Day | null = null,
): Promise<LocatedPlace> {
  const located = await locate(deps, location, 'area', asOf);
  return { located, addressInfo: await addressInfoOf(deps.places, located) };
}

/** An operation that locates the place of a request and then runs a lookup there. */
export function atRequestedPlace<Request extends PlaceRequest, Response>(
  lookup: (
    deps: OperationDeps,
    place: LocatedPlace,
    request: Omit<Request, 'location'>,
  ) => Promise<Priced<Response>>,
): (deps: OperationDeps, request: Request) => Promise<Priced<Response>> {
  return async (deps, request) => lookup(deps, await locatePlace(deps, request.location), request);
}

/** The location without census areas, for responses that list the areas elsewhere. */
export function locationInfoOf({ censusGeoids: _geoids, ...location }: AddressInfo) {
  return location;
}

type Place = Pick<Located, 'lat' | 'lon' | 'matchLevel'> & { readonly address: PostalAddress | null };

/**
 * Describes where a place is. The county and the census areas come from imported areas of the newest census.
 * Without imported areas, the county and state come from the national atlas.
 */
export async function addressInfoOf(deps: PlaceDeps, place: Place): Promise<AddressInfo> {
  const { lat, lon, address } = place;
  const areas = await areasOf(deps, place);
  const county = areas.county?.geoid ?? null;
  const stateCode = address?.stateCode || (county && stateCodeOfFips(county.slice(0, 2)));
  const geoids = censusGeoidsOf(areas);
  return {
    formattedAddress: (address && formatAddress(address)) || null,
    streetAddress: address?.street || null,
    city: address?.city || null,
    state: stateCode ? stateNameOf(stateCode) : null,
    stateCode,
    county: county && (areas.county?.name ?? deps.counties.nameOf(county)),
    postalCode: address?.postalCode || null,
    latitude: lat,
    longitude: lon,
    geohash8: geohash8(lat, lon),
    matchLevel: place.matchLevel,
    censusGeoids: geoids && { ...geoids },
  };
}

/** The atlas is coarse: near a state border it is used only if the address does not contradict it. */
async function areasOf(deps: PlaceDeps, { lat, lon, address }: Place): Promise<CensusAreas> {
  const imported = await censusAreasAt(deps, lat, lon);
  if (imported.county) return imported;
  const geoid = deps.counties.at(lat, lon);
  if (geoid === null) return {};
  const given = address?.stateCode.toUpperCase();
  if (given && given !== stateCodeOfFips(geoid.slice(0, 2))) return {};
  return { county: { geoid, name: deps.counties.nameOf(geoid) } };
}

/** Suggests loaded addresses that begin with the typed text, best first, with their locations. */
export async function completeAddress(
  { store, markets }: Pick<OperationDeps, 'store' | 'markets'>,
  text: string,
  most: number,
) {
  const datasets = await markets.datasets();
  const sources = await addressSources({ store, listDatasets: async () => datasets });
  const marketOf = new Map(datasets.map(({ rowsId, marketId }) => [rowsId, marketId]));
  const shown = await complete(sources, text, most);
  return shown.map(({ row, formattedAddress }) => ({
    formattedAddress,
    latitude: row.lat,
    longitude: row.lon,
    marketId: marketOf.get(row.rowsId) ?? '',
  }));
}
