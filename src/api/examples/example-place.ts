/**
 * The place that all examples are about: a home of the generated sample county, which no state and no map has, so that the requests
 * can be sent as they stand to what `npm start` serves (test/examples.test.ts does).
 */
export const EXAMPLE_PLACE = {
  formatted_address: '249 W Canal St, Plumb Falls, XX 00042',
  street_address: '249 W Canal St',
  city: 'Plumb Falls',
  state: 'Nowhere (generated)',
  state_code: 'XX',
  county: 'Plumb County (generated)',
  postal_code: '00042',
  latitude: 41.996009,
  longitude: -101.603871,
  geohash8: '9xrwzvnk',
  match_level: 'address',
} as const;

/** How requests name it. */
export const EXAMPLE_LOCATION = { address: '249 W Canal St, Plumb Falls' };

/** A building of eight units in the same town. */
export const EXAMPLE_BUILDING = { address: '168 W Canal St, Plumb Falls' };
