import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Warning } from '../../domain/warning.ts';
import type { JobItem, JobSearch } from '../../jobs/batches.ts';
import type { RequestOf, ValuedKind } from '../../operations/valued-kinds.ts';
import { PlumblineError } from '../../errors.ts';
import {
  BatchHull,
  ITEMS_MAX,
  JobsRequestBody,
  JOBS_LIMIT,
  MultifamilyBatchItem,
  PropertyBatchItem,
  RentalBatchItem,
  RESULTS_LIMIT,
  ResultsRequestBody,
} from '../../schemas/batch.ts';
import { multifamilyOf } from './multifamily.ts';
import { isPlainObject } from '../request/object-schema.ts';
import { valuationErrors } from '../request/valuation-request.ts';
import { propertyOf } from './property.ts';
import {
  createPartReader,
  createRequestReader,
  inBody,
  type PartReader,
  type Reading,
} from '../request/read-request.ts';
import { rentalOf } from './rental.ts';
import { ERRORS_SHOWN, shownInput, ValidationError, type FieldError } from '../request/validation-error.ts';

/** A batch as it was asked for. */
export interface BatchRequest<Kind extends ValuedKind> {
  readonly items: readonly JobItem<Kind>[];
  readonly notifyUrl: string | null;
  /** Of the body around the items; each item's own go out with its answer. */
  readonly warnings: readonly Warning[];
}

/** Throws a ValidationError with everything that is wrong, to so many errors as are shown. */
export type BatchReader<Kind extends ValuedKind> = (
  raw: unknown,
  reading: Reading,
) => Promise<BatchRequest<Kind>>;

export const propertyBatch = createBatchReader(
  createPartReader({
    schema: PropertyBatchItem,
    check: valuationErrors,
    build: (value, reading, warnings) => itemOf<'property'>(value, propertyOf(value, reading, warnings)),
  }),
);

export const rentalBatch = createBatchReader(
  createPartReader({
    schema: RentalBatchItem,
    check: valuationErrors,
    build: (value, reading, warnings) => itemOf<'rental'>(value, rentalOf(value, reading, warnings)),
  }),
);

export const multifamilyBatch = createBatchReader(
  createPartReader({
    schema: MultifamilyBatchItem,
    check: valuationErrors,
    build: (value, reading, warnings) =>
      itemOf<'multifamily'>(value, multifamilyOf(value, reading, warnings)),
  }),
);

function itemOf<Kind extends ValuedKind>(
  value: { readonly property_id?: string | null },
  request: RequestOf<Kind>,
): JobItem<Kind> {
  return { propertyId: value.property_id ?? null, request };
}

const readHull = createPartReader({
  schema: BatchHull,
  readElsewhere: 'properties',
  check: () => [],
  build: (value, _reading, warnings) => ({ notifyUrl: value.notify_url ?? null, warnings }),
});

/** So long items are read at a stretch, then other requests have their turn; 500 homes take 40 ms in all. */
const STRETCH_MS = 4;

function createBatchReader<Kind extends ValuedKind>(readItem: PartReader<JobItem<Kind>>): BatchReader<Kind> {
  return async (raw, reading) => {
    const given = listOf(raw);
    const hull = readHull(raw, inBody, reading);
    const errors: FieldError[] = [...hull.errors];
    const items: JobItem<Kind>[] = [];
    let begun = performance.now();
    // For a list that is too long, only its length is reported.
    for (const [index, item] of given.length > ITEMS_MAX ? [] : given.entries()) {
      if (errors.length >= ERRORS_SHOWN) break;
      if (performance.now() - begun > STRETCH_MS) {
        await nextTurn();
        begun = performance.now();
      }
      const read = readItem(item, (path) => inBody(['properties', index, ...path]), reading);
      if (read.request === null) errors.push(...read.errors);
      else items.push(read.request);
    }
    if (hull.request === null || errors.length > 0) throw new ValidationError(errors);
    return { ...hull.request, items };
  };
}

function listOf(raw: unknown): readonly unknown[] {
  return isPlainObject(raw) && Array.isArray(raw.properties) ? raw.properties : [];
}

export interface JobsRequest extends JobSearch {
  readonly warnings: readonly Warning[];
}

export const jobsRequest = createRequestReader({
  schema: JobsRequestBody,
  check: () => [],
  build: (value, _reading, warnings): JobsRequest => ({
    status: value.status ?? null,
    avmType: value.avm_type ?? null,
    limit: value.limit ?? JOBS_LIMIT.default,
    cursor: value.cursor ?? null,
    warnings,
  }),
});

export interface ResultsRequest {
  /** The first result that is asked for. */
  readonly from: number;
  readonly limit: number;
  readonly warnings: readonly Warning[];
}

export const resultsRequest = createRequestReader({
  schema: ResultsRequestBody,
  check: () => [],
  build: (value, _reading, warnings): ResultsRequest => ({
    from: value.cursor ? indexOfCursor(value.cursor) : 0,
    limit: value.limit ?? RESULTS_LIMIT.default,
    warnings,
  }),
});

const CURSOR = /^results (\d{1,3})$/;

/** Names the first result of the next page. */
export function cursorOfIndex(index: number): string {
  return Buffer.from(`results ${index}`).toString('base64url');
}

function indexOfCursor(cursor: string): number {
  const [, index] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (index !== undefined) return Number(index);
  throw new PlumblineError(
    'invalid_cursor',
    'This cursor is not valid: send `next_cursor` exactly as it was returned.',
  );
}

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const IDEMPOTENCY_KEY_MAX = 255;

/** The 422 of a key that is too long or has characters that logs and databases may change. */
export function idempotencyKeyOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header.length <= IDEMPOTENCY_KEY_MAX && PRINTABLE.test(header)) return header;
  const msg = `must be 1 to ${IDEMPOTENCY_KEY_MAX} printable ASCII characters`;
  const loc = ['header', 'Idempotency-Key'];
  throw new ValidationError([{ loc, msg, type: 'idempotency_key', input: shownInput(header), ctx: {} }]);
}
