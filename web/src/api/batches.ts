import type { Static } from 'typebox';
import type { ConsoleJobBody, FailuresBody } from '../../../src/api/console/jobs.ts';
import type { AcceptedJobBody, JobsBody, JobSummary, ResultsBody } from '../../../src/schemas/batch.ts';
import type { DryRun } from '../../../src/schemas/property-response.ts';
import { request, urlOf } from './request.ts';

export type Job = Static<typeof JobSummary>;
export type AcceptedJob = Static<typeof AcceptedJobBody>;
/** A job with its file, its retry and how many items were cancelled. */
export type ConsoleJob = Static<typeof ConsoleJobBody>;
export type JobFailure = Static<typeof FailuresBody>['failures'][number];
export type BatchResult = Static<typeof ResultsBody>['results'][number];
export type JobStatus = Job['status'];

const FINAL: readonly JobStatus[] = ['complete', 'failed', 'cancelled'];

export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return FINAL.includes(status);
}

export interface JobFilter {
  readonly status?: string | null;
  readonly avm_type?: string | null;
  readonly limit?: number;
}

export function listJobs(
  filter: JobFilter,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Static<typeof JobsBody>> {
  return request('GET', '/avm/batch', { query: { ...filter, cursor }, signal });
}

/** Without its results, which are megabytes. */
export function readJob(jobId: string, signal?: AbortSignal): Promise<ConsoleJob> {
  return request('GET', `/jobs/${jobId}`, { signal });
}

export function readResultsPage(
  jobId: string,
  limit: number,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Static<typeof ResultsBody>> {
  return request('GET', `/avm/batch/${jobId}/results`, { query: { limit, cursor }, signal });
}

/** Why items failed, by cause. */
export async function readFailures(jobId: string, signal?: AbortSignal): Promise<readonly JobFailure[]> {
  return (await request<Static<typeof FailuresBody>>('GET', `/jobs/${jobId}/failures`, { signal })).failures;
}

export function csvOfJob(jobId: string): string {
  return urlOf(`/jobs/${jobId}/results.csv`);
}

export function cancelJob(jobId: string): Promise<Job> {
  return request('POST', `/avm/batch/${jobId}/cancel`, { body: {} });
}

export async function priceRetry(jobId: string, signal?: AbortSignal): Promise<number> {
  const options = { body: {}, headers: { 'x-dry-run': 'true' }, signal };
  return (await request<Static<typeof DryRun>>('POST', `/avm/batch/${jobId}/retry-failed`, options))
    .credits_max;
}

export function retryFailed(jobId: string, idempotencyKey: string): Promise<AcceptedJob> {
  const headers = { 'idempotency-key': idempotencyKey };
  return request('POST', `/avm/batch/${jobId}/retry-failed`, { body: {}, headers });
}
