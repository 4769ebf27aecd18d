import { Type } from 'typebox';
import { MATCH_LEVELS } from '../locate/located.ts';
import { arrayOf, nullable, oneOf, optional, responseObject, string } from './members.ts';

/** Postal addresses are a few lines of 40 characters. */
const MAX_ADDRESS_LENGTH = 500;

export const Location = Type.Object(
  {
    address: optional.string('Full street address.', { maxLength: MAX_ADDRESS_LENGTH }),
    latitude: optional.number('Degrees north (WGS 84).', { minimum: -90, maximum: 90 }),
    longitude: optional.number('Degrees east (WGS 84).', { minimum: -180, maximum: 180 }),
    maps_api_response: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        additionalProperties: true,
        description:
          'A geocoder’s result, used instead of geocoding: `results[0].geometry.location`, `formatted_address` and `address_components`. Other members are ignored. At most 64 KB; never stored.',
      }),
    ),
  },
  {
    title: 'Location',
    description:
      'Either `address`, or `latitude` together with `longitude`. If both are given, the coordinates are used, and the address is only displayed.',
  },
);

export const AddressInfo = responseObject('AddressInfo', {
  formatted_address: nullable.string('The address in one line, as published.'),
  street_address: nullable.string('Number, street and unit.'),
  city: nullable.string('City.'),
  state: nullable.string('Name of the state.'),
  state_code: nullable.string('Two letters.'),
  county: nullable.string('Name of the county: King County, Orleans Parish, Richmond city.'),
  postal_code: nullable.string('ZIP code.'),
  latitude: nullable.number('Degrees north (WGS 84) of the location used.'),
  longitude: nullable.number('Degrees east (WGS 84) of the location used.'),
  geohash8: nullable.string('The location as a geohash of 8 characters.'),
  match_level: oneOf(
    MATCH_LEVELS,
    'Precision of the location: coordinates, indexed address, interpolated along its street, street, ZIP code or city.',
  ),
  census_geoids: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
  }),
});

/** The location in responses that list its census areas elsewhere. */
export const LocationInfo = Type.Omit(AddressInfo, ['census_geoids'], {
  title: 'LocationInfo',
  additionalProperties: false,
});

export const Warning = responseObject('Warning', {
  code: string('For programs.'),
  field: nullable.string('The member that the warning is about, as the caller wrote it.'),
  message: string('For people.'),
});

export const Warnings = arrayOf(Warning, 'Problems that did not prevent a response.');
