import { fireRisk, hazardCreditsMax } from '../../operations/places/hazards.ts';
import { FireRiskBody } from '../../schemas/hazards.ts';
import { chargedPostAndGet } from '../endpoint.ts';
import { hazardRequest } from '../request/hazard-request.ts';

export const FIRE_ROUTES = chargedPostAndGet({
  path: '/v1/fire-risk',
  operationId: 'readFireRisk',
  access: 'places:fire',
  credits: '10',
  tag: 'Place',
  summary: 'Wildfire risk of a place',
  description:
    'Annual burn probability of the map cell that contains the place, with its level and category. Without data `has_fire_risk` is false, which does not mean that there is no risk.',
  problems: ['address_not_found'],
  reader: hazardRequest,
  response: FireRiskBody,
  creditsMax: hazardCreditsMax,
  run: fireRisk,
});
