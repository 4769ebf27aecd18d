import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { dayOfInstant, formatDay } from '../../domain/day.ts';
import { VALUATION_KINDS, type ValuationKind } from '../../domain/valuation-kind.ts';
import { isFailure, PlumblineError } from '../../errors.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import {
  countUploads,
  deleteUpload,
  findUpload,
  insertUpload,
  listPartJobs,
  listUploads,
  putPiece,
  readPieces,
  submitUpload,
} from '../../store/uploads.ts';
import { uuidV7 } from '../../store/uuid-v7.ts';
import { describeFormat } from '../../load/describe-format.ts';
import { SHEET_LIMITS } from '../../tables/read-sheet.ts';
import { rejectWithoutRight } from '../../accounts/roles.ts';
import { rejectForbidden, rejectWithoutBatches } from '../admit.ts';
import { callbackUrlOf } from '../endpoints/webhooks.ts';
import { readingOf } from '../request/read-request.ts';
import { admittedCaller, pathParameter, idParameter } from '../request-context.ts';
import type { ApiDeps } from '../route.ts';
import { instant, instantOrNull } from '../../domain/instant.ts';
import { type ConsoleRequest, type ConsoleRoute, get, post } from './console-route.ts';
import { inTurn } from './upload/account-queue.ts';
import { checkRows, planParts, previewOf } from './upload/check-rows.ts';
import { guessColumns, type Source } from './upload/guess-columns.ts';
import { featureMembers, MEMBERS } from './upload/members.ts';
import type { ReadingPlan } from './upload/read-row.ts';
import {
  CheckBody,
  CheckedBody,
  NewUploadBody,
  PieceBody,
  SheetBody,
  SubmitBody,
  UploadBody,
  UploadsBody,
} from './upload/schemas.ts';
import {
  isSameFile,
  readUpload,
  rowsAt,
  sheetOf,
  submissionOf,
  type StoredSheet,
  type UploadSubmission,
} from './upload/uploaded-file.ts';
import type { Upload } from '../../store/tables/jobs.ts';

/** The page sends a file in pieces of this size, which meet the size and time limits of a single request. */
const PIECE_BYTES = 1024 * 1024;
const FILE_LIMITS = {
  batch: {
    bytes: SHEET_LIMITS.bytes,
    advice: 'The file is larger than 50 MB. Split it, and upload the parts one by one.',
  },
  import: {
    bytes: 200 * 1024 * 1024,
    advice:
      'The file is larger than 200 MB. Compress it (ZIP or gzip), or import it on the machine itself with “plumbline import”.',
  },
} as const;
/** Limits of all files of an account together. */
const MAX_ACCOUNT_BYTES = 500 * 1024 * 1024;
const MAX_ACCOUNT_FILES = 500;
const ACCOUNT_IS_FULL = 'This account is at its limit of 500 files or 500 MB. Delete a file, or wait a day.';
const DAY_MS = 86_400_000;
/** A file is kept this long before it is submitted. */
const UNSENT_KEPT_MS = DAY_MS;
/** A submitted file is kept as long as the results of its jobs. */
const SENT_KEPT_MS = 30 * DAY_MS;
const FILES_LISTED = 20;
/** Reading 100,000 rows takes some seconds, and may wait for other files of the account. */
const READ_MS = 120_000;
const PREVIEW_ROWS = [0, 1, 2, 3, 4];

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
function ownUploads({ deps, session, store }: ConsoleRequest<unknown>): Promise<readonly Upload[]> {
  return listUploads(store, session, { now: deps.clock().getTime(), limit: FILES_LISTED });
}

function readSheetOf(upload: Upload): StoredSheet {
  const sheet = sheetOf(upload);
  if (sheet === null) throw conflict('The file is not complete. Upload the rest first.');
  return sheet;
}

function uploadMembers(upload: Upload): ResponseOf<typeof UploadBody> {
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

async function hashOfPieces(
  { store }: ConsoleRequest<unknown>,
  { uploadId, byteCount }: Upload,
): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of readPieces(store, uploadId)) {
    hash.update(piece);
    bytes += piece.length;
  }
  if (bytes === byteCount) return hash.digest('hex');
  throw conflict(`Only ${bytes} of ${byteCount} bytes of the file have arrived. Upload the rest first.`);
}

async function sheetMembers(
  http: ConsoleRequest<unknown>,
  upload: Upload,
): Promise<ResponseOf<typeof SheetBody>> {
  const { columns, samples, rowCount, format } = readSheetOf(upload);
  const uploads = await ownUploads(http);
  const members = await offeredMembers(http.deps);
  return {
    id: upload.uploadId,
    name: upload.name,
    rowCount,
    format: describeFormat({ format, columns }),
    columns: columns.map((name, at) => ({ name, samples: samples[at] ?? [] })),
    kinds: VALUATION_KINDS.map((kind) => ({
      avmType: kind,
      members: members[kind].map(({ path, label, type, isRequired }) => {
        const choices = type.kind === 'choice' ? type.choices : [];
        return { path, label, kind: type.kind, choices, isRequired };
      }),
      suggested: Object.entries(guessColumns(members[kind], columns)).flatMap(([path, source]) =>
        'column' in source ? [{ path, column: source.column }] : [],
      ),
    })),
    earlier: uploads.filter((other) => isSameFile(other, upload)).map(uploadMembers),
  };
}

/** What a column can be: every member, and the own features of the loaded markets. */
async function offeredMembers({ operations }: ApiDeps) {
  const entries = await operations.markets.list();
  const offered = (kind: ValuationKind, rows: 'sales' | 'rents') => {
    const names = new Set(entries.flatMap((entry) => (entry[rows]?.features ?? []).map(({ name }) => name)));
    return [...MEMBERS[kind], ...featureMembers([...names].sort())];
  };
  return {
    property: offered('property', 'sales'),
    rental: offered('rental', 'rents'),
    multifamily: offered('multifamily', 'sales'),
  };
}

/** The mapping that the page sent, without columns that the file does not have. */
function planOf(
  deps: ApiDeps,
  upload: Upload,
  kind: ValuationKind,
  sources: Static<typeof CheckBody>['mapping'],
): ReadingPlan {
  const { columns } = readSheetOf(upload);
  const mapping: Record<string, Source> = {};
  for (const { path, column, text } of sources) {
    if (typeof column === 'number' && column < columns.length) mapping[path] = { column };
    else if (typeof text === 'string') mapping[path] = { text };
  }
  return { kind, columns, mapping, today: formatDay(dayOfInstant(deps.clock())) };
}

const UPLOAD = '/console/api/uploads/{id}';

/** Uploading, checking and submitting files of properties to value. */
export const UPLOAD_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/uploads', 'listUploads', 'batch:read', {
    response: UploadsBody,
    handle: async (http) => {
      const uploads = await ownUploads(http);
      const jobs = await listPartJobs(
        http.store,
        uploads.map(({ uploadId }) => uploadId),
      );
      return {
        uploads: uploads.flatMap((upload) => {
          const submission = submissionOf(upload);
          if (submission === null) return [];
          return {
            id: upload.uploadId,
            name: upload.name,
            submittedAt: instant(submission.submittedAt),
            rowCount: sheetOf(upload)?.rowCount ?? 0,
            jobIds: jobs.get(upload.uploadId) ?? [],
          };
        }),
      };
    },
  }),
  // Begins an upload. The bytes follow in pieces.
  post('/console/api/uploads', 'createUpload', 'batch:write', {
    isLimited: true,
    input: NewUploadBody,
    response: UploadBody,
    handle: async ({ deps, request, session, store, read }) => {
      const { accountId, userId } = session;
      const { name, byte_count: byteCount, purpose: given } = read();
      const purpose = given ?? 'batch';
      if (purpose === 'import') rejectWithoutRight(session, 'operator');
      else rejectWithoutBatches(admittedCaller(request));
      const { bytes, advice } = FILE_LIMITS[purpose];
      if (byteCount > bytes) throw new PlumblineError('bad_request', advice);
      const stored = await countUploads(store, accountId);
      if (stored.files >= MAX_ACCOUNT_FILES || stored.bytes + byteCount > MAX_ACCOUNT_BYTES)
        throw conflict(ACCOUNT_IS_FULL);
      const createdAt = deps.clock().getTime();
      const upload: Upload = {
        accountId,
        userId,
        uploadId: uuidV7(createdAt, deps.randomBytes(10)),
        purpose,
        name,
        byteCount,
        createdAt,
        keptUntil: createdAt + UNSENT_KEPT_MS,
        sheet: null,
        submission: null,
        cancelledAt: null,
      };
      await insertUpload(store, upload);
      return uploadMembers(upload);
    },
  }),
  post(`${UPLOAD}/pieces/{piece}`, 'putUploadPiece', 'batch:write', {
    isLimited: true,
    takesBytes: true,
    response: PieceBody,
    handle: async (http) => {
      const { request, store } = http;
      const upload = await anyUploadOf(http);
      const pieceNo = Number(pathParameter(request, 'piece'));
      const expected = Math.min(PIECE_BYTES, upload.byteCount - pieceNo * PIECE_BYTES);
      const { body } = request;
      if (upload.sheet !== null || upload.submission !== null)
        throw conflict('The file is already complete.');
      if (!Number.isInteger(pieceNo) || pieceNo < 0 || !Buffer.isBuffer(body) || body.length !== expected) {
        throw new PlumblineError('bad_request', 'The number or the size of this piece is wrong.');
      }
      await putPiece(store, upload.uploadId, pieceNo, body);
      return { byteCount: body.length };
    },
  }),
  // Reads the file after all its pieces were sent. A file that cannot be read is deleted.
  post(`${UPLOAD}/read`, 'readUpload', 'batch:write', {
    isLimited: true,
    response: SheetBody,
    responseTimeoutMs: READ_MS,
    handle: async (http) => {
      const { store } = http;
      const upload = await uploadOf(http);
      if (upload.sheet === null) {
        await inTurn(upload.accountId, async () => {
          // A second request for the same file waited here while the first one read it.
          if ((await uploadOf(http)).sheet !== null) return;
          // The rows of a file can take up more than was counted for it.
          if ((await countUploads(store, upload.accountId)).bytes > MAX_ACCOUNT_BYTES)
            throw conflict(ACCOUNT_IS_FULL);
          try {
            await readUpload(store, http.deps.config.dataDir, upload, await hashOfPieces(http, upload));
          } catch (error) {
            if (isFailure(error, 'bad_request')) {
              await deleteUpload(store, upload.uploadId);
            }
            throw error;
          }
        });
      }
      return sheetMembers(http, await uploadOf(http));
    },
  }),
  post(`${UPLOAD}/forget`, 'deleteUpload', 'batch:write', {
    response: UploadBody,
    handle: async (http) => {
      const upload = await anyUploadOf(http);
      // Not while the file is read: the reader would store rows of a deleted file.
      await inTurn(upload.accountId, () => deleteUpload(http.store, upload.uploadId));
      return uploadMembers(upload);
    },
  }),
  // Checks all rows under a mapping, and computes the maximum cost of valuing them.
  post(`${UPLOAD}/check`, 'checkUpload', 'batch:write', {
    isLimited: true,
    input: CheckBody,
    response: CheckedBody,
    responseTimeoutMs: READ_MS,
    handle: async (http) => {
      const { deps, request, reply, store } = http;
      const upload = await uploadOf(http);
      const { avm_type: kind, mapping } = http.read();
      rejectForbidden(admittedCaller(request), `avm:${kind}`);
      const plan = planOf(deps, upload, kind, mapping);
      const isGone = (): boolean => request.raw.socket.destroyed;
      const reading = readingOf(deps, request, reply);
      const checked = await inTurn(upload.accountId, () =>
        checkRows({ store, batches: deps.batches }, upload.uploadId, plan, { reading, isGone }),
      );
      return { ...checked, preview: previewOf(await rowsAt(store, upload.uploadId, PREVIEW_ROWS), plan) };
    },
  }),
  // Stores how the rows are valued. Their batches are created by `send`.
  post(`${UPLOAD}/submit`, 'submitUpload', 'batch:write', {
    isLimited: true,
    input: SubmitBody,
    response: UploadBody,
    responseTimeoutMs: READ_MS,
    handle: async (http) => {
      const { deps, request, store } = http;
      const upload = await uploadOf(http);
      const body = http.read();
      const { avm_type: kind } = body;
      rejectForbidden(admittedCaller(request), `avm:${kind}`);
      rejectWithoutBatches(admittedCaller(request));
      if (upload.submission !== null) return uploadMembers(upload);
      const submittedAt = deps.clock().getTime();
      const plan = planOf(deps, upload, kind, body.mapping);
      const earlier = (await ownUploads(http)).filter((other) => isSameFile(other, upload, kind)).length;
      if (earlier > 0 && !body.sends_again) {
        throw conflict('This file was submitted before. Confirm that you want to value it again.');
      }
      const submission: UploadSubmission = {
        kind,
        mapping: plan.mapping,
        notifyUrl: body.notify_url?.trim() ? await callbackUrlOf(deps, body.notify_url.trim()) : null,
        today: plan.today,
        submittedAt,
        attempt: earlier + 1,
      };
      const { parts, badRows } = await inTurn(upload.accountId, () =>
        planParts(store, upload.uploadId, plan),
      );
      if (parts.length === 0 || (badRows > 0 && !body.leaves_out)) {
        throw conflict(`${badRows} rows have problems. Correct the columns, or leave the rows out.`);
      }
      const keptUntil = submittedAt + SENT_KEPT_MS;
      await submitUpload(store, upload.uploadId, submission, { keptUntil, parts });
      return uploadMembers(await uploadOf(http));
    },
  }),
];
