import type { Upload } from '../../../store/tables/jobs.ts';
import { findUpload } from '../../../store/uploads.ts';
import { instant, instantOrNull } from '../../../domain/instant.ts';
import { PlumblineError } from '../../../errors.ts';
import * as files from '../../../jobs/upload/account-files.ts';
import { checkRows, type ReadItems } from '../../../jobs/upload/check-rows.ts';
import type { ReadingPlan } from '../../../jobs/upload/read-row.ts';
import { submissionOf } from '../../../jobs/upload/submission.ts';
import { sheetOf, type StoredSheet } from '../../../jobs/upload/uploaded-file.ts';
import type { ResponseOf } from '../../../schemas/member-names.ts';
import { ROWS_TRIED, type UploadBody } from '../../../schemas/uploads.ts';
import { FILE_READERS } from '../../endpoints/batch-request.ts';
import { readingOf } from '../../request/read-request.ts';
import { idParameter } from '../../request-context.ts';
import type { ConsoleRequest } from '../console-route.ts';

/** The page sends a file in pieces of this size, which meet the size and time limits of a single request. */
export const PIECE_BYTES = 1024 * 1024;

/** The uploaded file that the path names, whether its rows are valued or imported. Users see only their own files. */
export async function anyUploadOf(http: ConsoleRequest<unknown>): Promise<Upload> {
  const { request, session, store } = http;
  const missing = 'There is no file with this id. It may have been deleted, or it belongs to another user.';
  const uploadId = idParameter(request, missing);
  const upload = await findUpload(store, session, uploadId, nowOf(http));
  if (upload === null) throw new PlumblineError('not_found', missing);
  return upload;
}

/** The uploaded file that the path names, whose rows are valued. */
export async function uploadOf(http: ConsoleRequest<unknown>): Promise<Upload> {
  const upload = await anyUploadOf(http);
  if (upload.purpose === 'batch') return upload;
  throw conflict('This file was uploaded to be imported. Upload it again under Batches.');
}

export function conflict(message: string): PlumblineError {
  return new PlumblineError('conflict', message);
}

export function readSheetOf(upload: Upload): StoredSheet {
  const sheet = sheetOf(upload);
  if (sheet === null) throw conflict('The file is not complete. Upload the rest first.');
  return sheet;
}

export function uploadMembers(upload: Upload): ResponseOf<typeof UploadBody> {
  return {
    id: upload.uploadId,
    name: upload.name,
    pieceBytes: PIECE_BYTES,
    keptUntil: instant(upload.keptUntil),
    rowCount: (upload.purpose === 'batch' ? sheetOf(upload)?.rowCount : null) ?? null,
    submittedAt: instantOrNull(
      upload.purpose === 'batch' ? (submissionOf(upload)?.submittedAt ?? null) : null,
    ),
  };
}

/** Reads items as the public batch operation does, but for what a home's public record may fill. */
export const readItems: ReadItems = async (kind, items, reading) =>
  (await FILE_READERS[kind]({ properties: items }, reading)).items;

export function nowOf({ deps }: ConsoleRequest<unknown>): number {
  return deps.clock().getTime();
}

/** A new file of the signed-in user. */
export function newUpload(
  http: ConsoleRequest<unknown>,
  file: Pick<Upload, 'name' | 'byteCount' | 'purpose'>,
): Promise<Upload> {
  const { deps, session, store } = http;
  const identity = { createdAt: nowOf(http), randomBytes: deps.randomBytes(10) };
  return files.newUpload(store, session, file, identity);
}

/** Checks all rows under a plan, and computes the maximum cost of valuing them. */
export function checkPlan(http: ConsoleRequest<unknown>, upload: Upload, plan: ReadingPlan) {
  const { deps, request, reply, store } = http;
  const isGone = (): boolean => request.raw.socket.destroyed;
  const reading = readingOf(deps, request, reply);
  const { uploadId, accountId } = upload;
  const file = { uploadId, rowCount: readSheetOf(upload).rowCount };
  const { batches, operations } = deps;
  return files.runOneAtATime(accountId, () =>
    checkRows({ store, batches, operations, readItems }, file, plan, {
      reading,
      isGone,
      rowsTried: ROWS_TRIED,
    }),
  );
}
