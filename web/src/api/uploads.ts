import type { Static } from 'typebox';
import type {
  CheckedBody,
  CreditsBody,
  SheetBody,
  SubmitProgressBody,
  UploadBody,
  UploadProgressBody,
  UploadsBody,
} from '../../../src/api/console/upload/schemas.ts';
import type { ValuationKind } from '../../../src/domain/valuation-kind.ts';
import { pause } from './pause.ts';
import { asProblem, request, urlOf } from './request.ts';

export type Upload = Static<typeof UploadBody>;
export type SubmittedUpload = Static<typeof UploadsBody>['uploads'][number];
export type UploadedSheet = Static<typeof SheetBody>;
export type FileMember = UploadedSheet['kinds'][number]['members'][number];
export type CheckedUpload = Static<typeof CheckedBody>;
export type UploadProgress = Static<typeof UploadProgressBody>;
export type UploadPart = UploadProgress['parts'][number];
export type SubmitProgress = Static<typeof SubmitProgressBody>;

/** Where a member of every item comes from: a column, by its position, or one text for all rows. */
export type Source = { readonly column: number } | { readonly text: string };
/** By path of the member. */
export type Mapping = Readonly<Record<string, Source>>;

export const KINDS = ['property', 'rental', 'multifamily'] as const satisfies readonly ValuationKind[];

/** Sends a file in pieces, and has the server read it. */
export async function uploadFile(
  file: Blob,
  name: string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (bytes: number) => void },
): Promise<UploadedSheet> {
  const body = { name, byte_count: file.size };
  const upload = await request<Upload>('POST', '/uploads', { body, signal });
  const { id, piece_bytes: pieceBytes } = upload;
  for (let at = 0; at < file.size; at += pieceBytes) {
    onProgress(at);
    await sendPiece(`/uploads/${id}/pieces/${at / pieceBytes}`, file.slice(at, at + pieceBytes), signal);
  }
  onProgress(file.size);
  return request('POST', `/uploads/${id}/read`, { signal, isPatient: true });
}

/** Waits where the plan allows fewer requests. */
async function sendPiece(path: string, bytes: Blob, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await request('POST', path, { bytes, signal });
      return;
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status !== 429) throw error;
      await pause(problem.retryAfterSeconds ?? 1, signal);
    }
  }
}

export function checkUpload(
  id: string,
  kind: ValuationKind,
  mapping: Mapping,
  signal: AbortSignal,
): Promise<CheckedUpload> {
  const body = { avm_type: kind, mapping: sourcesOf(mapping) };
  return request('POST', `/uploads/${id}/check`, { body, signal, isPatient: true });
}

export function submitUpload(
  id: string,
  of: {
    readonly kind: ValuationKind;
    readonly mapping: Mapping;
    readonly notifyUrl: string | null;
    readonly sendsAgain: boolean;
  },
): Promise<Upload> {
  const body = {
    avm_type: of.kind,
    mapping: sourcesOf(of.mapping),
    // The button is there only where all rows are good, or the others are to be left out.
    leaves_out: true,
    sends_again: of.sendsAgain,
    notify_url: of.notifyUrl,
  };
  return request('POST', `/uploads/${id}/submit`, { body });
}

function sourcesOf(mapping: Mapping): object[] {
  return Object.entries(mapping).map(([path, source]) => ({ path, ...source }));
}

export async function listUploads(signal?: AbortSignal): Promise<readonly SubmittedUpload[]> {
  return (await request<Static<typeof UploadsBody>>('GET', '/uploads', { signal })).uploads;
}

export function readUpload(id: string, signal?: AbortSignal): Promise<UploadProgress> {
  return request('GET', `/uploads/${id}`, { signal });
}

/** Creates batches of the file until they are all there, time is up, or one is rejected. */
export function sendUpload(id: string, signal: AbortSignal): Promise<SubmitProgress> {
  return request('POST', `/uploads/${id}/send`, { signal });
}

export function retryUpload(id: string): Promise<SubmitProgress> {
  return request('POST', `/uploads/${id}/retry-failed`, {});
}

export async function priceUploadRetry(id: string, signal?: AbortSignal): Promise<number> {
  return (await request<Static<typeof CreditsBody>>('GET', `/uploads/${id}/retry-credits`, { signal }))
    .credits_max;
}

export function cancelUpload(id: string): Promise<UploadProgress> {
  return request('POST', `/uploads/${id}/cancel`, {});
}

export function deleteUpload(id: string): Promise<Upload> {
  return request('POST', `/uploads/${id}/forget`, {});
}

export function resultsOfUpload(id: string, format: 'csv' | 'ndjson'): string {
  return urlOf(`/uploads/${id}/results.${format}`);
}

export function pathOfFile(id: string): string {
  return `/console/batches/file/${id}`;
}

export function pathOfJob(jobId: string): string {
  return `/console/batches/${jobId}`;
}
