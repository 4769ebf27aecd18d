import type { Static } from 'typebox';
import type {
  AcceptedJobBody,
  BatchCompletedEvent,
  BatchJobBody,
  BatchResult,
  JobsBody,
  JobsRequestBody,
  JobSummary,
  MultifamilyBatchRequestBody,
  PropertyBatchRequestBody,
  RentalBatchRequestBody,
  ResultsBody,
  ResultsRequestBody,
} from '../../schemas/batch.ts';
import { MULTIFAMILY_EXAMPLES } from './multifamily.ts';
import { PROPERTY_EXAMPLES } from './property.ts';
import { RENTAL_EXAMPLES } from './rental.ts';

const notifyUrl = 'https://hooks.example.com/plumbline';
const jobId = '01980c2e-6a14-7b6e-9d3c-52f1a0b7c8d9';

const { PropertyValuationRequest: home, PropertyValuation: homeValuation } = PROPERTY_EXAMPLES;
const { RentalValuationRequest: rents } = RENTAL_EXAMPLES;
const { MultifamilyValuationRequest: building } = MULTIFAMILY_EXAMPLES;

const homes: Static<typeof PropertyBatchRequestBody> = {
  notify_url: notifyUrl,
  properties: [
    { property_id: 'loan-1', ...home },
    { property_id: 'loan-2', location: { address: '1 Nowhere Rd' }, property_fields: home.property_fields },
  ],
};
const buildingsToLet: Static<typeof RentalBatchRequestBody> = {
  notify_url: null,
  properties: [{ property_id: 'house-7', ...rents }],
};
const buildings: Static<typeof MultifamilyBatchRequestBody> = {
  properties: [{ property_id: 'building-3', ...building }],
};

const accepted: Static<typeof AcceptedJobBody> = {
  job_id: jobId,
  status: 'queued',
  avm_type: 'property',
  total: 2,
  status_url: `/v1/avm/batch/${jobId}`,
  created_at: '2026-06-30T12:00:00.000Z',
  notify_url: notifyUrl,
  parent_job_id: null,
  warnings: [],
};

const job: Static<typeof JobSummary> = {
  job_id: jobId,
  status: 'complete',
  avm_type: 'property',
  total: 2,
  completed: 1,
  failed: 1,
  progress_pct: 100,
  created_at: accepted.created_at,
  started_at: '2026-06-30T12:00:00.041Z',
  finished_at: '2026-06-30T12:00:00.310Z',
  expires_at: '2026-07-30T12:00:00.310Z',
  notify_url: notifyUrl,
  webhook_delivered: true,
  credits_used: 32,
  parent_job_id: null,
};

const cancelled: Static<typeof JobSummary> = { ...job, status: 'cancelled' };

const results: Static<typeof BatchResult>[] = [
  {
    index: 0,
    property_id: 'loan-1',
    status: 'complete',
    data: homeValuation,
    error: null,
    error_code: null,
  },
  {
    index: 1,
    property_id: 'loan-2',
    status: 'error',
    data: null,
    error: 'No address like "1 Nowhere Rd" is known here. Check it, or send coordinates.',
    error_code: 'address_not_found',
  },
];

const read: Static<typeof BatchJobBody> = { ...job, results };
const jobs: Static<typeof JobsBody> = { jobs: [job], next_cursor: null, warnings: [] };
const page: Static<typeof ResultsBody> = { job_id: jobId, results, next_cursor: null, warnings: [] };
const search: Static<typeof JobsRequestBody> = { status: 'complete', avm_type: 'property', limit: 20 };
const pageAsked: Static<typeof ResultsRequestBody> = { limit: 50 };

const event: Static<typeof BatchCompletedEvent> = {
  type: 'avm.batch.completed',
  timestamp: '2026-06-30T12:00:00.310Z',
  ...job,
  webhook_delivered: false,
  results,
};

export const BATCH_EXAMPLES = {
  PropertyBatchRequest: homes,
  RentalBatchRequest: buildingsToLet,
  MultifamilyBatchRequest: buildings,
  AcceptedJob: accepted,
  BatchJob: read,
  JobSummary: cancelled,
  Jobs: jobs,
  JobsRequest: search,
  Results: page,
  ResultsRequest: pageAsked,
  BatchResult: results[0],
  BatchCompletedEvent: event,
  DryRun: { dry_run: true, credits_max: 65 },
};
