import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TSchema } from 'typebox';
import type { Warning } from '../../domain/warning.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import {
  BatchEnvelope,
  MAX_ITEMS,
  JobsRequestBody,
  JOBS_LIMIT,
  MultifamilyBatchItem,
  PropertyBatchItem,
  RecordedPropertyItem,
  RentalBatchItem,
  RESULTS_LIMIT,
  ResultsRequestBody,
} from '../../schemas/batch.ts';
import { encodeCursor, placeOfCursor } from '../../store/pages.ts';
import { valuationErrors } from '../request/location-request.ts';
import {
  createPartReader,
  createRequestReader,
  inBody,
  type PartReader,
  type Reading,
  type RequestRules,
} from '../request/read-request.ts';
import { ERRORS_SHOWN, ValidationError, type FieldError } from '../request/validation-error.ts';
import { multifamilyOf, propertyOf, rentalOf } from './valuations.ts';
import type { JobItem, JobSearch } from '../../jobs/batch-types.ts';
import { isRecord } from '../../domain/json.ts';

interface BatchRequest<Kind extends ValuationKind> {
  readonly items: readonly JobItem<Kind>[];
  readonly notifyUrl: string | null;
  /** About the batch itself. Warnings about an item are part of its result. */
  readonly warnings: readonly Warning[];
}

/** Throws a ValidationError with the first `ERRORS_SHOWN` errors. */
type BatchReader<K extends ValuationKind> = (raw: unknown, reading: Reading) => Promise<BatchRequest<K>>;

const readEnvelope = createPartReader({
  schema: BatchEnvelope,
  readElsewhere: 'properties',
  build: (value, _reading, warnings) => ({ notifyUrl: value.notify_url ?? null, warnings }),
});

type BatchReaders = { readonly [Kind in ValuationKind]: BatchReader<Kind> };

/** Each item is read by the rules of its single request. */
export const BATCH_READERS: BatchReaders = {
  property: createBatchReader(PropertyBatchItem, itemBy(propertyOf)),
  rental: createBatchReader(RentalBatchItem, itemBy(rentalOf)),
  multifamily: createBatchReader(MultifamilyBatchItem, itemBy(multifamilyOf)),
};

/** Rows of files in the console. Bedrooms and bathrooms that a row leaves out come from the public record. */
export const FILE_READERS: BatchReaders = {
  ...BATCH_READERS,
  property: createBatchReader(
    RecordedPropertyItem,
    itemBy((...read: Parameters<typeof propertyOf>) => ({
      ...propertyOf(...read),
      needsRecordedRooms: true as const,
    })),
  ),
};

function createBatchReader<S extends TSchema, K extends ValuationKind>(
  schema: S,
  build: RequestRules<S, JobItem<K>>['build'],
): BatchReader<K> {
  return createItemsReader(readEnvelope, createPartReader({ schema, check: valuationErrors, build }));
}

/** Builds an item by the builder of its single request. */
function itemBy<Single, Request>(
  requestOf: (item: Single, reading: Reading, warnings: readonly Warning[]) => Request,
) {
  return (
    item: Single & { readonly property_id?: string | null },
    reading: Reading,
    warnings: readonly Warning[],
  ) => ({ propertyId: item.property_id ?? null, request: requestOf(item, reading, warnings) });
}

/** Items are read for this long, then other requests get a turn. 500 homes take 40 ms in all. */
const TURN_MS = 4;

/** Reads a body whose `properties` are read one by one. Throws a ValidationError with the first `ERRORS_SHOWN` errors. */
export function createItemsReader<Envelope extends object, Item>(
  readOthers: PartReader<Envelope>,
  readItem: PartReader<Item>,
): (raw: unknown, reading: Reading) => Promise<Envelope & { readonly items: readonly Item[] }> {
  return async (raw, reading) => {
    const given: readonly unknown[] = isRecord(raw) && Array.isArray(raw.properties) ? raw.properties : [];
    const envelope = readOthers(raw, inBody, reading);
    const errors: FieldError[] = [...envelope.errors];
    const items: Item[] = [];
    let begun = performance.now();
    // For a list that is too long, only its length is reported.
    for (const [index, item] of given.length > MAX_ITEMS ? [] : given.entries()) {
      if (errors.length >= ERRORS_SHOWN) break;
      if (performance.now() - begun > TURN_MS) {
        await nextTurn();
        begun = performance.now();
      }
      const read = readItem(item, (path) => inBody(['properties', index, ...path]), reading);
      if (read.request === null) errors.push(...read.errors);
      else items.push(read.request);
    }
    if (envelope.request === null || errors.length > 0) throw new ValidationError(errors);
    return { ...envelope.request, items };
  };
}

export const jobsRequest = createRequestReader({
  schema: JobsRequestBody,
  build: (value, _reading, warnings): JobSearch & { readonly warnings: readonly Warning[] } => ({
    status: value.status ?? null,
    avmType: value.avm_type ?? null,
    limit: value.limit ?? JOBS_LIMIT.default,
    cursor: value.cursor ?? null,
    warnings,
  }),
});

/** `from` is the index of the first requested result. */
export const resultsRequest = createRequestReader({
  schema: ResultsRequestBody,
  build: (value, _reading, warnings) => ({
    from: Number(placeOfCursor(value.cursor || null, CURSOR)?.[1] ?? 0),
    limit: value.limit ?? RESULTS_LIMIT.default,
    warnings,
  }),
});

const CURSOR = /^results (\d{1,5})$/;

/** The cursor of a page by the index of its first result. */
export function cursorOfIndex(index: number): string {
  return encodeCursor(`results ${index}`);
}
