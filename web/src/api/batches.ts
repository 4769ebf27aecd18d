import type { Static } from 'typebox';
import type { ConsoleJobBody, FailuresBody } from '../../../src/api/console/jobs.ts';
import type * as uploads from '../../../src/schemas/uploads.ts';
import type { ValuationKind } from '../../../src/domain/valuation-kind.ts';
import type { AcceptedJobBody, JobsBody, JobSummary, ResultsBody } from '../../../src/schemas/batch.ts';
import type { DryRun } from '../../../src/schemas/property-response.ts';
import type {
  DeliveriesBody,
  WebhookEndpointRequestBody,
  WebhookEndpointsBody,
  WebhookSecretBody,
} from '../../../src/schemas/webhooks.ts';
import { asProblem } from './problem.ts';
import { get, pause, post, urlOf } from './request.ts';

export type Job = Static<typeof JobSummary>;
/** A job with its file, its retry and how many items were canceled. */
export type ConsoleJob = Static<typeof ConsoleJobBody>;
export type BatchResult = Static<typeof ResultsBody>['results'][number];
export type Delivery = Static<typeof DeliveriesBody>['deliveries'][number];
export type WebhookSecret = Static<typeof WebhookSecretBody>;
type Upload = Static<typeof uploads.UploadBody>;
export type SubmittedUpload = Static<typeof uploads.UploadsBody>['uploads'][number];
export type UploadedSheet = Static<typeof uploads.SheetBody>;
export type FileMember = UploadedSheet['kinds'][number]['members'][number];
export type CheckedUpload = Static<typeof uploads.CheckedBody>;
export type UploadProgress = Static<typeof uploads.UploadProgressBody>;
export type UploadPart = UploadProgress['parts'][number];
export type Portfolio = Static<typeof uploads.PortfolioBody>;
export type PortfolioRow = Portfolio['rows'][number];
type SubmitProgress = Static<typeof uploads.SubmitProgressBody>;

export const KINDS = ['property', 'rental', 'multifamily'] as const satisfies readonly ValuationKind[];

export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status === 'complete' || status === 'failed' || status === 'cancelled';
}

/** Optional parameters of a list that is read page by page. */
type ListQuery = Readonly<Record<string, string | number | null>>;

export const listJobs = (query: ListQuery, signal: AbortSignal) =>
  get<Static<typeof JobsBody>>('/avm/batch', { query, signal });
/** Without its results, which can be megabytes. */
export const readJob = (jobId: string, signal: AbortSignal) => get<ConsoleJob>(`/jobs/${jobId}`, { signal });
export const readResultsPage = (jobId: string, query: ListQuery, signal: AbortSignal) =>
  get<Static<typeof ResultsBody>>(`/avm/batch/${jobId}/results`, { query, signal });
/** Why items failed, by cause. */
export const readFailures = async (jobId: string, signal: AbortSignal) =>
  (await get<Static<typeof FailuresBody>>(`/jobs/${jobId}/failures`, { signal })).failures;
export const resultsOfJob = (jobId: string, format: 'csv' | 'xlsx') =>
  urlOf(`/jobs/${jobId}/results.${format}`);
export const pathOfJob = (jobId: string) => `/console/batches/${jobId}`;
export const cancelJob = (jobId: string) => post(`/avm/batch/${jobId}/cancel`);
export const priceRetry = async (jobId: string, signal: AbortSignal) => {
  const options = { headers: { 'x-dry-run': 'true' }, signal };
  return (await post<Static<typeof DryRun>>(`/avm/batch/${jobId}/retry-failed`, options)).credits_max;
};
export const retryFailed = (jobId: string, idempotencyKey: string) =>
  post<Static<typeof AcceptedJobBody>>(`/avm/batch/${jobId}/retry-failed`, {
    headers: { 'idempotency-key': idempotencyKey },
  });

export const listDeliveries = (query: ListQuery, signal: AbortSignal) =>
  get<Static<typeof DeliveriesBody>>('/webhooks/deliveries', { query, signal });
/** Starts another round of attempts under the same `webhook-id`. */
export const redeliver = (deliveryId: string) => post(`/webhooks/deliveries/${deliveryId}/redeliver`);
export const sendTest = (notifyUrl: string) => post('/webhooks/test', { body: { notify_url: notifyUrl } });
/** Receivers of events that no request names a receiver for. */
export type WebhookReceiver = Static<typeof WebhookEndpointsBody>['endpoints'][number];
export type ReceiverRequest = Static<typeof WebhookEndpointRequestBody>;
export const listReceivers = async (signal: AbortSignal) =>
  (await get<Static<typeof WebhookEndpointsBody>>('/webhooks/endpoints', { signal })).endpoints;
export const addReceiver = (body: ReceiverRequest) => post('/webhooks/endpoints', { body });
export const removeReceiver = (id: string) => post(`/webhooks/endpoints/${id}/remove`);
export const rotateSecret = () => post<WebhookSecret>('/webhooks/secret/rotate');

/** Where a field of every item comes from: a column, by its position, or one text for all rows. */
export type Source = { readonly column: number } | { readonly text: string };
/** By path of the field. */
export type Mapping = Readonly<Record<string, Source>>;

/** Uploads a file in pieces; the server then reads it. */
export async function uploadFile(
  file: Blob,
  name: string,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<UploadedSheet> {
  const { id } = await uploadPieces(file, name, 'batch', signal, onProgress);
  return post(`/uploads/${id}/read`, { signal, isPatient: true });
}

/** Uploads a file in pieces. */
export async function uploadPieces(
  file: Blob,
  name: string,
  purpose: 'batch' | 'import',
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<Upload> {
  const body = { name, byte_count: file.size, purpose };
  const upload = await post<Upload>('/uploads', { body, signal, isPatient: true });
  const { id, piece_bytes: pieceBytes } = upload;
  for (let at = 0; at < file.size; at += pieceBytes) {
    onProgress(at);
    await sendPiece(`/uploads/${id}/pieces/${at / pieceBytes}`, file.slice(at, at + pieceBytes), signal);
  }
  onProgress(file.size);
  return upload;
}

/** A large file may exceed the plan's limit of requests, so a 429 waits as long as necessary. */
async function sendPiece(path: string, bytes: Blob, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await post(path, { bytes, signal, isPatient: true });
      return;
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status !== 429) throw error;
      await pause(problem.retryAfterSeconds ?? 1, signal);
    }
  }
}

/** Accepted suggestions: what is sent in place of an address of the file. */
export type Corrections = Readonly<Record<string, string>>;

export const checkUpload = (
  id: string,
  kind: ValuationKind,
  mapping: Mapping,
  corrections: Corrections,
  signal: AbortSignal,
) =>
  post<CheckedUpload>(`/uploads/${id}/check`, {
    body: { avm_type: kind, mapping: sourcesOf(mapping), corrections: listOf(corrections) },
    signal,
    isPatient: true,
  });

export function submitUpload(
  id: string,
  kind: ValuationKind,
  mapping: Mapping,
  corrections: Corrections,
  options: {
    readonly leaves_out_repeats: boolean;
    readonly sends_again: boolean;
    readonly notify_url: string | null;
  },
): Promise<Upload> {
  // The button appears only if all rows are valid or the user leaves the others out.
  const body = {
    avm_type: kind,
    mapping: sourcesOf(mapping),
    corrections: listOf(corrections),
    leaves_out: true,
    ...options,
  };
  return post(`/uploads/${id}/submit`, { body, isPatient: true });
}

function listOf(corrections: Corrections): object[] {
  return Object.entries(corrections).map(([address, corrected]) => ({ address, corrected }));
}

function sourcesOf(mapping: Mapping): object[] {
  return Object.entries(mapping).map(([path, source]) => ({ path, ...source }));
}

export const listUploads = async (signal: AbortSignal) =>
  (await get<Static<typeof uploads.UploadsBody>>('/uploads', { signal })).uploads;
export const readUpload = (id: string, signal: AbortSignal) =>
  get<UploadProgress>(`/uploads/${id}`, { signal });
/** Creates batches of the file until all exist, the request's time is used up, or one is rejected. */
export const sendUpload = (id: string, signal: AbortSignal) =>
  post<SubmitProgress>(`/uploads/${id}/send`, { signal, isPatient: true });
export const retryUpload = (id: string) => post<SubmitProgress>(`/uploads/${id}/retry-failed`);
export const priceUploadRetry = async (id: string, signal: AbortSignal) =>
  (await get<Static<typeof uploads.CreditsBody>>(`/uploads/${id}/retry-credits`, { signal })).credits_max;
export const rerunUpload = (id: string, date: string, corrections: Corrections) =>
  post<Upload>(`/uploads/${id}/rerun`, {
    body: { date, corrections: listOf(corrections) },
    isPatient: true,
  });
export const checkRerun = (id: string, date: string, corrections: Corrections, signal: AbortSignal) =>
  post<Static<typeof uploads.CheckedRerunBody>>(`/uploads/${id}/rerun-check`, {
    body: { date, corrections: listOf(corrections) },
    signal,
    isPatient: true,
  });
export const readPortfolio = (id: string, signal: AbortSignal) =>
  get<Portfolio>(`/uploads/${id}/portfolio`, { signal });
/** Why the value of each pair changed; null if that can no longer be computed. */
export const splitChanges = async (
  pairs: Static<typeof uploads.ChangesRequestBody>['pairs'],
  signal: AbortSignal,
) =>
  (await post<Static<typeof uploads.ChangesBody>>('/valuations/changes', { body: { pairs }, signal }))
    .changes;
export const cancelUpload = (id: string) => post(`/uploads/${id}/cancel`);
export const deleteUpload = (id: string) => post(`/uploads/${id}/forget`);
export const resultsOfUpload = (id: string, format: 'xlsx' | 'csv' | 'ndjson') =>
  urlOf(`/uploads/${id}/results.${format}`);
export const pathOfValuation = (id: string) => `/console/value?valuation=${id}`;
export const pathOfFile = (id: string) => `/console/batches/file/${id}`;
