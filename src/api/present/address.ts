import type { Static } from 'typebox';
import type { AddressInfo } from '../../operations/address-info.ts';
import type * as wire from '../../schemas/address-info.ts';

/** The same without the census areas. */
export function presentLocation(address: AddressInfo): Static<typeof wire.LocationInfo> {
  const { census_geoids: _, ...location } = presentAddress(address);
  return location;
}

export function presentAddress(address: AddressInfo): Static<typeof wire.AddressInfo> {
  return {
    formatted_address: address.formattedAddress,
    street_address: address.streetAddress,
    city: address.city,
    state: address.state,
    state_code: address.stateCode,
    county: address.county,
    postal_code: address.postalCode,
    latitude: address.latitude,
    longitude: address.longitude,
    geohash8: address.geohash8,
    match_level: address.matchLevel,
    census_geoids: address.censusGeoids && { ...address.censusGeoids },
  };
}
