import { Type } from 'typebox';
import { nullableNumber, nullableString } from './members.ts';

/** An address longer than this is no address; postal standards end at a few lines of 40 characters. */
const ADDRESS_LENGTH_MAX = 500;

export const Location = Type.Object(
  {
    address: Type.Optional(
      nullableString({ description: 'Full street address.', maxLength: ADDRESS_LENGTH_MAX }),
    ),
    latitude: Type.Optional(
      nullableNumber({ description: 'Degrees north (WGS 84).', minimum: -90, maximum: 90 }),
    ),
    longitude: Type.Optional(
      nullableNumber({ description: 'Degrees east (WGS 84).', minimum: -180, maximum: 180 }),
    ),
    maps_api_response: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        additionalProperties: true,
        description:
          'A geocoder’s result (`results[0].geometry.location`, `formatted_address`, `address_components`), used instead of geocoding. Anything else in it is ignored. At most 64 KB; never stored.',
      }),
    ),
  },
  {
    title: 'Location',
    description:
      'Either `address`, or `latitude` together with `longitude`. Given both, the coordinates locate and the address is displayed.',
  },
);
