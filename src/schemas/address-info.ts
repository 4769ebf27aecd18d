import { Type } from 'typebox';
import { MATCH_LEVELS } from '../locate/located.ts';
import { answer } from './response-object.ts';
import { nullableNumber, nullableString, oneOf } from './members.ts';

export const AddressInfo = answer('AddressInfo', {
  formatted_address: nullableString({ description: 'The address in one line, as published.' }),
  street_address: nullableString({ description: 'Number, street and unit.' }),
  city: nullableString({ description: 'City.' }),
  state: nullableString({ description: 'Name of the state.' }),
  state_code: nullableString({ description: 'Two letters.' }),
  county: nullableString({
    description: 'Name of the county with its kind: King County, Orleans Parish, Richmond city.',
  }),
  postal_code: nullableString({ description: 'ZIP code.' }),
  latitude: nullableNumber({ description: 'Degrees north (WGS 84) of the place valued.' }),
  longitude: nullableNumber({ description: 'Degrees east (WGS 84) of the place valued.' }),
  geohash8: nullableString({ description: 'The place as a geohash of 8 characters.' }),
  match_level: oneOf(MATCH_LEVELS, {
    description:
      'How closely the place is known: given as coordinates, an address of the index, between two numbers of its street, the street, the ZIP or the city.',
  }),
  census_geoids: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
  }),
});

/** Where a place is, for answers that name its areas elsewhere. */
export const LocationInfo = Type.Omit(AddressInfo, ['census_geoids'], {
  title: 'LocationInfo',
  additionalProperties: false,
});

export const Warning = answer('Warning', {
  code: Type.String({ description: 'For programs.' }),
  field: nullableString({ description: 'The member it concerns, as the caller wrote it.' }),
  message: Type.String({ description: 'For people.' }),
});
