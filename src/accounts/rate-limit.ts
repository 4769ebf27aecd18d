import { lockBucket, writeBucket } from '../store/rate-buckets.ts';
import type { Store } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import type { AuthenticatedCaller } from './authenticate.ts';
import { EMPTY_BUCKET, takeFrom, type Bucket, type Taken, type WindowState } from './gcra.ts';
import { WINDOWS, type Rates } from './plans.ts';

/**
 * Counts a request against the limits of its account and its key: in both, or in none. Returns null, without
 * a promise or a lookup, if the plan has no limits: that path serves thousands of requests per second.
 */
export type RateLimit = (caller: Limitable, nowMs: number) => Promise<Admission> | null;

type Limitable = Pick<AuthenticatedCaller, 'accountId' | 'keyId' | 'plan'>;

/** The outcome for a request. */
interface Admission {
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
    const rejecting = all.find(({ taken }) => !taken.isAllowed);
    if (rejecting) return [rejecting];
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

class Rejected extends Error {
  readonly by: TakenFrom;

  constructor(by: TakenFrom) {
    super('a bucket rejected the request');
    this.by = by;
  }
}

/** Limits shared by processes (PostgreSQL): each bucket's row is locked while it is counted. */
export function limitInStore(store: Store): RateLimit {
  return limitBy(async (limited, nowMs) => {
    try {
      return await inTransaction(store, async (transaction) => {
        const all: TakenFrom[] = [];
        for (const one of limited) {
          const taken = takeFrom(await lockBucket(store, transaction, one.bucketId), one.rates, nowMs);
          // Rolled back, so that a rejected request is not counted.
          if (!taken.isAllowed) throw new Rejected({ ...one, taken });
          await writeBucket(transaction, one.bucketId, taken.bucket);
          all.push({ ...one, taken });
        }
        return all;
      });
    } catch (error) {
      if (error instanceof Rejected) return [error.by];
      throw error;
    }
  });
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
  return WINDOWS.some((window) => rates[window] !== undefined);
}
