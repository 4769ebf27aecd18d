import { Type, type TObject, type TProperties, type TSchema } from 'typebox';
import { VALUATION_KINDS } from '../domain/valuation-kind.ts';
import { JOB_STATUSES } from '../store/tables/jobs.ts';
import { Warning } from './location.ts';
import { arrayOf, boolean, integer, nullable, oneOf, optional, responseObject, string } from './members.ts';
import { ValuationBody } from './multifamily-response.ts';
import {
  MultifamilyValuationRequestBody,
  PropertyValuationRequestBody,
  RecordedPropertyRequestBody,
  RentalValuationRequestBody,
} from './valuation-requests.ts';

export const MAX_ITEMS = 500;
export const JOBS_LIMIT = { default: 20, max: 100 } as const;
export const RESULTS_LIMIT = { default: 50, max: 100 } as const;
/** A caller's reference is a word or a number. The limit only keeps results small. */
const MAX_PROPERTY_ID_LENGTH = 500;
export const MAX_URL_LENGTH = 2048;
const MAX_CURSOR_LENGTH = 200;

/** The `limit` and `cursor` of a request for a page of a list. */
export function pageMembers(
  things: string,
  limit: { readonly default: number; readonly max: number },
  cursorOf = '',
) {
  return {
    limit: optional.integer(`Maximum number of ${things}.`, {
      minimum: 1,
      maximum: limit.max,
      default: limit.default,
    }),
    cursor: optional.string(`\`next_cursor\` of the previous page${cursorOf}.`, {
      maxLength: MAX_CURSOR_LENGTH,
    }),
  };
}

export const nextCursor = nullable.string('Cursor of the next page; null on the last page.');

/** One property of a batch: the request of the single operation, and the caller's reference. */
function itemOf<Members extends TProperties>(title: string, single: TObject<Members>) {
  return Type.Object(
    {
      property_id: optional.string('Your own reference, returned with the result.', {
        maxLength: MAX_PROPERTY_ID_LENGTH,
      }),
      ...single.properties,
    },
    { title, description: 'The request of the single operation, with a reference of your own.' },
  );
}

export const PropertyBatchItem = itemOf('PropertyBatchItem', PropertyValuationRequestBody);
/** A row of a file in the console. */
export const RecordedPropertyItem = itemOf('RecordedPropertyItem', RecordedPropertyRequestBody);
export const RentalBatchItem = itemOf('RentalBatchItem', RentalValuationRequestBody);
export const MultifamilyBatchItem = itemOf('MultifamilyBatchItem', MultifamilyValuationRequestBody);

function batchOf<Item extends TSchema>(item: Item, title?: string) {
  return Type.Object(
    {
      notify_url: optional.string('URL that receives the finished job: http or https, on a public address.', {
        maxLength: MAX_URL_LENGTH,
      }),
      properties: Type.Array(item, {
        description: 'The properties, each valued on its own.',
        minItems: 1,
        maxItems: MAX_ITEMS,
      }),
    },
    title === undefined ? {} : { title },
  );
}

export const PropertyBatchRequestBody = batchOf(PropertyBatchItem, 'PropertyBatchRequest');
export const RentalBatchRequestBody = batchOf(RentalBatchItem, 'RentalBatchRequest');
export const MultifamilyBatchRequestBody = batchOf(MultifamilyBatchItem, 'MultifamilyBatchRequest');
/** A batch without its items, which are read one by one. */
export const BatchEnvelope = batchOf(Type.Unknown());

export const JobsRequestBody = Type.Object(
  {
    status: optional.oneOf(JOB_STATUSES, 'Only jobs with this status.'),
    avm_type: optional.oneOf(VALUATION_KINDS, 'Only jobs of this kind.'),
    ...pageMembers('jobs', JOBS_LIMIT, ', with the same filters'),
  },
  { title: 'JobsRequest' },
);

export const ResultsRequestBody = Type.Object(
  pageMembers('results in a JSON response; NDJSON has no limit', RESULTS_LIMIT),
  { title: 'ResultsRequest' },
);

const timestamp = (description?: string) => string(description, { format: 'date-time' });
const nullableTimestamp = (description?: string) => nullable.string(description, { format: 'date-time' });
const jobId = string('Id of the job.');
const avmType = oneOf(VALUATION_KINDS, 'How its items are valued.');
const total = integer('Number of items.');
const notifyUrl = nullable.string('Receiver of the finished job.');
const parentJobId = nullable.string('The job whose failed items this job retries.');

export const AcceptedJobBody = responseObject('AcceptedJob', {
  job_id: jobId,
  status: Type.Literal('queued'),
  avm_type: avmType,
  total,
  status_url: string('Path of the job, the same as in `Location`.'),
  created_at: timestamp(),
  notify_url: notifyUrl,
  parent_job_id: parentJobId,
  warnings: arrayOf(Warning, 'About the batch itself; warnings about an item are in its result.'),
});

const jobMembers = {
  job_id: jobId,
  status: oneOf(
    JOB_STATUSES,
    'complete, failed and cancelled are final. A complete job can have items that failed.',
  ),
  avm_type: avmType,
  total,
  completed: integer('Number of items that were valued.'),
  failed: integer('Number of items that ended with an error or were cancelled.'),
  progress_pct: integer('0 to 100, rounded down.'),
  created_at: timestamp(),
  started_at: nullableTimestamp(),
  finished_at: nullableTimestamp(),
  expires_at: nullableTimestamp('When its results will be deleted.'),
  notify_url: notifyUrl,
  webhook_delivered: boolean(
    'Whether the receiver accepted the webhook. Always false in the webhook itself.',
  ),
  credits_used: integer('Credits of the items that were valued; other items are free.'),
  parent_job_id: parentJobId,
};

export const BatchResult = responseObject(
  'BatchResult',
  {
    index: integer('Position in the batch, from 0.'),
    property_id: nullable.string('As submitted.'),
    status: oneOf(['complete', 'error']),
    data: Type.Union([ValuationBody, Type.Null()], {
      description: 'The response of the single operation; null after an error.',
    }),
    error: nullable.string('A sentence: what was wrong, what to do.'),
    error_code: nullable.string('An error code, `cancelled` or `poison`.'),
  },
  'The result of one item.',
);

export const BatchJobBody = responseObject('BatchJob', {
  ...jobMembers,
  results: Type.Union([arrayOf(BatchResult), Type.Null()], {
    description: 'In the order of the batch; null before the job has ended.',
  }),
});

/** A job without its results. */
export const JobSummary = responseObject('JobSummary', jobMembers);

export const JobsBody = responseObject('Jobs', {
  jobs: arrayOf(JobSummary, 'Newest first, without results.'),
  next_cursor: nextCursor,
  warnings: arrayOf(Warning),
});

export const ResultsBody = responseObject('Results', {
  job_id: jobId,
  results: arrayOf(BatchResult, 'In the order of the batch.'),
  next_cursor: nextCursor,
  warnings: arrayOf(Warning),
});

/** The webhook that reports the end of a job. */
export const BatchCompletedEvent = Type.Object(
  {
    type: Type.Literal('avm.batch.completed'),
    timestamp: timestamp('When the job ended.'),
    ...jobMembers,
    results: arrayOf(BatchResult),
  },
  { title: 'BatchCompletedEvent' },
);
