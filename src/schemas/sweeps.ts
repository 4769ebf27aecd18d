import { Type } from 'typebox';
import { VALUE_FORMATS } from '../domain/value-format.ts';
import { JOB_STATUSES } from '../store/tables/jobs.ts';
import { counts, integer, nullable, oneOf, optional, responseObject, string } from './members.ts';
import { Warnings } from './location.ts';

export const SweepRequestBody = Type.Object(
  {
    market: string('Id of the market, as GET /v1/coverage lists it. It needs parcels and a property model.', {
      maxLength: 63,
    }),
    date: optional.string('As-of date of the values, `YYYY-MM-DD`, not in the future.', {
      format: 'date',
      'x-when-omitted': 'today',
      'x-aliases': ['as_of'],
    }),
  },
  { title: 'SweepRequest' },
);

export const SweepValuesRequestBody = Type.Object(
  { format: optional.oneOf(VALUE_FORMATS, 'Format of the file; without it, the `Accept` header decides.') },
  { title: 'SweepValuesRequest' },
);

const time = (description?: string) => nullable.string(description, { format: 'date-time' });

export const SweepBody = responseObject('Sweep', {
  sweep_id: string('Id of the sweep.'),
  status: oneOf(
    JOB_STATUSES,
    'complete and cancelled are final. A complete sweep can have parcels without a value.',
  ),
  market: string(),
  as_of_date: string(),
  model: string('Id of the model, the same for all parcels.'),
  parcels: integer('Number of parcels.'),
  valued: integer('Parcels that have a value so far.'),
  errors: counts('Parcels without a value so far, by error code.'),
  progress_pct: integer('0 to 100, rounded down.'),
  created_at: string(undefined, { format: 'date-time' }),
  started_at: time(),
  finished_at: time(),
  credits_used: integer('1 for each parcel that has a value.'),
  warnings: Warnings,
});
