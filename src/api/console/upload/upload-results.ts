import type { Static } from 'typebox';
import { instant } from '../../../domain/instant.ts';
import { dayOfInstant, formatDay } from '../../../domain/day.ts';
import { addMissingHomes, changeBalances, homesNotAmong } from '../../../jobs/change-portfolio.ts';
import { readFileResults, type FileResults } from '../../../jobs/upload/file-results.ts';
import { countPart, countRows, lastJobs } from '../../../jobs/upload/part-jobs.ts';
import { readPortfolio } from '../../../jobs/upload/portfolio.ts';
import type { ReadingPlan } from '../../../jobs/upload/read-row.ts';
import {
  asOfDateOf,
  previousSubmission,
  rerunPlan,
  submissionOf,
  submitRows,
  type SubmittedUpload,
} from '../../../jobs/upload/submission.ts';
import {
  cancelParts,
  retryCreditsMax,
  retryParts,
  submitParts,
  type SubmitDeps,
} from '../../../jobs/upload/submit-parts.ts';
import { sheetOf } from '../../../jobs/upload/uploaded-file.ts';
import { homesOfFile } from '../../../jobs/upload/watch-file.ts';
import { fileTable, writeFileLines, type ResultTable } from '../../../jobs/upload/write-results.ts';
import { splitChange } from '../../../operations/past/split-change.ts';
import type { ResponseOf } from '../../../schemas/member-names.ts';
import { BalancesBody, WatchRequestBody } from '../../../schemas/portfolios.ts';
import {
  HomesNotInFileBody,
  AddedHomesBody,
  ChangesBody,
  ChangesRequestBody,
  CheckedRerunBody,
  CreditsBody,
  PortfolioBody,
  RerunBody,
  SubmitProgressBody,
  UploadPortfolioBody,
  UploadBody,
  UploadProgressBody,
  WatchedBody,
} from '../../../schemas/uploads.ts';
import { copyUpload } from '../../../store/uploads.ts';
import type { Upload } from '../../../store/tables/jobs.ts';
import { writeCsv } from '../../../tables/write-csv.ts';
import { writeXlsx, XLSX_TYPE } from '../../../tables/write-xlsx.ts';
import { rejectForbidden, rejectWithoutBatches } from '../../admit.ts';
import { balancesMembers } from '../../endpoints/portfolio-changes.ts';
import { portfoliosOf, rulesOfBody } from '../../endpoints/portfolio-requests.ts';
import { admittedCaller } from '../../request-context.ts';
import { STREAM_MS, type LongText } from '../../send-text.ts';
import { type ConsoleRequest, type ConsoleRoute, get, getFile, post } from '../console-route.ts';
import { sendFile, valuationLinks } from '../send-file.ts';
import {
  checkPlan,
  conflict,
  newUpload,
  nowOf,
  readItems,
  uploadMembers,
  uploadOf,
} from './upload-requests.ts';

async function submittedOf(http: ConsoleRequest<unknown>): Promise<SubmittedUpload> {
  const upload = await uploadOf(http);
  const sheet = sheetOf(upload);
  const submission = submissionOf(upload);
  if (sheet !== null && submission !== null) return { upload, sheet, submission };
  throw conflict('The rows of this file were not submitted yet.');
}

/** A submitted file whose rows the user may have valued. */
async function authorizedUpload(http: ConsoleRequest<unknown>): Promise<SubmittedUpload> {
  const submitted = await submittedOf(http);
  rejectForbidden(admittedCaller(http.request), `avm:${submitted.submission.kind}`);
  return submitted;
}

async function readProgress(http: ConsoleRequest<unknown>): Promise<ResponseOf<typeof UploadProgressBody>> {
  const { upload, sheet, submission } = await submittedOf(http);
  const states = await lastJobs(http.store, upload);
  return {
    id: upload.uploadId,
    name: upload.name,
    avmType: submission.kind,
    submittedAt: instant(submission.submittedAt),
    asOfDate: asOfDateOf(submission),
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

/** The rows of a file as they were read, but as of the date and with the corrections of the request. */
function rerunPlanOf(
  { deps, read }: ConsoleRequest<Static<typeof RerunBody>>,
  submitted: SubmittedUpload,
): ReadingPlan {
  return rerunPlan(submitted, read(), formatDay(dayOfInstant(deps.clock())));
}

function submitDeps({ deps, request, store }: ConsoleRequest<unknown>): SubmitDeps {
  const isGone = (): boolean => request.raw.socket.destroyed;
  return { store, batches: deps.batches, payer: admittedCaller(request), readItems, isGone };
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
      const file = await readFileResults(submitDeps(http), submitted);
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
      return submitParts(submitDeps(http), await authorizedUpload(http));
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
      const { upload } = await authorizedUpload(http);
      return retryParts(submitDeps(http), upload);
    },
  }),
  // Cancels all batches that have not ended, and submits no more.
  post(`${UPLOAD}/cancel`, 'cancelUpload', 'batch:write', {
    response: UploadProgressBody,
    handle: async (http) => {
      const { upload } = await submittedOf(http);
      await cancelParts(submitDeps(http), upload, nowOf(http));
      return readProgress(http);
    },
  }),
  get(`${UPLOAD}/portfolio`, 'readUploadPortfolio', 'batch:read', {
    response: PortfolioBody,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const submitted = await submittedOf(http);
      const previous = await previousSubmission(http.store, submitted, nowOf(http));
      const file = await readFileResults(submitDeps(http), submitted);
      return {
        ...(await readPortfolio(file)),
        previous: previous && {
          id: previous.upload.uploadId,
          submittedAt: instant(previous.submission.submittedAt),
          asOfDate: asOfDateOf(previous.submission),
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
      const deps = submitDeps(http);
      const homes = await homesOfFile(deps, submitted, await readFileResults(deps, submitted));
      const portfolio = { ...rulesOfBody(http.read()), homes };
      const { row } = await portfoliosOf(http.deps).create(admittedCaller(http.request), portfolio);
      return { portfolioId: row.portfolioId };
    },
  }),
  // Gives a portfolio the loan balances of a file.
  post(`${UPLOAD}/balances`, 'useBalancesOfUpload', 'portfolios', {
    input: UploadPortfolioBody,
    response: BalancesBody,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const { operations } = http.deps;
      const deps = submitDeps(http);
      const submitted = await submittedOf(http);
      const file = await readFileResults(deps, submitted);
      if (file.readBalance === null) throw conflict('The file has no column of loan balances.');
      const balances = (await homesOfFile(deps, submitted, file)).flatMap(({ propertyId, balanceUsd }) =>
        propertyId === null ? [] : [{ propertyId, balanceUsd }],
      );
      const { portfolio_id: portfolioId } = http.read();
      return balancesMembers(
        await changeBalances(operations, admittedCaller(http.request), portfolioId, balances),
      );
    },
  }),
  // Adds the homes of a file that a portfolio does not have.
  post(`${UPLOAD}/add-to-portfolio`, 'addUploadToPortfolio', 'portfolios', {
    input: UploadPortfolioBody,
    response: AddedHomesBody,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const deps = submitDeps(http);
      const submitted = await submittedOf(http);
      const homes = await homesOfFile(deps, submitted, await readFileResults(deps, submitted));
      const { portfolio_id: portfolioId } = http.read();
      return {
        added: await addMissingHomes(http.deps.operations, admittedCaller(http.request), portfolioId, homes),
      };
    },
  }),
  // The homes of a portfolio that are not in a file, by their references.
  post(`${UPLOAD}/not-in-file`, 'listHomesNotInUpload', 'portfolios', {
    input: UploadPortfolioBody,
    response: HomesNotInFileBody,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const deps = submitDeps(http);
      const submitted = await submittedOf(http);
      const inFile = await homesOfFile(deps, submitted, await readFileResults(deps, submitted));
      const { portfolio_id: portfolioId } = http.read();
      const homes = await homesNotAmong(deps, http.session.accountId, portfolioId, inFile);
      return { homes: homes.map(({ homeNo, propertyId }) => ({ entry: homeNo + 1, propertyId })) };
    },
  }),
  // What it costs at most to run a file again, and which rows would have no value.
  post(`${UPLOAD}/rerun-check`, 'checkRerun', 'batch:write', {
    isLimited: true,
    input: RerunBody,
    response: CheckedRerunBody,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const submitted = await authorizedUpload(http);
      const { upload, submission } = submitted;
      const checked = await checkPlan(http, upload, rerunPlanOf(http, submitted));
      const { creditsMax } = (submission.leavesOutRepeats && checked.withoutRepeats) || checked;
      const { triedRows, failedTries } = checked;
      return { creditsMax, triedRows, failedTries };
    },
  }),
  // Values the rows of a file again, as of one date. Their batches are created by `send`.
  post(`${UPLOAD}/rerun`, 'rerunUpload', 'batch:write', {
    isLimited: true,
    input: RerunBody,
    response: UploadBody,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const submitted = await authorizedUpload(http);
      const { upload, submission } = submitted;
      rejectWithoutBatches(admittedCaller(http.request));
      const { byteCount, name, sheet } = upload;
      const copy = { ...(await newUpload(http, { name, byteCount, purpose: 'batch' })), sheet };
      await copyUpload(http.store, upload.uploadId, copy);
      await submitRows(submitDeps(http), copy, rerunPlanOf(http, submitted), {
        submittedAt: nowOf(http),
        notifyUrl: submission.notifyUrl,
        rerunOf: upload.uploadId,
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
