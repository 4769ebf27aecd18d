import { Type, type TObject, type TProperties, type TSchema } from 'typebox';
import { VALUATION_KINDS } from '../domain/valuation-kind.ts';
import { JOB_STATUSES } from '../store/tables/jobs.ts';
import { Warning } from './address-info.ts';
import { answer } from './response-object.ts';
import { nullableInteger, nullableOneOf, nullableString, oneOf } from './members.ts';
import { MultifamilyValuationRequestBody } from './multifamily-request.ts';
import { ValuationBody } from './past-valuation.ts';
import { RentalValuationRequestBody } from './rental-request.ts';
import { PropertyValuationRequestBody } from './property-request.ts';

/** Contract §3. */
export const ITEMS_MAX = 500;
export const JOBS_LIMIT = { default: 20, most: 100 } as const;
export const RESULTS_LIMIT = { default: 50, most: 100 } as const;
/** A reference is a word or a number of the caller's; it comes back with the result, and the specification sets no limit. */
const PROPERTY_ID_LENGTH_MAX = 500;
const URL_LENGTH_MAX = 2048;
const CURSOR_LENGTH_MAX = 200;

/** One property of a batch: what the single operation takes, and the caller's own name of it. */
function itemOf<Members extends TProperties>(title: string, single: TObject<Members>) {
  return Type.Object(
    {
      property_id: Type.Optional(
        nullableString({
          description: 'Your own reference, given back with the result.',
          maxLength: PROPERTY_ID_LENGTH_MAX,
        }),
      ),
      ...single.properties,
    },
    { title, description: 'As the single operation takes it, with a reference of your own.' },
  );
}

export const PropertyBatchItem = itemOf('PropertyBatchItem', PropertyValuationRequestBody);
export const RentalBatchItem = itemOf('RentalBatchItem', RentalValuationRequestBody);
export const MultifamilyBatchItem = itemOf('MultifamilyBatchItem', MultifamilyValuationRequestBody);

function batchOf<Item extends TSchema>(item: Item) {
  return {
    notify_url: Type.Optional(
      nullableString({
        description: 'Where to post the finished job: http or https, on a public address.',
        maxLength: URL_LENGTH_MAX,
      }),
    ),
    properties: Type.Array(item, {
      description: 'What to value, each for itself.',
      minItems: 1,
      maxItems: ITEMS_MAX,
    }),
  };
}

export const PropertyBatchRequestBody = Type.Object(batchOf(PropertyBatchItem), {
  title: 'PropertyBatchRequest',
});
export const RentalBatchRequestBody = Type.Object(batchOf(RentalBatchItem), { title: 'RentalBatchRequest' });
export const MultifamilyBatchRequestBody = Type.Object(batchOf(MultifamilyBatchItem), {
  title: 'MultifamilyBatchRequest',
});

/** A batch around its items, which are read one by one. */
export const BatchHull = Type.Object(batchOf(Type.Unknown()));

export const JobsRequestBody = Type.Object(
  {
    status: Type.Optional(nullableOneOf(JOB_STATUSES, { description: 'Only jobs in this state.' })),
    avm_type: Type.Optional(nullableOneOf(VALUATION_KINDS, { description: 'Only jobs of this kind.' })),
    limit: Type.Optional(
      nullableInteger({
        description: 'Jobs to list at most.',
        minimum: 1,
        maximum: JOBS_LIMIT.most,
        default: JOBS_LIMIT.default,
      }),
    ),
    cursor: Type.Optional(
      nullableString({
        description: '`next_cursor` of the page before, with the same filters.',
        maxLength: CURSOR_LENGTH_MAX,
      }),
    ),
  },
  { title: 'JobsRequest' },
);

export const ResultsRequestBody = Type.Object(
  {
    limit: Type.Optional(
      nullableInteger({
        description: 'Results to answer at most; lines of NDJSON have no limit.',
        minimum: 1,
        maximum: RESULTS_LIMIT.most,
        default: RESULTS_LIMIT.default,
      }),
    ),
    cursor: Type.Optional(
      nullableString({ description: '`next_cursor` of the page before.', maxLength: CURSOR_LENGTH_MAX }),
    ),
  },
  { title: 'ResultsRequest' },
);

const jobId = Type.String({ description: 'Names the job.' });
const avmType = oneOf(VALUATION_KINDS, { description: 'What its items are valued as.' });
const notifyUrl = nullableString({ description: 'Where its end is posted.' });
const parentJobId = nullableString({ description: 'The job whose failed items it tries again.' });

export const AcceptedJobBody = answer('AcceptedJob', {
  job_id: jobId,
  status: Type.Literal('queued'),
  avm_type: avmType,
  total: Type.Integer({ description: 'Its items.' }),
  status_url: Type.String({ description: 'Where to read it, from the base address on; as `Location` says.' }),
  created_at: Type.String({ format: 'date-time' }),
  notify_url: notifyUrl,
  parent_job_id: parentJobId,
  warnings: Type.Array(Warning, {
    description: 'Of the body around the items; theirs come with their results.',
  }),
});

const jobMembers = {
  job_id: jobId,
  status: oneOf(JOB_STATUSES, {
    description: 'complete, failed and cancelled are final. complete may have items that ended as an error.',
  }),
  avm_type: avmType,
  total: Type.Integer({ description: 'Its items.' }),
  completed: Type.Integer({ description: 'Items that were valued.' }),
  failed: Type.Integer({ description: 'Items that ended as an error, cancelled ones too.' }),
  progress_pct: Type.Integer({ description: '0..100, rounded down.' }),
  created_at: Type.String({ format: 'date-time' }),
  started_at: nullableString({ format: 'date-time' }),
  finished_at: nullableString({ format: 'date-time' }),
  expires_at: nullableString({ format: 'date-time', description: 'Until when its results are kept.' }),
  notify_url: notifyUrl,
  webhook_delivered: Type.Boolean({
    description: 'Whether the receiver took it. Always false in what is posted.',
  }),
  credits_used: Type.Integer({ description: 'Of the items that were valued; others cost nothing.' }),
  parent_job_id: parentJobId,
};

export const BatchResult = answer(
  'BatchResult',
  {
    index: Type.Integer({ description: 'Its place in the batch, from 0.' }),
    property_id: nullableString({ description: 'As it was submitted.' }),
    status: oneOf(['complete', 'error']),
    data: Type.Union([ValuationBody, Type.Null()], {
      description: 'What the single operation answers; null of an error.',
    }),
    error: nullableString({ description: 'A sentence: what was wrong, what to do.' }),
    error_code: nullableString({ description: 'A code of the list of errors, `cancelled` or `poison`.' }),
  },
  'What came of one item.',
);

const results = Type.Union([Type.Array(BatchResult), Type.Null()], {
  description: 'In the order of the batch; null before the end.',
});

export const BatchJobBody = answer('BatchJob', { ...jobMembers, results });

/** A job without its results. */
export const JobSummary = answer('JobSummary', jobMembers);

export const JobsBody = answer('Jobs', {
  jobs: Type.Array(JobSummary, { description: 'Newest first, without results.' }),
  next_cursor: nullableString({ description: 'Of the next page; null on the last.' }),
  warnings: Type.Array(Warning),
});

export const ResultsBody = answer('Results', {
  job_id: jobId,
  results: Type.Array(BatchResult, { description: 'In the order of the batch.' }),
  next_cursor: nullableString({ description: 'Of the next page; null on the last.' }),
  warnings: Type.Array(Warning),
});

/** What is posted to the receiver at a job's end. */
export const BatchCompletedEvent = Type.Object(
  {
    type: Type.Literal('avm.batch.completed'),
    timestamp: Type.String({ format: 'date-time', description: 'When the job ended.' }),
    ...jobMembers,
    results: Type.Array(BatchResult),
  },
  { title: 'BatchCompletedEvent' },
);
