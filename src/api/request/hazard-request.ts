import type { HazardRequest } from '../../operations/places/hazard-request.ts';
import { HazardRequestBody } from '../../schemas/hazards.ts';
import { locationErrors, locationOf } from './location-request.ts';
import { createRequestReader } from './read-request.ts';

/** The request for the fire risk or the flood zone of a place. */
export const hazardRequest = createRequestReader({
  schema: HazardRequestBody,
  check: locationErrors,
  build: (value, _reading, warnings): HazardRequest => ({ location: locationOf(value.location), warnings }),
});
