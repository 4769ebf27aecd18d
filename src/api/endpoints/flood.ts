import { floodZone, hazardCreditsMax } from '../../operations/places/hazards.ts';
import { FloodZoneBody } from '../../schemas/hazards.ts';
import { chargedPostAndGet } from '../endpoint.ts';
import { hazardRequest } from '../request/hazard-request.ts';

export const FLOOD_ROUTES = chargedPostAndGet({
  path: '/v1/flood-zone',
  operationId: 'readFloodZone',
  access: 'places:flood',
  credits: '10',
  tag: 'Place',
  summary: 'FEMA flood zone of a place',
  description:
    'The flood hazard area of the highest hazard that contains the place. Outside the map every member is null, which does not mean that the risk is low.',
  problems: ['address_not_found'],
  reader: hazardRequest,
  response: FloodZoneBody,
  creditsMax: hazardCreditsMax,
  run: floodZone,
});
