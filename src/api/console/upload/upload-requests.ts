import type { Static } from 'typebox';
import { MS_PER_DAY } from '../../../domain/day.ts';
import type { ValuationKind } from '../../../domain/valuation-kind.ts';
import { instant, instantOrNull } from '../../../domain/instant.ts';
import { PlumblineError } from '../../../errors.ts';
import type { ResponseOf } from '../../../schemas/member-names.ts';
import type { Upload } from '../../../store/tables/jobs.ts';
import { countUploads, findUpload, listUploads, submitUpload } from '../../../store/uploads.ts';
import { uuidV7 } from '../../../store/uuid-v7.ts';
import { readingOf } from '../../request/read-request.ts';
import { idParameter } from '../../request-context.ts';
import type { ConsoleRequest } from '../console-route.ts';
import { inTurn } from './account-queue.ts';
import { checkRows, planParts } from './check-rows.ts';
import type { ReadingPlan } from './read-row.ts';
import type { RerunBody, UploadBody } from './schemas.ts';
import {
  isSameFile,
  sheetOf,
  submissionOf,
  type StoredSheet,
  type UploadSubmission,
} from './uploaded-file.ts';

/** The page sends a file in pieces of this size, which meet the size and time limits of a single request. */
export const PIECE_BYTES = 1024 * 1024;
/** Limits of all files of an account together. */
export const MAX_ACCOUNT_BYTES = 500 * 1024 * 1024;
const MAX_ACCOUNT_FILES = 500;
export const ACCOUNT_IS_FULL =
  'This account is at its limit of 500 files or 500 MB. Delete a file, or wait a day.';
/** A file is kept this long before it is submitted. */
const UNSENT_KEPT_MS = MS_PER_DAY;
const FILES_LISTED = 20;

/** The uploaded file that the path names, whether its rows are valued or imported. Users see only their own files. */
export async function anyUploadOf(http: ConsoleRequest<unknown>): Promise<Upload> {
  const { deps, request, session, store } = http;
  const missing = 'There is no file with this id. It may have been deleted, or it belongs to another user.';
  const uploadId = idParameter(request, missing);
  const upload = await findUpload(store, session, uploadId, deps.clock().getTime());
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

/** The newest files of the signed-in user. */
export function ownUploads({ deps, session, store }: ConsoleRequest<unknown>): Promise<readonly Upload[]> {
  return listUploads(store, session, { now: deps.clock().getTime(), limit: FILES_LISTED });
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

/** @throws PlumblineError `conflict` if the account has no room for it */
export async function newUpload(
  { deps, session, store }: ConsoleRequest<unknown>,
  file: Pick<Upload, 'name' | 'byteCount' | 'purpose'>,
): Promise<Upload> {
  const { accountId, userId } = session;
  const stored = await countUploads(store, accountId);
  if (stored.files >= MAX_ACCOUNT_FILES || stored.bytes + file.byteCount > MAX_ACCOUNT_BYTES)
    throw conflict(ACCOUNT_IS_FULL);
  const createdAt = deps.clock().getTime();
  return {
    ...file,
    accountId,
    userId,
    uploadId: uuidV7(createdAt, deps.randomBytes(10)),
    createdAt,
    keptUntil: createdAt + UNSENT_KEPT_MS,
    sheet: null,
    submission: null,
    cancelledAt: null,
  };
}

/**
 * Addresses as they are sent, by the whole address of the row; undefined without any.
 *
 * @param before of an earlier run: what was sent then can be corrected again
 */
export function correctionsOf(
  accepted: Static<typeof RerunBody>['corrections'],
  before: ReadingPlan['corrections'] = {},
): ReadingPlan['corrections'] {
  const added = new Map((accepted ?? []).map(({ address, corrected }) => [address, corrected]));
  const kept = Object.entries(before).map(([address, sent]) => [address, added.get(sent) ?? sent]);
  return added.size + kept.length === 0 ? undefined : Object.fromEntries([...added, ...kept]);
}

/** Checks all rows under a plan, and computes the maximum cost of valuing them. */
export function checkPlan(
  http: ConsoleRequest<unknown>,
  upload: Upload,
  plan: ReadingPlan,
  /** At most so many rows are looked up. */
  rowsTried = 0,
) {
  const { deps, request, reply, store } = http;
  const isGone = (): boolean => request.raw.socket.destroyed;
  const reading = readingOf(deps, request, reply);
  const { uploadId, accountId } = upload;
  const file = { uploadId, rowCount: readSheetOf(upload).rowCount };
  const { batches, operations } = deps;
  return inTurn(accountId, () =>
    checkRows({ store, batches, operations }, file, plan, { reading, isGone, rowsTried }),
  );
}

/** Earlier submissions of the same file by the same user. */
export async function earlierUploads(http: ConsoleRequest<unknown>, upload: Upload, kind: ValuationKind) {
  return (await ownUploads(http)).flatMap((other) => {
    const submission = submissionOf(other);
    return submission !== null && isSameFile(other, upload, kind) ? [{ upload: other, submission }] : [];
  });
}

/**
 * Stores how the rows are valued. Their batches are created by `send`.
 *
 * @throws PlumblineError `conflict` if no row can be valued, or some cannot and may not be left out
 */
export async function submitRows(
  http: ConsoleRequest<unknown>,
  upload: Upload,
  { columns, ...reading }: ReadingPlan,
  {
    notifyUrl,
    leavesOut,
    leavesOutRepeats,
  }: Pick<UploadSubmission, 'notifyUrl'> & {
    readonly leavesOut: boolean;
    readonly leavesOutRepeats: boolean;
  },
): Promise<void> {
  const { deps, store } = http;
  const submittedAt = deps.clock().getTime();
  const attempt = (await earlierUploads(http, upload, reading.kind)).length + 1;
  const submission: UploadSubmission = {
    ...reading,
    notifyUrl,
    leavesOutRepeats,
    submittedAt,
    attempt,
  };
  const { parts, badRows } = await inTurn(upload.accountId, () =>
    planParts(store, upload.uploadId, { ...reading, columns }, { leavesOutRepeats }),
  );
  if (parts.length === 0 || (badRows > 0 && !leavesOut)) {
    throw conflict(`${badRows} rows have problems. Correct the columns, or leave the rows out.`);
  }
  // As long as the results of its jobs.
  const keptUntil = submittedAt + deps.batches.resultsKeptMs;
  await submitUpload(store, upload.uploadId, submission, { keptUntil, parts });
}
