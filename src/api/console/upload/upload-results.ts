import type { Static } from 'typebox';
import type { ResponseOf } from '../../../schemas/member-names.ts';
import { cancelUpload, copyUpload } from '../../../store/uploads.ts';
import { rejectForbidden, rejectWithoutBatches } from '../../admit.ts';
import { admittedCaller } from '../../request-context.ts';
import { STREAM_MS, type LongText } from '../../send-text.ts';
import { dayOfInstant, formatDay } from '../../../domain/day.ts';
import { BalancesBody, WatchRequestBody } from '../../../schemas/portfolios.ts';
import { changeBalances } from '../../../jobs/change-portfolio.ts';
import { balancesMembers } from '../../endpoints/portfolio-changes.ts';
import { portfoliosOf, rulesOfBody } from '../../endpoints/portfolio-requests.ts';
import { instant } from '../../../domain/instant.ts';
import { splitChange } from '../../../operations/past/split-change.ts';
import { type ConsoleRequest, type ConsoleRoute, get, getFile, post } from '../console-route.ts';
import { sendFile, valuationLinks } from '../send-file.ts';
import { withoutDates } from './guess-columns.ts';
import { countPart, countRows, lastJobs } from './part-jobs.ts';
import { readPortfolio } from './portfolio.ts';
import {
  addressReader,
  assessedReader,
  balanceReader,
  createRowReader,
  mappedMembers,
  type ReadingPlan,
} from './read-row.ts';
import {
  ChangesBody,
  ChangesRequestBody,
  CheckedRerunBody,
  CreditsBody,
  PortfolioBody,
  RerunBody,
  ROWS_TRIED,
  SubmitProgressBody,
  UploadBalancesBody,
  UploadBody,
  UploadProgressBody,
  WatchedBody,
} from './schemas.ts';
import {
  cancelJob,
  retryCreditsMax,
  retryParts,
  submitParts,
  type SubmitDeps,
  type SubmittedUpload,
} from './submit-parts.ts';
import { homesOfFile } from './watch-file.ts';
import { createRepeatFinder } from './repeated-rows.ts';
import { rowChunks, sheetOf, submissionOf } from './uploaded-file.ts';
import {
  fileTable,
  readResults,
  writeFileLines,
  type FileResults,
  type ResultTable,
} from './write-results.ts';
import {
  checkPlan,
  conflict,
  correctionsOf,
  earlierUploads,
  newUpload,
  submitRows,
  uploadMembers,
  uploadOf,
} from './upload-requests.ts';
import type { Upload } from '../../../store/tables/jobs.ts';
import { writeCsv } from '../../../tables/write-csv.ts';
import { writeXlsx, XLSX_TYPE } from '../../../tables/write-xlsx.ts';

async function submittedOf(http: ConsoleRequest<unknown>): Promise<SubmittedUpload> {
  const upload = await uploadOf(http);
  const sheet = sheetOf(upload);
  const submission = submissionOf(upload);
  if (sheet !== null && submission !== null) return { upload, sheet, submission };
  throw conflict('The rows of this file were not submitted yet.');
}

async function readProgress(http: ConsoleRequest<unknown>): Promise<ResponseOf<typeof UploadProgressBody>> {
  const { upload, sheet, submission } = await submittedOf(http);
  const states = await lastJobs(http.store, upload);
  return {
    id: upload.uploadId,
    name: upload.name,
    avmType: submission.kind,
    submittedAt: instant(submission.submittedAt),
    keptUntil: instant(upload.keptUntil),
    isCancelled: upload.cancelledAt !== null,
    rowCount: sheet.rowCount,
    ...countRows(states),
    parts: states.map((state) => {
      const { total: rowCount, ...counts } = countPart(state);
      const { part, job, jobIds } = state;
      return {
        part: part.partNo + 1,
        rowCount,
        jobId: job?.jobId ?? null,
        status: job?.status ?? null,
        ...counts,
        retries: Math.max(0, jobIds.length - 1),
      };
    }),
  };
}

/** The last time that the same user had the same file valued before. */
async function previousOf(
  http: ConsoleRequest<unknown>,
  { upload, submission }: SubmittedUpload,
): Promise<{ readonly upload: Upload; readonly submittedAt: number } | null> {
  const earlier = (await earlierUploads(http, upload, submission.kind)).flatMap((other) => {
    const { submittedAt } = other.submission;
    return submittedAt < submission.submittedAt ? [{ upload: other.upload, submittedAt }] : [];
  });
  return earlier.reduce<(typeof earlier)[number] | null>(
    (last, each) => (last && last.submittedAt >= each.submittedAt ? last : each),
    null,
  );
}

/** The rows of a file as they were read, but as of today instead of the dates of the file, and with more corrections. */
function todaysPlan(
  { deps, read }: ConsoleRequest<Static<typeof RerunBody>>,
  { sheet, submission }: SubmittedUpload,
): ReadingPlan {
  const { kind, mapping, corrections } = submission;
  return {
    kind,
    corrections: correctionsOf(read().corrections, corrections),
    mapping: withoutDates(mapping),
    columns: sheet.columns,
    today: formatDay(dayOfInstant(deps.clock())),
  };
}

function submitDeps({ deps, request, store }: ConsoleRequest<unknown>): SubmitDeps {
  const isGone = (): boolean => request.raw.socket.destroyed;
  return { store, batches: deps.batches, payer: admittedCaller(request), isGone };
}

/** @throws PlumblineError `conflict` if rows are not valued yet */
async function readFileResults(
  { deps, store }: ConsoleRequest<unknown>,
  { upload, sheet, submission }: SubmittedUpload,
): Promise<FileResults> {
  const states = await lastJobs(store, upload);
  const isOpen = ({ job }: (typeof states)[number]): boolean =>
    job === null ? upload.cancelledAt === null : !job.hasEnded;
  if (states.some(isOpen)) {
    throw conflict('Not all rows of the file are valued yet. Download it when they are.');
  }
  const { columns } = sheet;
  const plan = { ...submission, columns };
  const read = createRowReader(plan);
  return {
    kind: submission.kind,
    columns,
    textColumns: new Set(
      mappedMembers(plan).flatMap(({ member, column }) =>
        member.type.kind === 'text' && column !== null ? [column] : [],
      ),
    ),
    rowChunks: () => rowChunks(store, upload.uploadId),
    parts: states.map(({ part, jobIds }) => ({ rows: part.rows, jobIds })),
    readResults: (jobId) => readResults(deps.batches, upload.accountId, jobId),
    readBalance: balanceReader(plan),
    readAssessed: assessedReader(plan),
    readAddress: addressReader(plan),
    repeatFinder: () => {
      if (!submission.leavesOutRepeats) return () => null;
      const findFirst = createRepeatFinder();
      return (row) => {
        const { item, balanceUsd } = read(row);
        return item && (findFirst(item, { row: row.row, balanceUsd })?.row ?? null);
      };
    },
    reasonNotSubmitted: (row) => {
      const { problems, isTotal } = read(row);
      if (isTotal) return 'The row is a total, not a property.';
      return (
        problems.map(({ label, message }) => `${label}: ${message}`).join('; ') ||
        'The row was not submitted.'
      );
    },
  };
}

/** The file name without its extension and without characters that some systems do not allow. */
function bareName({ name }: Upload): string {
  const bare = name
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[^\p{L}\p{N}._ -]+/gu, '_')
    .trim();
  return bare === '' ? 'batch' : bare;
}

/** A route that sends all results of a file. */
function getResults(
  extension: string,
  operationId: string,
  type: string,
  write: (table: ResultTable, file: FileResults) => LongText['pieces'],
): ConsoleRoute {
  return getFile(`${UPLOAD}/results.${extension}`, operationId, 'batch:read', {
    responseType: type,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const submitted = await submittedOf(http);
      const file = await readFileResults(http, submitted);
      const pieces = write(fileTable(file, valuationLinks(http)), file);
      return sendFile(http, { name: `${bareName(submitted.upload)}-valued.${extension}`, type, pieces });
    },
  });
}

const UPLOAD = '/console/api/uploads/{id}';

/** Submitted files: their batches and results. */
export const UPLOAD_RESULT_ROUTES: readonly ConsoleRoute[] = [
  get(UPLOAD, 'readUploadProgress', 'batch:read', {
    response: UploadProgressBody,
    handle: readProgress,
  }),
  // Submits as many batches as time and the plan's limits allow. The page repeats it until all are submitted.
  post(`${UPLOAD}/send`, 'sendUpload', 'batch:write', {
    isLimited: true,
    response: SubmitProgressBody,
    handle: async (http) => {
      const submitted = await submittedOf(http);
      rejectForbidden(admittedCaller(http.request), `avm:${submitted.submission.kind}`);
      return submitParts(submitDeps(http), submitted);
    },
  }),
  get(`${UPLOAD}/retry-credits`, 'readRetryCredits', 'batch:read', {
    response: CreditsBody,
    handle: async (http) => {
      const { upload } = await submittedOf(http);
      return { creditsMax: await retryCreditsMax(submitDeps(http), upload) };
    },
  }),
  post(`${UPLOAD}/retry-failed`, 'retryUpload', 'batch:write', {
    isLimited: true,
    response: SubmitProgressBody,
    handle: async (http) => {
      const { upload, submission } = await submittedOf(http);
      rejectForbidden(admittedCaller(http.request), `avm:${submission.kind}`);
      return retryParts(submitDeps(http), upload);
    },
  }),
  // Cancels all batches that have not ended, and submits no more.
  post(`${UPLOAD}/cancel`, 'cancelUpload', 'batch:write', {
    response: UploadProgressBody,
    handle: async (http) => {
      const { upload } = await submittedOf(http);
      await cancelUpload(http.store, upload.uploadId, http.deps.clock().getTime());
      for (const { job } of await lastJobs(http.store, upload)) {
        if (job !== null && !job.hasEnded) await cancelJob(submitDeps(http), job.jobId);
      }
      return readProgress(http);
    },
  }),
  get(`${UPLOAD}/portfolio`, 'readUploadPortfolio', 'batch:read', {
    response: PortfolioBody,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const submitted = await submittedOf(http);
      const previous = await previousOf(http, submitted);
      const file = await readFileResults(http, submitted);
      return {
        ...(await readPortfolio(file)),
        previous: previous && {
          id: previous.upload.uploadId,
          submittedAt: instant(previous.submittedAt),
        },
      };
    },
  }),
  // Why values changed since an earlier run of the file.
  post('/console/api/valuations/changes', 'splitValueChanges', 'valuations:read', {
    input: ChangesRequestBody,
    response: ChangesBody,
    responseTimeoutMs: STREAM_MS,
    handle: async ({ deps, session, read }) => {
      const changes = [];
      for (const { before_id: before, after_id: after } of read().pairs) {
        changes.push(await splitChange(deps.operations, session.accountId, before, after));
      }
      return { changes };
    },
  }),
  // Watches the homes of a file with the values that they have.
  post(`${UPLOAD}/watch`, 'watchUpload', 'portfolios', {
    input: WatchRequestBody,
    response: WatchedBody,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const submitted = await submittedOf(http);
      const homes = await homesOfFile(
        http.deps.operations,
        submitted,
        await readFileResults(http, submitted),
      );
      const portfolio = { ...rulesOfBody(http.read()), homes };
      const { row } = await portfoliosOf(http.deps).create(admittedCaller(http.request), portfolio);
      return { portfolioId: row.portfolioId };
    },
  }),
  // Gives a portfolio the loan balances of a file.
  post(`${UPLOAD}/balances`, 'useBalancesOfUpload', 'portfolios', {
    input: UploadBalancesBody,
    response: BalancesBody,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const { operations } = http.deps;
      const submitted = await submittedOf(http);
      const file = await readFileResults(http, submitted);
      if (file.readBalance === null) throw conflict('The file has no column of loan balances.');
      const balances = (await homesOfFile(operations, submitted, file)).flatMap(
        ({ propertyId, balanceUsd }) => (propertyId === null ? [] : [{ propertyId, balanceUsd }]),
      );
      const { portfolio_id: portfolioId } = http.read();
      return balancesMembers(
        await changeBalances(operations, admittedCaller(http.request), portfolioId, balances),
      );
    },
  }),
  // What it costs at most to run a file again, and which rows would have no value.
  post(`${UPLOAD}/rerun-check`, 'checkRerun', 'batch:write', {
    isLimited: true,
    input: RerunBody,
    response: CheckedRerunBody,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const submitted = await submittedOf(http);
      const { upload, submission } = submitted;
      rejectForbidden(admittedCaller(http.request), `avm:${submission.kind}`);
      const checked = await checkPlan(http, upload, todaysPlan(http, submitted), ROWS_TRIED);
      const { creditsMax } = (submission.leavesOutRepeats && checked.withoutRepeats) || checked;
      return { creditsMax, failedTries: checked.failedTries };
    },
  }),
  // Values the rows of a file again, as of today. Their batches are created by `send`.
  post(`${UPLOAD}/rerun`, 'rerunUpload', 'batch:write', {
    isLimited: true,
    input: RerunBody,
    response: UploadBody,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const submitted = await submittedOf(http);
      const { upload, submission } = submitted;
      const caller = admittedCaller(http.request);
      rejectForbidden(caller, `avm:${submission.kind}`);
      rejectWithoutBatches(caller);
      const { byteCount, name, sheet } = upload;
      const copy = { ...(await newUpload(http, { name, byteCount, purpose: 'batch' })), sheet };
      await copyUpload(http.store, upload.uploadId, copy);
      await submitRows(http, copy, todaysPlan(http, submitted), {
        notifyUrl: submission.notifyUrl,
        leavesOut: true,
        leavesOutRepeats: submission.leavesOutRepeats ?? false,
      });
      return uploadMembers(copy);
    },
  }),
  getResults('csv', 'downloadUploadCsv', 'text/csv', ({ columns, rows }) => writeCsv(columns, rows)),
  getResults('xlsx', 'downloadUploadXlsx', XLSX_TYPE, ({ columns, rows }) => writeXlsx(columns, rows)),
  getResults('ndjson', 'downloadUploadLines', 'application/x-ndjson', (_, file) => writeFileLines(file)),
];
