import type { FastifyRequest } from 'fastify';
import { formatDay, parseDay } from '../../domain/day.ts';
import { instant, instantOrNull } from '../../domain/instant.ts';
import type { ValueFormat } from '../../domain/value-format.ts';
import type { Warning } from '../../domain/warning.ts';
import { PlumblineError } from '../../errors.ts';
import { createSweeps, type Sweep } from '../../jobs/sweeps.ts';
import { findSweepFile, openSweepFile } from '../../jobs/sweep-files.ts';
import { VALUE_FILE_TYPES, writeValues } from '../../operations/sweep/values-file.ts';
import { toSnakeCase, type ResponseOf } from '../../schemas/member-names.ts';
import { SweepBody, SweepRequestBody, SweepValuesRequestBody } from '../../schemas/sweeps.ts';
import { freeGet, freePost, reportingCredits } from '../endpoint.ts';
import { readByteRange } from '../request/byte-range.ts';
import { futureDateErrors } from '../request/location-request.ts';
import { createRequestReader, readRequest } from '../request/read-request.ts';
import { admittedCaller, baseOf, callerOf, idParameter, isDryRun, prefers } from '../request-context.ts';
import type { ApiDeps, Handle, Operation } from '../route.ts';
import { sendText, STREAM_MS, type LongText } from '../send-text.ts';
import { dryRun, idempotencyOf, payerOf } from './batches.ts';

const POLL_AFTER_SECONDS = 10;

const sweepRequest = createRequestReader({
  schema: SweepRequestBody,
  check: ({ date }, errorAt, { today }) => futureDateErrors(date, ['date'], errorAt, today),
  build: (value, { today }, warnings) => ({
    marketId: value.market,
    asOf: (value.date ? parseDay(value.date) : null) ?? today,
    warnings,
  }),
});

const valuesRequest = createRequestReader({
  schema: SweepValuesRequestBody,
  build: ({ format = null }): { readonly format: ValueFormat | null } => ({ format }),
});

export function sweepMembers(sweep: Sweep, warnings: readonly Warning[] = []): ResponseOf<typeof SweepBody> {
  const { job, valued, errors } = sweep;
  const { marketId, asOf, modelId, parcelCount } = sweep.sweep;
  return {
    sweepId: job.jobId,
    status: job.status,
    market: marketId,
    asOfDate: formatDay(asOf),
    model: modelId,
    parcels: parcelCount,
    valued,
    errors,
    progressPct: Math.floor((100 * (job.completed + job.failed)) / job.total),
    createdAt: instant(job.createdAt),
    startedAt: instantOrNull(job.startedAt),
    finishedAt: instantOrNull(job.finishedAt),
    creditsUsed: job.creditsUsed,
    warnings,
  };
}

function sweepIdOf(request: FastifyRequest): string {
  return idParameter(request, 'There is no sweep with this id.', { name: 'sweep_id' });
}

function readSweep(deps: ApiDeps, request: FastifyRequest): Promise<Sweep> {
  return createSweeps(deps.operations).read(callerOf(request).accountId, sweepIdOf(request));
}

const postSweep: Handle = async (deps, request, reply) => {
  const { warnings, ...submitted } = readRequest(deps, request, reply, sweepRequest);
  const idempotency = idempotencyOf(request, request.bodySha256);
  const sweeps = createSweeps(deps.operations);
  if (isDryRun(request)) return dryRun(reply, await sweeps.creditsMax(submitted));
  const submission = sweeps.submit(payerOf(request), { ...submitted, idempotency });
  const { sweep } = await reportingCredits(reply, submission);
  const location = `${baseOf(request)}/sweeps/${sweep.job.jobId}`;
  reply.headers({ location, 'retry-after': POLL_AFTER_SECONDS });
  return toSnakeCase(sweepMembers(sweep, warnings));
};

const getValues: Handle = async (deps, request, reply) => {
  const { format } = readRequest(deps, request, reply, valuesRequest);
  const sweep = await readSweep(deps, request);
  if (sweep.job.finishedAt === null) {
    const message =
      'The sweep has not ended. Its values can be read when its status is complete or cancelled.';
    throw new PlumblineError('conflict', message);
  }
  reply.header('vary', 'accept');
  const preferred = prefers(request, VALUE_FILE_TYPES.csv, VALUE_FILE_TYPES.parquet) ? 'csv' : 'parquet';
  const wanted = format ?? preferred;
  const content = (await storedContent(deps, request, sweep.job.jobId, wanted)) ?? {
    pieces: writeValues(wanted, sweep.sweep.asOf, createSweeps(deps.operations).values(sweep)),
  };
  const file = { type: VALUE_FILE_TYPES[wanted], isLarge: true, ...content };
  return sendText(deps, reply, admittedCaller(request), file);
};

/** The file in object storage, or the part of it that is requested, with its headers; null if it is not there. */
async function storedContent(
  { operations: { store }, objectStore, log }: ApiDeps,
  request: FastifyRequest,
  jobId: string,
  format: ValueFormat,
): Promise<Pick<LongText, 'pieces' | 'status' | 'headers'> | null> {
  if (objectStore === null) return null;
  const file = await findSweepFile({ store, objectStore }, jobId, format);
  if (file === null) return null;
  const { byteCount, sha256 } = file;
  const entityTag = `"${sha256}"`;
  const part = readByteRange(request.headers, { byteCount, entityTag });
  const { first, last } = part ?? { first: 0, last: byteCount - 1 };
  const pieces = await openSweepFile({ store, objectStore, log }, file, { first, last });
  if (pieces === null) return null;
  const headers = { 'accept-ranges': 'bytes', etag: entityTag, 'content-length': last - first + 1 };
  if (part === null) return { pieces, headers };
  const contentRange = `bytes ${first}-${last}/${byteCount}`;
  return { pieces, status: 206, headers: { ...headers, 'content-range': contentRange } };
}

export const SWEEP_ROUTES: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/sweeps',
    operationId: 'submitSweep',
    access: 'sweeps',
    credits: '1 per parcel that has a value',
    summary: 'Value every parcel of a market',
    description:
      'Each parcel is valued from its public record, as a single valuation at its point would. If an earlier sweep of the same market, date and model has not ended, that one is returned.',
    body: SweepRequestBody,
    response: SweepBody,
    responseStatus: 202,
    startsJob: true,
    problems: ['not_found', 'insufficient_data', 'conflict', 'idempotency_key_reused'],
    handle: postSweep,
  },
  freeGet('/v1/sweeps/{sweep_id}', 'readSweep', 'sweeps', {
    summary: 'The progress of a sweep',
    description: 'Kept with its values until the market is deleted.',
    response: SweepBody,
    problems: ['not_found'],
    handle: async ({ deps, request }) => sweepMembers(await readSweep(deps, request)),
  }),
  {
    method: 'GET',
    path: '/v1/sweeps/{sweep_id}/values',
    operationId: 'readSweepValues',
    access: 'sweeps',
    credits: '0',
    summary: 'The values of a sweep as a file',
    description:
      'One row per parcel, by parcel id: the value with its 90% interval and fsd, or why there is none. Parquet, or CSV. A file in object storage has an `ETag` and `Accept-Ranges: bytes`, so that a download can be resumed with `Range` and `If-Range`.',
    query: SweepValuesRequestBody,
    response: null,
    responseType: VALUE_FILE_TYPES.parquet,
    otherTypes: [VALUE_FILE_TYPES.csv],
    otherResponses: { 206: 'The part of the file that `Range` asks for.' },
    responseTimeoutMs: STREAM_MS,
    problems: ['not_found', 'conflict'],
    handle: getValues,
  },
  freePost('/v1/sweeps/{sweep_id}/cancel', 'cancelSweep', 'sweeps', {
    summary: 'Cancel a sweep',
    description: 'Parcels that have a value keep it; the others cost nothing.',
    response: SweepBody,
    responseStatus: 202,
    problems: ['not_found', 'conflict'],
    handle: async ({ deps, request }) =>
      sweepMembers(await createSweeps(deps.operations).cancel(admittedCaller(request), sweepIdOf(request))),
  }),
];
