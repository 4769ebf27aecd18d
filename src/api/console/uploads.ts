import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { VALUATION_KINDS, type ValuationKind } from '../../domain/valuation-kind.ts';
import { PlumblineError } from '../../errors.ts';
import { listPartJobs } from '../../store/upload-jobs.ts';
import {
  countUploads,
  deleteUpload,
  findUpload,
  insertUpload,
  listUploads,
  putPiece,
  readPieces,
  type Upload,
  type UploadOwner,
} from '../../store/uploads.ts';
import { uuidV7 } from '../../store/uuid-v7.ts';
import { SHEET_LIMITS } from '../../tables/read-sheet.ts';
import { rejectWithoutBatches } from '../admit.ts';
import type { ApiDeps } from '../route.ts';
import { readRequest } from '../request/read-http-request.ts';
import { admittedCaller, admittedSession, pathParameter } from '../request-context.ts';
import { createRequestReader } from '../request/read-request.ts';
import type { ConsoleRoute } from './console-route.ts';
import { instant, instantOrNull } from './instant.ts';
import { createAccountQueue } from './upload/account-queue.ts';
import { guessColumns } from './upload/guess-columns.ts';
import { MEMBERS } from './upload/members.ts';
import { NewUploadBody, PieceBody, SheetBody, UploadBody, UploadsBody } from './upload/schemas.ts';
import { isSameFile, readUpload, sheetOf, submissionOf, type StoredSheet } from './upload/uploaded-file.ts';
import { uuidParameter } from './uuid-parameter.ts';

/** The page sends a file in pieces of this size: each fits the limits of a single request, in bytes and in time. */
const PIECE_BYTES = 1024 * 1024;
/** Files of an account together. */
const ACCOUNT_BYTES_MAX = 500 * 1024 * 1024;
const ACCOUNT_FILES_MAX = 500;
const HOUR_MS = 3_600_000;
/** How long a file is kept that nothing was submitted of. */
const UNSENT_KEPT_MS = 24 * HOUR_MS;
export const FILES_LISTED = 20;
/** Reading 100,000 rows takes some seconds, and work of the same account may come first. */
export const READ_MS = 120_000;

const newUploadRequest = createRequestReader({
  schema: NewUploadBody,
  check: () => [],
  build: (value) => value,
});
/** One at a time for each account. */
export const inTurn = createAccountQueue();

/** Begins an upload: the bytes follow in pieces. */
async function postUpload(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof UploadBody>> {
  const owner = ownerOf(request);
  rejectWithoutBatches(admittedCaller(request));
  const { name, byte_count: byteCount } = readRequest(deps, request, reply, newUploadRequest);
  const { store } = deps.people;
  if (byteCount > SHEET_LIMITS.bytes) {
    throw new PlumblineError(
      'bad_request',
      'The file is larger than 50 MB. Split it, and upload the parts one by one.',
    );
  }
  const stored = await countUploads(store, owner.accountId);
  if (stored.files >= ACCOUNT_FILES_MAX || stored.bytes + byteCount > ACCOUNT_BYTES_MAX)
    throw accountIsFull();
  const createdAt = deps.clock().getTime();
  const upload: Upload = {
    ...owner,
    uploadId: uuidV7(createdAt, deps.randomBytes(10)),
    name,
    byteCount,
    createdAt,
    keptUntil: createdAt + UNSENT_KEPT_MS,
    sheet: null,
    submission: null,
    cancelledAt: null,
  };
  await insertUpload(store, upload);
  return presentUpload(upload);
}

function accountIsFull(): PlumblineError {
  return new PlumblineError(
    'conflict',
    'This account has 500 files, or files of 500 MB. Delete one, or wait a day.',
  );
}

async function postPiece(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof PieceBody>> {
  const upload = await uploadOf(deps, request);
  const pieceNo = Number(pathParameter(request, 'piece'));
  const expected = Math.min(PIECE_BYTES, upload.byteCount - pieceNo * PIECE_BYTES);
  const { body } = request;
  if (upload.sheet !== null) throw new PlumblineError('conflict', 'The file is complete already.');
  if (!Number.isInteger(pieceNo) || pieceNo < 0 || !Buffer.isBuffer(body) || body.length !== expected) {
    throw new PlumblineError('bad_request', 'This is not a piece of the file.');
  }
  await putPiece(deps.people.store, upload.uploadId, pieceNo, body);
  return { byte_count: body.length };
}

/** Reads the file once all its pieces are here. A file that cannot be read is deleted. */
async function postRead(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof SheetBody>> {
  const upload = await uploadOf(deps, request);
  const { store } = deps.people;
  if (upload.sheet === null) {
    await inTurn(upload.accountId, async () => {
      // A second request for the same file waited here while the first one read it.
      if ((await uploadOf(deps, request)).sheet !== null) return;
      // The rows of a file can take up more than was counted for it.
      if ((await countUploads(store, upload.accountId)).bytes > ACCOUNT_BYTES_MAX) throw accountIsFull();
      try {
        await readUpload(store, upload.uploadId, await hashOfPieces(deps, upload));
      } catch (error) {
        if (error instanceof PlumblineError && error.code === 'bad_request') {
          await deleteUpload(store, upload.uploadId);
        }
        throw error;
      }
    });
  }
  return presentSheet(deps, await uploadOf(deps, request));
}

async function hashOfPieces(deps: ApiDeps, { uploadId, byteCount }: Upload): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of readPieces(deps.people.store, uploadId)) {
    hash.update(piece);
    bytes += piece.length;
  }
  if (bytes === byteCount) return hash.digest('hex');
  throw new PlumblineError(
    'conflict',
    `${bytes} of ${byteCount} bytes of the file are here. Upload the rest first.`,
  );
}

async function presentSheet(deps: ApiDeps, upload: Upload): Promise<Static<typeof SheetBody>> {
  const sheet = readSheetOf(upload);
  const uploads = await listUploads(deps.people.store, upload, {
    now: deps.clock().getTime(),
    limit: FILES_LISTED,
  });
  return {
    id: upload.uploadId,
    name: upload.name,
    row_count: sheet.rowCount,
    delimiter: sheet.delimiter,
    encoding: sheet.encoding,
    columns: sheet.columns.map((name, at) => ({ name, samples: [...(sheet.samples[at] ?? [])] })),
    kinds: VALUATION_KINDS.map((kind) => ({
      avm_type: kind,
      members: MEMBERS[kind].map(({ path, label, type, isRequired }) => ({
        path,
        label,
        kind: type.kind,
        choices: type.kind === 'choice' ? [...type.choices] : [],
        is_required: isRequired,
      })),
      suggested: suggestedFor(kind, sheet.columns),
    })),
    earlier: uploads.filter((other) => isSameFile(other, upload)).map(presentUpload),
  };
}

function suggestedFor(kind: ValuationKind, columns: readonly string[]) {
  return Object.entries(guessColumns(MEMBERS[kind], columns)).flatMap(([path, source]) =>
    'column' in source ? [{ path, column: source.column }] : [],
  );
}

async function getUploads(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof UploadsBody>> {
  const page = { now: deps.clock().getTime(), limit: FILES_LISTED };
  const uploads = await listUploads(deps.people.store, ownerOf(request), page);
  const jobs = await listPartJobs(
    deps.people.store,
    uploads.map(({ uploadId }) => uploadId),
  );
  return {
    uploads: uploads.flatMap((upload) => {
      const submission = submissionOf(upload);
      if (submission === null) return [];
      return {
        id: upload.uploadId,
        name: upload.name,
        submitted_at: instant(submission.submittedAt),
        row_count: sheetOf(upload)?.rowCount ?? 0,
        job_ids: [...(jobs.get(upload.uploadId) ?? [])],
      };
    }),
  };
}

async function postForget(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof UploadBody>> {
  const upload = await uploadOf(deps, request);
  await deleteUpload(deps.people.store, upload.uploadId);
  return presentUpload(upload);
}

function ownerOf(request: FastifyRequest): UploadOwner {
  const { accountId, userId } = admittedSession(request);
  return { accountId, userId };
}

/** The file that a path names, of the signed-in user. */
export async function uploadOf(deps: ApiDeps, request: FastifyRequest): Promise<Upload> {
  const missing = 'There is no file of this id. It may have been deleted, or belong to somebody else.';
  const uploadId = uuidParameter(request, missing);
  const upload = await findUpload(deps.people.store, ownerOf(request), uploadId, deps.clock().getTime());
  if (upload === null) throw new PlumblineError('not_found', missing);
  return upload;
}

export function readSheetOf(upload: Upload): StoredSheet {
  const sheet = sheetOf(upload);
  if (sheet === null)
    throw new PlumblineError('conflict', 'The file is not complete. Upload the rest first.');
  return sheet;
}

export function presentUpload(upload: Upload): Static<typeof UploadBody> {
  return {
    id: upload.uploadId,
    name: upload.name,
    piece_bytes: PIECE_BYTES,
    kept_until: instant(upload.keptUntil),
    row_count: sheetOf(upload)?.rowCount ?? null,
    submitted_at: instantOrNull(submissionOf(upload)?.submittedAt ?? null),
  };
}

const UPLOAD = '/console/api/uploads/{id}';

/** Files of rows to value. */
export const UPLOAD_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/uploads',
    operationId: 'listUploads',
    access: 'batch:read',
    response: UploadsBody,
    handle: getUploads,
  },
  {
    method: 'POST',
    path: '/console/api/uploads',
    operationId: 'createUpload',
    access: 'batch:write',
    isLimited: true,
    body: NewUploadBody,
    response: UploadBody,
    handle: postUpload,
  },
  {
    method: 'POST',
    path: `${UPLOAD}/pieces/{piece}`,
    operationId: 'putUploadPiece',
    access: 'batch:write',
    isLimited: true,
    takesBytes: true,
    response: PieceBody,
    handle: postPiece,
  },
  {
    method: 'POST',
    path: `${UPLOAD}/read`,
    operationId: 'readUpload',
    access: 'batch:write',
    isLimited: true,
    response: SheetBody,
    responseTimeoutMs: READ_MS,
    handle: postRead,
  },
  {
    method: 'POST',
    path: `${UPLOAD}/forget`,
    operationId: 'deleteUpload',
    access: 'batch:write',
    response: UploadBody,
    handle: postForget,
  },
];
