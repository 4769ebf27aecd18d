import { Type } from 'typebox';
import { answer } from './response-object.ts';
import { MultifamilyValuationBody } from './multifamily-response.ts';
import { RentalValuationBody } from './rental-response.ts';
import { PropertyValuationBody } from './property-response.ts';

/** A valuation of any kind, in the form that its own operation answers. */
export const ValuationBody = Type.Union(
  [PropertyValuationBody, RentalValuationBody, MultifamilyValuationBody],
  {
    title: 'Valuation',
    description: 'In the form that its own operation answers.',
  },
);

export const ReplayBody = answer('Replay', {
  valuation_id: Type.String({ description: 'The valuation replayed.' }),
  agrees: Type.Boolean({
    description: 'Whether the value computed again is the same, byte for byte (ids aside).',
  }),
  original: ValuationBody,
  replayed: ValuationBody,
});
