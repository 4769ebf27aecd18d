import { Type } from 'typebox';
import { answer } from '../../schemas/answer.ts';
import { nullableString } from '../../schemas/members.ts';

const Extent = answer('Extent', {
  west: Type.Number(),
  south: Type.Number(),
  east: Type.Number(),
  north: Type.Number(),
});

export const ConsoleSettingsBody = answer('ConsoleSettings', {
  version: Type.String(),
  map_tiles_url: nullableString({
    description: 'Tiles of the operator’s own; null = the map of what is loaded.',
  }),
  is_sample: Type.Boolean({ description: 'The generated county is loaded: none of its figures is real.' }),
  extent: Type.Union([Extent, Type.Null()], {
    description: 'What all markets cover together; null before anything is loaded.',
  }),
});
