import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { dayOfInstant, formatDay } from '../../domain/day.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { PlumblineError } from '../../errors.ts';
import { listUploads, submitUpload, type Upload } from '../../store/uploads.ts';
import { rejectForbidden, rejectWithoutBatches } from '../admit.ts';
import type { ApiDeps } from '../route.ts';
import { readRequest, readingOf } from '../request/read-http-request.ts';
import { admittedCaller } from '../request-context.ts';
import { createRequestReader } from '../request/read-request.ts';
import { callbackRejected } from '../request/callback-url.ts';
import type { ConsoleRoute } from './console-route.ts';
import { checkRows, planParts } from './upload/check-rows.ts';
import type { Source } from './upload/guess-columns.ts';
import { previewOf } from './upload/preview.ts';
import type { ReadingPlan } from './upload/read-row.ts';
import { CheckBody, CheckedBody, SubmitBody, UploadBody } from './upload/schemas.ts';
import { isSameFile, rowsAt, type UploadSubmission } from './upload/uploaded-file.ts';
import { FILES_LISTED, inTurn, presentUpload, readSheetOf, READ_MS, uploadOf } from './uploads.ts';

const checkRequest = createRequestReader({ schema: CheckBody, check: () => [], build: (value) => value });
const submitRequest = createRequestReader({ schema: SubmitBody, check: () => [], build: (value) => value });

const PREVIEW_ROWS = 5;
/** From the submission on: as long as the results of jobs. */
const SENT_KEPT_MS = 30 * 86_400_000;

/** Checks all rows under a mapping, and tells what valuing them can cost. */
async function postCheck(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof CheckedBody>> {
  const upload = await uploadOf(deps, request);
  const { avm_type: kind, mapping } = readRequest(deps, request, reply, checkRequest);
  rejectForbidden(admittedCaller(request), `avm:${kind}`);
  const plan = planOf(deps, upload, kind, mapping);
  const { store } = deps.people;
  const isGone = (): boolean => request.raw.socket.destroyed;
  const reading = readingOf(deps, request, reply);
  const options = { reading, isGone };
  const checked = await inTurn(upload.accountId, () =>
    checkRows({ store, batches: deps.batches }, upload.uploadId, plan, options),
  );
  const first = await rowsAt(
    store,
    upload.uploadId,
    Array.from({ length: PREVIEW_ROWS }, (_, at) => at),
  );
  return {
    good_rows: checked.goodRows,
    bad_rows: checked.badRows,
    jobs: checked.jobs,
    credits_max: checked.creditsMax,
    problems: checked.problems.map((group) => ({ ...group, rows: [...group.rows] })),
    preview: previewOf(first, plan),
  };
}

/** The mapping as the page sent it, without columns that the file does not have. */
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

/** Notes how the rows are to be valued. The batches themselves are created by `send`. */
async function postSubmit(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof UploadBody>> {
  const upload = await uploadOf(deps, request);
  const body = readRequest(deps, request, reply, submitRequest);
  const { avm_type: kind, notify_url: notifyUrl } = body;
  rejectForbidden(admittedCaller(request), `avm:${kind}`);
  rejectWithoutBatches(admittedCaller(request));
  if (upload.submission !== null) return presentUpload(upload);
  const { store } = deps.people;
  const submittedAt = deps.clock().getTime();
  const plan = planOf(deps, upload, kind, body.mapping);
  const uploads = await listUploads(store, upload, { now: submittedAt, limit: FILES_LISTED });
  const earlier = uploads.filter((other) => isSameFile(other, upload, kind)).length;
  if (earlier > 0 && !body.sends_again) {
    throw new PlumblineError(
      'conflict',
      'This file was submitted before. Say that it is to be valued again.',
    );
  }
  const submission: UploadSubmission = {
    kind,
    mapping: plan.mapping,
    notifyUrl: await callbackOf(deps, notifyUrl?.trim() || null),
    today: plan.today,
    submittedAt,
    attempt: earlier + 1,
  };
  const { parts, badRows } = await inTurn(upload.accountId, () => planParts(store, upload.uploadId, plan));
  if (parts.length === 0 || (badRows > 0 && !body.leaves_out)) {
    throw new PlumblineError(
      'conflict',
      `${badRows} rows have problems. Correct the columns, or leave the rows out.`,
    );
  }
  await submitUpload(store, upload.uploadId, submission, { keptUntil: submittedAt + SENT_KEPT_MS, parts });
  return presentUpload(await uploadOf(deps, request));
}

async function callbackOf(deps: ApiDeps, url: string | null): Promise<string | null> {
  if (url === null) return null;
  const callback = await deps.webhooks.parseCallbackUrl(url);
  if (callback.refusal !== null) throw callbackRejected(url, callback.refusal);
  return callback.url;
}

const UPLOAD = '/console/api/uploads/{id}';

/** The rows of a file, checked and submitted. */
export const UPLOAD_SUBMISSION_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'POST',
    path: `${UPLOAD}/check`,
    operationId: 'checkUpload',
    access: 'batch:write',
    isLimited: true,
    body: CheckBody,
    response: CheckedBody,
    responseTimeoutMs: READ_MS,
    handle: postCheck,
  },
  {
    method: 'POST',
    path: `${UPLOAD}/submit`,
    operationId: 'submitUpload',
    access: 'batch:write',
    isLimited: true,
    body: SubmitBody,
    response: UploadBody,
    responseTimeoutMs: READ_MS,
    handle: postSubmit,
  },
];
