import { takeFromBucket } from '../store/rate-buckets.ts';
import type { Store } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import type { Caller } from './authenticate.ts';
import {
  EMPTY_BUCKET,
  furthest,
  latest,
  takeFrom,
  windowsOf,
  type Bucket,
  type Taken,
  type WindowState,
} from './gcra.ts';
import { WINDOW_MS, WINDOWS, type Rates } from './plans.ts';

/**
 * Counts a request against the limits of its account and its key: in both, or in none. Returns null, without
 * a promise or a lookup, if the plan has no limits: that path serves thousands of requests per second.
 */
export type RateLimit = (caller: Limitable, nowMs: number) => Promise<Admission> | null;

type Limitable = Pick<Caller, 'accountId' | 'keyId' | 'plan'>;

/** The outcome for a request. */
export interface Admission {
  readonly isAllowed: boolean;
  readonly waitMs: number;
  /** The state of every limit; for a rejected request, of the bucket that rejected it. */
  readonly limits: readonly Limit[];
}

export interface Limit extends WindowState {
  /** `minute` for the account, `key-minute` for the key. */
  readonly name: string;
}

/** A bucket's owner and limits. */
interface Limited {
  readonly prefix: string;
  readonly bucketId: string;
  readonly rates: Rates;
}

interface TakenFrom extends Limited {
  readonly taken: Taken;
}

/** Takes one from every bucket, or from none; returns the one that rejected. */
type TakeFromAll = (limited: readonly Limited[], nowMs: number) => Promise<readonly TakenFrom[]>;

const BUCKETS_KEPT = 100_000;

/** Limits of a single process (SQLite): in memory, reset when it ends. */
export function limitInMemory(): RateLimit {
  const buckets = new Map<string, Bucket>();
  return limitBy(async (limited, nowMs) => {
    const all = limited.map((one) => {
      const bucket = buckets.get(one.bucketId) ?? EMPTY_BUCKET;
      return { ...one, taken: takeFrom(bucket, one.rates, nowMs) };
    });
    const refused = all.find(({ taken }) => !taken.isAllowed);
    if (refused) return [refused];
    if (buckets.size > BUCKETS_KEPT) forgetEmpty(buckets, nowMs);
    for (const { bucketId, taken } of all) buckets.set(bucketId, taken.bucket);
    return all;
  });
}

function forgetEmpty(buckets: Map<string, Bucket>, nowMs: number): void {
  for (const [id, bucket] of buckets) {
    if (WINDOWS.every((window) => bucket[window] <= nowMs)) buckets.delete(id);
  }
}

class Refused extends Error {
  readonly by: TakenFrom;

  constructor(by: TakenFrom) {
    super('a bucket refused the request');
    this.by = by;
  }
}

/** Limits shared by processes (PostgreSQL): one atomic statement per bucket. */
export function limitInStore(store: Store): RateLimit {
  return limitBy(async (limited, nowMs) => {
    try {
      return await inTransaction(store, async (transaction) => {
        const all: TakenFrom[] = [];
        for (const one of limited) {
          const steps = stepsOf(one.rates, nowMs);
          const { isTaken, bucket } = await takeFromBucket(transaction, one.bucketId, steps, nowMs);
          all.push({ ...one, taken: takenOf(isTaken, bucket, one.rates, nowMs) });
          // Rolled back, so that a rejected request is not counted.
          if (!isTaken) throw new Refused(all[all.length - 1]);
        }
        return all;
      });
    } catch (error) {
      if (error instanceof Refused) return [error.by];
      throw error;
    }
  });
}

const COLUMNS = { second: 'secondAt', minute: 'minuteAt', day: 'dayAt' } as const;

function stepsOf(rates: Rates, nowMs: number): Parameters<typeof takeFromBucket>[2] {
  return WINDOWS.flatMap((window) => {
    const limit = rates[window];
    if (limit === undefined) return [];
    return [
      {
        column: COLUMNS[window],
        stepMs: WINDOW_MS[window] / limit,
        latestAt: nowMs + latest(window, limit),
        furthestAt: nowMs + furthest(window),
      },
    ];
  });
}

function takenOf(isTaken: boolean, bucket: Bucket, rates: Rates, nowMs: number): Taken {
  if (isTaken) return { isAllowed: true, waitMs: 0, bucket, windows: windowsOf(bucket, rates, nowMs) };
  // The rejection stands, even if the numbers have changed since.
  const { waitMs, windows } = takeFrom(bucket, rates, nowMs);
  return { isAllowed: false, waitMs: Math.max(1, waitMs), bucket, windows };
}

function limitBy(takeFromAll: TakeFromAll): RateLimit {
  return ({ accountId, keyId, plan }, nowMs) => {
    if (!isLimited(plan.rates) && !isLimited(plan.keyRates)) return null;
    const limited = [
      { prefix: '', bucketId: `account:${accountId}`, rates: plan.rates },
      { prefix: 'key-', bucketId: `key:${keyId}`, rates: plan.keyRates },
    ].filter(({ rates }) => isLimited(rates));
    return takeFromAll(limited, nowMs).then((all) => ({
      isAllowed: all.every(({ taken }) => taken.isAllowed),
      waitMs: Math.max(...all.map(({ taken }) => taken.waitMs)),
      limits: all.flatMap(({ prefix, taken }) =>
        taken.windows.map((state) => ({ ...state, name: prefix + state.window })),
      ),
    }));
  };
}

function isLimited(rates: Rates): boolean {
  return rates.second !== undefined || rates.minute !== undefined || rates.day !== undefined;
}
