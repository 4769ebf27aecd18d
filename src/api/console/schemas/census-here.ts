import { Type } from 'typebox';
import { answer } from '../../../schemas/response-object.ts';
import { nullableString } from '../../../schemas/members.ts';

export const CensusHereQuery = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
  },
  { title: 'CensusHereQuery' },
);

export const CensusHereBody = answer('CensusHere', {
  county: nullableString({ description: 'GEOID of the county; null outside all of them.' }),
  years: Type.Array(Type.Integer(), {
    description: 'Of which figures of an area that holds the place are loaded, newest first.',
  }),
});
