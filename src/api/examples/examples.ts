import type { Static } from 'typebox';
import type { ValidationProblem } from '../../schemas/problem.ts';
import { BATCH_EXAMPLES } from './batch.ts';
import { CENSUS_EXAMPLES } from './census.ts';
import { COMPREHENSIVE_EXAMPLES } from './comprehensive.ts';
import { CRIME_EXAMPLES } from './crime.ts';
import { HAZARD_EXAMPLES } from './hazards.ts';
import { MULTIFAMILY_EXAMPLES } from './multifamily.ts';
import { PROPERTY_EXAMPLES } from './property.ts';
import { RENTAL_EXAMPLES } from './rental.ts';
import { USAGE_EXAMPLES } from './usage.ts';
import { WEBHOOK_EXAMPLES } from './webhooks.ts';

const validationProblem: Static<typeof ValidationProblem> = {
  detail: [
    {
      loc: ['body', 'property_fields', 'total_bedrooms'],
      msg: 'must be at most 50',
      type: 'less_than_equal',
      input: 51,
      ctx: { le: 50 },
    },
  ],
  code: 'validation_error',
  title: 'Unprocessable Entity',
  status: 422,
  request_id: 'req_5f1c0a9be2d7c34418f6a0b2',
};

/** Examples by the title of the schema they follow. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  ...CRIME_EXAMPLES,
  ...HAZARD_EXAMPLES,
  ...CENSUS_EXAMPLES,
  ...COMPREHENSIVE_EXAMPLES,
  ...PROPERTY_EXAMPLES,
  ...RENTAL_EXAMPLES,
  ...MULTIFAMILY_EXAMPLES,
  ...BATCH_EXAMPLES,
  ...USAGE_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
  ValidationProblem: validationProblem,
};
