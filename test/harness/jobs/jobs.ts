import type { PropertyValuationRequest } from '../../../src/operations/valuation-types.ts';
import { randomBytes } from 'node:crypto';
import { BUILT_IN_PLANS, type Plan } from '../../../src/accounts/plans.ts';
import { attributesOf } from '../../../src/domain/property.ts';
import { insertAccount } from '../../../src/store/accounts.ts';
import { claimChunk, type Chunk } from '../../../src/store/job-queue.ts';
import { endChunk, type EndedChunk, type ItemOutcome } from '../../../src/store/job-results.ts';
import type { Store } from '../../../src/store/store.ts';
import { uuidV7 } from '../../../src/store/uuid-v7.ts';
import { type Batches, createBatches } from '../../../src/jobs/batches.ts';
import { RESULTS_KEPT_MS } from '../../app-config.ts';
import type { JobItem, SubmittedBatch, Submitter } from '../../../src/jobs/batch-types.ts';

/** The starting time of job queue tests: noon on a day in the middle of a month. */
export const NOON = Date.UTC(2026, 5, 15, 12);
/** Credits for an item that requests no comparables. */
export const ITEM_CREDITS = 30;
export const LEASE_MS = 1000;

/** The batches of a database, with a clock that tests move. */
export interface TestQueue {
  readonly batches: Batches;
  readonly now: () => number;
  readonly passMs: (ms: number) => void;
  readonly claim: (most?: number) => Promise<Chunk | null>;
  /** Completes all items of a chunk, or some of them, with values. */
  readonly end: (chunk: Chunk, outcomes?: readonly ItemOutcome[]) => Promise<EndedChunk>;
}

export function testQueue(store: Store): TestQueue {
  const state = { now: NOON };
  const newId = (): string => uuidV7(state.now, randomBytes(10));
  const clock = (): Date => new Date(state.now);
  return {
    batches: createBatches({
      store,
      clock,
      newId,
      resultsKeptMs: RESULTS_KEPT_MS,
      wake: () => {},
      wakeDeliverySender: () => {},
    }),
    now: () => state.now,
    passMs: (ms) => void (state.now += ms),
    claim: (most = 10) =>
      claimChunk(store, { now: state.now, leaseUntil: state.now + LEASE_MS, most, tasks: ['property'] }),
    end: (chunk, outcomes = chunk.items.map(({ itemNo }) => testValue(chunk, itemNo))) =>
      endChunk(store, chunk, { outcomes, returned: [], now: state.now }),
  };
}

export function testPayer(accountId = 'self', plan: Partial<Plan> = {}): Submitter {
  const unlimited = BUILT_IN_PLANS.get('unlimited');
  if (!unlimited) throw new Error('there is a plan without limits');
  const actor = { kind: 'key', id: 'key', name: 'a test' } as const;
  return { accountId, keyId: 'key', plan: { ...unlimited, ...plan }, actor };
}

export async function addAccount(store: Store, accountId: string): Promise<void> {
  await insertAccount(store, { accountId, name: accountId, plan: 'unlimited', createdAt: NOON });
}

/** Requests for a row of homes, without comparables. */
export function testItems(count: number, place = { lat: 43, lon: -88 }): JobItem<'property'>[] {
  return Array.from({ length: count }, (_, i) => {
    const request: PropertyValuationRequest = {
      location: { address: null, lat: place.lat + i / 10_000, lon: place.lon, mapsPlace: null },
      search: { radiusMi: 1, lookbackMonths: null, numComps: 0 },
      asOf: Math.floor(NOON / 86_400_000),
      propertyType: 'houses',
      attributes: attributesOf({ bedrooms: 3, bathrooms: 2, livingAreaSqft: 1500 }),
      warnings: [],
    };
    return { propertyId: `home ${i}`, request };
  });
}

export function testBatch(
  count: number,
  changes: Partial<SubmittedBatch<'property'>> = {},
): SubmittedBatch<'property'> {
  return { avmType: 'property', items: testItems(count), notifyUrl: null, idempotency: null, ...changes };
}

/** A value that was not computed. Its text names the claim it came from. */
export function testValue({ job, fencingToken }: Chunk, itemNo: number): ItemOutcome {
  return {
    itemNo,
    data: JSON.stringify({ item: itemNo, claim: fencingToken }),
    error: null,
    valuation: {
      valuationId: uuidV7(NOON, randomBytes(10)),
      accountId: job.accountId,
      keyId: job.keyId,
      kind: 'property',
      createdAt: NOON,
      request: '{}',
      inputs: '{}',
      response: `${job.jobId}/${itemNo}`,
      credits: ITEM_CREDITS,
    },
    credits: ITEM_CREDITS,
  };
}

export function testError(itemNo: number): ItemOutcome {
  const error = { code: 'address_not_found', sentence: 'The address is not known.' };
  return { itemNo, data: null, error, valuation: null, credits: 0 };
}
