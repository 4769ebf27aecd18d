import type { PlaceRequest } from '../../operations/locate-place.ts';
import { HazardRequestBody } from '../../schemas/hazards.ts';
import { locationErrors, locationOf } from './location-request.ts';
import { createRequestReader } from './read-request.ts';

/** The request for the fire risk or the flood zone of a place. */
export const hazardRequest = createRequestReader({
  schema: HazardRequestBody,
  check: locationErrors,
  build: (value, _reading, warnings): PlaceRequest => ({ location: locationOf(value.location), warnings }),
});
