import { valueMultifamily } from '../handlers/multifamily.ts';
import { valueProperty } from '../handlers/property.ts';
import { valueRental } from '../handlers/rental.ts';
import { getValuation, postReplay } from '../handlers/valuations.ts';
import { MultifamilyValuationRequestBody } from '../../schemas/multifamily-request.ts';
import { MultifamilyValuationBody } from '../../schemas/multifamily-response.ts';
import { ReplayBody, ValuationBody } from '../../schemas/past-valuation.ts';
import { RentalValuationRequestBody } from '../../schemas/rental-request.ts';
import { RentalValuationBody } from '../../schemas/rental-response.ts';
import { PropertyValuationRequestBody } from '../../schemas/property-request.ts';
import { PropertyValuationBody } from '../../schemas/property-response.ts';
import type { Route } from '../route.ts';
import { FREE, UNLOCATED } from './terms.ts';

const PER_PROPERTY = '30, and 1 per comparable returned';
const PER_RENTS = '30, 1 per unit after the first, and 1 per comparable returned';

const PER_BUILDING = '50, and 1 per comparable returned';

/** What something is worth, or lets for. */
export const VALUATION_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/avm/property',
    operationId: 'valueProperty',
    access: 'avm:property',
    credits: PER_PROPERTY,
    tag: 'Valuation',
    summary: 'Value a home',
    description:
      'The value of one home on a date: its distribution and intervals, what it rests on, and comparable sales whose adjustments add up to the dollar. Members that are not known are ignored and named in `warnings`.',
    body: PropertyValuationRequestBody,
    answer: PropertyValuationBody,
    problems: UNLOCATED,
    handle: valueProperty,
  },
  {
    method: 'GET',
    path: '/v1/avm/property',
    operationId: 'valuePropertyByQuery',
    access: 'avm:property',
    credits: PER_PROPERTY,
    tag: 'Valuation',
    summary: 'Value a home, asked as a query',
    description:
      'Answers exactly as the POST with the same members would. Booleans are true, false, 1 or 0; empty is omitted.',
    query: PropertyValuationRequestBody,
    answer: PropertyValuationBody,
    problems: UNLOCATED,
    handle: valueProperty,
  },
  {
    method: 'POST',
    path: '/v1/avm/rental',
    operationId: 'valueRental',
    access: 'avm:rental',
    credits: PER_RENTS,
    tag: 'Valuation',
    summary: 'Value the rents of a building’s units',
    description:
      'The monthly rent of each unit, and of all together with the correlation of their errors; listings whose adjustments add up to the dollar. What nobody says of the building is filled in from listings nearby and named in `inputs`.',
    body: RentalValuationRequestBody,
    answer: RentalValuationBody,
    problems: UNLOCATED,
    handle: valueRental,
  },
  {
    method: 'GET',
    path: '/v1/avm/rental',
    operationId: 'valueRentalByQuery',
    access: 'avm:rental',
    credits: PER_RENTS,
    tag: 'Valuation',
    summary: 'Value rents, asked as a query',
    description:
      'Answers exactly as the POST with the same members would. One unit is written flat (`bedrooms=2&bathrooms=1`), several as JSON in `units`; not both.',
    query: RentalValuationRequestBody,
    answer: RentalValuationBody,
    problems: UNLOCATED,
    handle: valueRental,
  },
  {
    method: 'POST',
    path: '/v1/avm/multifamily',
    operationId: 'valueMultifamily',
    access: 'avm:multifamily',
    credits: PER_BUILDING,
    tag: 'Valuation',
    summary: 'Value a building of 2 to 1,000 units',
    description:
      'By sales comparison, gross rent multiplier and direct capitalisation, weighted by how well each did on the market’s own sales, with every assumption. Without rents the sales decide, and the other approaches say so. A building of 2–4 units agrees with its value as property.',
    body: MultifamilyValuationRequestBody,
    answer: MultifamilyValuationBody,
    problems: UNLOCATED,
    handle: valueMultifamily,
  },
  {
    method: 'GET',
    path: '/v1/avm/multifamily',
    operationId: 'valueMultifamilyByQuery',
    access: 'avm:multifamily',
    credits: PER_BUILDING,
    tag: 'Valuation',
    summary: 'Value a building, asked as a query',
    description: 'Answers exactly as the POST with the same members would.',
    query: MultifamilyValuationRequestBody,
    answer: MultifamilyValuationBody,
    problems: UNLOCATED,
    handle: valueMultifamily,
  },
  {
    ...FREE,
    method: 'GET',
    path: '/v1/valuations/{id}',
    operationId: 'readValuation',
    access: 'valuations:read',
    tag: 'Valuation',
    summary: 'A past valuation, as it was given',
    description: 'Of any kind, in the form that its own operation answers.',
    answer: ValuationBody,
    problems: ['not_found'],
    handle: getValuation,
  },
  {
    ...FREE,
    method: 'POST',
    path: '/v1/valuations/{id}/replay',
    operationId: 'replayValuation',
    access: 'valuations:read',
    tag: 'Valuation',
    summary: 'A past valuation, computed again',
    description:
      'From the model and the data that it was made with. `agrees` says whether the bytes are the same.',
    answer: ReplayBody,
    problems: ['not_found', 'gone'],
    handle: postReplay,
  },
];
