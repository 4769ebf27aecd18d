import type { Static } from 'typebox';
import { dayOfInstant, formatDay } from '../../../domain/day.ts';
import { instant } from '../../../domain/instant.ts';
import { VALUATION_KINDS, type ValuationKind } from '../../../domain/valuation-kind.ts';
import { isFailure, PlumblineError } from '../../../errors.ts';
import { rejectWithoutRight } from '../../../accounts/roles.ts';
import { describeFormat } from '../../../load/describe-format.ts';
import type { ResponseOf } from '../../../schemas/member-names.ts';
import type { Upload } from '../../../store/tables/jobs.ts';
import { deleteUpload, insertUpload, putPiece } from '../../../store/uploads.ts';
import { listPartJobs } from '../../../store/upload-jobs.ts';
import { SHEET_LIMITS } from '../../../tables/read-sheet.ts';
import { rejectForbidden, rejectWithoutBatches } from '../../admit.ts';
import { callbackUrlOf } from '../../endpoints/webhooks.ts';
import { admittedCaller, pathParameter } from '../../request-context.ts';
import type { ApiDeps } from '../../route.ts';
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../console-route.ts';
import { runOneAtATime, ownUploads, rejectFullAccount } from '../../../jobs/upload/account-files.ts';
import { previewOf } from '../../../jobs/upload/check-rows.ts';
import { guessColumns, type Source } from '../../../jobs/upload/guess-columns.ts';
import { featureMembers, MEMBERS } from '../../../jobs/upload/members.ts';
import { ownColumns } from '../../../jobs/upload/write-results.ts';
import type { ReadingPlan } from '../../../jobs/upload/read-row.ts';
import {
  CheckBody,
  CheckedBody,
  NewUploadBody,
  PieceBody,
  SheetBody,
  SubmitBody,
  UploadBody,
  UploadsBody,
} from '../../../schemas/uploads.ts';
import {
  anyUploadOf,
  checkPlan,
  conflict,
  newUpload,
  nowOf,
  PIECE_BYTES,
  readSheetOf,
  uploadMembers,
  uploadOf,
} from './upload-requests.ts';
import {
  asOfDateOf,
  correctionsOf,
  earlierSubmissions,
  isSameFile,
  submissionOf,
  submitRows,
} from '../../../jobs/upload/submission.ts';
import { readUpload, rowsAt, sheetOf } from '../../../jobs/upload/uploaded-file.ts';

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
/** Reading 100,000 rows takes some seconds, and may wait for other files of the account. */
const READ_MS = 120_000;
const PREVIEW_ROWS = [0, 1, 2, 3, 4];

async function sheetMembers(
  http: ConsoleRequest<unknown>,
  upload: Upload,
): Promise<ResponseOf<typeof SheetBody>> {
  const { columns, samples, rowCount, emptyRows, format } = readSheetOf(upload);
  const uploads = await ownUploads(http.store, http.session, nowOf(http));
  const members = await offeredMembers(http.deps);
  return {
    id: upload.uploadId,
    name: upload.name,
    rowCount,
    emptyRows: emptyRows?.count ?? 0,
    firstEmptyRow: emptyRows?.first ?? null,
    format: describeFormat({ format, columns }),
    columns: columns.map((name, at) => ({ name, samples: samples[at] ?? [] })),
    kinds: VALUATION_KINDS.map((kind) => ({
      avmType: kind,
      members: members[kind].map(({ path, label, type, isRequired }) => {
        const choices = type.kind === 'choice' ? type.choices : [];
        return { path, label, kind: type.kind, choices, isRequired };
      }),
      suggested: Object.entries(guessColumns(members[kind], ownColumns(kind, columns))).flatMap(
        ([path, source]) => ('column' in source ? [{ path, column: source.column }] : []),
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

/** The file, and how the page wants its rows to be valued, which the user must be authorized for. */
async function readMapping<Body extends Static<typeof CheckBody>>(http: ConsoleRequest<Body>) {
  const upload = await uploadOf(http);
  const body = http.read();
  rejectForbidden(admittedCaller(http.request), `avm:${body.avm_type}`);
  return { upload, body, kind: body.avm_type };
}

/** The mapping that the page sent, without columns that the file does not have. */
function planOf(
  deps: ApiDeps,
  upload: Upload,
  kind: ValuationKind,
  { mapping: sources, corrections }: Pick<Static<typeof CheckBody>, 'mapping' | 'corrections'>,
): ReadingPlan {
  const { columns } = readSheetOf(upload);
  const mapping: Record<string, Source> = {};
  for (const { path, column, text } of sources) {
    if (typeof column === 'number' && column < columns.length) mapping[path] = { column };
    else if (typeof text === 'string') mapping[path] = { text };
  }
  return {
    kind,
    columns,
    mapping,
    today: formatDay(dayOfInstant(deps.clock())),
    corrections: correctionsOf(corrections),
  };
}

const UPLOAD = '/console/api/uploads/{id}';

/** Uploading, checking and submitting files of properties to value. */
export const UPLOAD_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/uploads', 'listUploads', 'batch:read', {
    response: UploadsBody,
    handle: async (http) => {
      const uploads = await ownUploads(http.store, http.session, nowOf(http));
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
            asOfDate: asOfDateOf(submission),
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
    handle: async (http) => {
      const { request, session, store, read } = http;
      const { name, byte_count: byteCount, purpose: given } = read();
      const purpose = given ?? 'batch';
      if (purpose === 'import') rejectWithoutRight(session, 'operator');
      else rejectWithoutBatches(admittedCaller(request));
      const { bytes, advice } = FILE_LIMITS[purpose];
      if (byteCount > bytes) throw new PlumblineError('bad_request', advice);
      const upload = await newUpload(http, { name, byteCount, purpose });
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
        await runOneAtATime(upload.accountId, async () => {
          // A second request for the same file waited here while the first one read it.
          if ((await uploadOf(http)).sheet !== null) return;
          // The rows of a file can take up more than was counted for it.
          await rejectFullAccount(store, upload.accountId);
          try {
            await readUpload(store, http.deps.config.dataDir, upload);
          } catch (error) {
            if (isFailure(error, 'bad_request')) await deleteUpload(store, upload.uploadId);
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
      await runOneAtATime(upload.accountId, () => deleteUpload(http.store, upload.uploadId));
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
      const { deps, store } = http;
      const { upload, body, kind } = await readMapping(http);
      const plan = planOf(deps, upload, kind, body);
      const checked = await checkPlan(http, upload, plan);
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
      const { upload, body, kind } = await readMapping(http);
      rejectWithoutBatches(admittedCaller(request));
      if (upload.submission !== null) return uploadMembers(upload);
      const earlier = await earlierSubmissions(store, upload, kind, nowOf(http));
      if (earlier.length > 0 && !body.sends_again) {
        throw conflict('This file was submitted before. Confirm that you want to value it again.');
      }
      await submitRows({ store, batches: deps.batches }, upload, planOf(deps, upload, kind, body), {
        submittedAt: nowOf(http),
        notifyUrl: body.notify_url?.trim() ? await callbackUrlOf(deps, body.notify_url.trim()) : null,
        leavesOut: body.leaves_out,
        leavesOutRepeats: body.leaves_out_repeats ?? false,
      });
      return uploadMembers(await uploadOf(http));
    },
  }),
];
