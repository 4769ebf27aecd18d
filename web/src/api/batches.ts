import type { Static } from 'typebox';
import type { AcceptedJobBody, JobsBody, JobSummary, ResultsBody } from '../../../src/schemas/batch.ts';
import type { DryRun } from '../../../src/schemas/property-response.ts';
import type { ValuationKind } from '../../../src/domain/valuation-kind.ts';
import { request, requestWhole, send } from './request.ts';

export type Job = Static<typeof JobSummary>;
export type AcceptedJob = Static<typeof AcceptedJobBody>;
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
export function readJob(jobId: string, signal?: AbortSignal): Promise<Job> {
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

/** All results, each a line, as they come. */
export async function openResults(jobId: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const headers = { accept: 'application/x-ndjson' };
  const { body } = await send('GET', `/avm/batch/${jobId}/results`, { headers, signal });
  if (body === null) throw new Error('The server answered without results.');
  return body;
}

/** The most that a batch can cost. */
export async function priceBatch(kind: ValuationKind, body: object, signal?: AbortSignal): Promise<number> {
  const headers = { 'x-dry-run': 'true' };
  const answer = await request<Static<typeof DryRun>>('POST', `/avm/batch/${kind}`, {
    body,
    headers,
    signal,
  });
  return answer.credits_max;
}

/** A batch that was taken on, now or when the same key was sent before. */
export interface Submitted {
  readonly job: AcceptedJob;
  readonly isReplay: boolean;
}

export async function submitBatch(
  kind: ValuationKind,
  body: object,
  idempotencyKey: string,
  signal?: AbortSignal,
): Promise<Submitted> {
  const headers = { 'idempotency-key': idempotencyKey };
  const answer = await requestWhole<AcceptedJob>('POST', `/avm/batch/${kind}`, { body, headers, signal });
  return { job: answer.body, isReplay: answer.headers.get('idempotent-replayed') === 'true' };
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
