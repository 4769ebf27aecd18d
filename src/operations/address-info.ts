import type { PostalAddress } from '../domain/address.ts';
import { stateCodeOfFips, stateNameOf } from '../domain/us-states.ts';
import { geohash8 } from '../geo/geohash.ts';
import type { MatchLevel } from '../locate/located.ts';
import type {
  AddressInfo as AddressInfoSchema,
  LocationInfo as LocationInfoSchema,
} from '../schemas/location.ts';
import type { ResponseOf } from '../schemas/member-names.ts';
import { censusGeoidsOf, newestCensusAreasAt, type CensusAreas } from '../places/census-areas.ts';
import type { PlaceDeps } from '../places/deps.ts';

/** Where a place is, as every response about a place reports it. */
export type AddressInfo = ResponseOf<typeof AddressInfoSchema>;

/** The location without census areas, for responses that list the areas elsewhere. */
export type LocationInfo = ResponseOf<typeof LocationInfoSchema>;

export function locationInfoOf({ censusGeoids: _geoids, ...location }: AddressInfo): LocationInfo {
  return location;
}

/** A place, with its address if known. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
  readonly address: PostalAddress | null;
  readonly matchLevel: MatchLevel;
}

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
    formattedAddress: address ? formatAddress(address) : null,
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
  const imported = await newestCensusAreasAt(deps, lat, lon);
  if (imported.county) return imported;
  const geoid = deps.counties.at(lat, lon);
  if (geoid === null) return {};
  const given = address?.stateCode.toUpperCase();
  if (given && given !== stateCodeOfFips(geoid.slice(0, 2))) return {};
  return { county: { geoid, name: deps.counties.nameOf(geoid) } };
}

/** "2263 N LAKE DR, Milwaukee, WI 53202". Unknown parts are left out. */
export function formatAddress(address: PostalAddress): string | null {
  const region = [address.stateCode, address.postalCode].filter((part) => part !== '').join(' ');
  return [address.street, address.city, region].filter((part) => part !== '').join(', ') || null;
}
