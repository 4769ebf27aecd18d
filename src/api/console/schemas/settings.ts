import { Type } from 'typebox';
import { answer } from '../../../schemas/response-object.ts';
import { nullableString } from '../../../schemas/members.ts';

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
  markets: Type.Array(answer('MarketOnMap', { id: Type.String(), extent: Extent }), {
    description:
      'What each market covers, the one with the most sales first; none before anything is loaded.',
  }),
});
