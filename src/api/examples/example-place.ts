/** The place that all examples of the documentation are about. It is none: its town and its county do not exist. */
export const EXAMPLE_PLACE = {
  formatted_address: '412 Alder St, Fairmont, WI 53999',
  street_address: '412 Alder St',
  city: 'Fairmont',
  state: 'Wisconsin',
  state_code: 'WI',
  county: null,
  postal_code: '53999',
  latitude: 43.5121,
  longitude: -89.3304,
  geohash8: 'dp8rx1ps',
  match_level: 'address',
} as const;

/** How requests name it. */
export const EXAMPLE_LOCATION = { address: '412 Alder St, Fairmont' };
