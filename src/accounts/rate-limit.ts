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
 * Counts a request against the limits of its account and of its key: in both, or in none. Null where the plan has no
 * limits, without a promise or a look-up: that path serves thousands of requests a second.
 */
export type RateLimit = (caller: Limitable, nowMs: number) => Promise<Admission> | null;

type Limitable = Pick<Caller, 'accountId' | 'keyId' | 'plan'>;

/** What became of a request. */
export interface Admission {
  readonly isAllowed: boolean;
  readonly waitMs: number;
  /** How every limit stands now; of a request that was refused, those of whoever refused it. */
  readonly limits: readonly Limit[];
}

export interface Limit extends WindowState {
  /** `minute` of the account, `key-minute` of the key. */
  readonly name: string;
}

/** Whose bucket, and its limits. */
interface Limited {
  readonly prefix: string;
  readonly bucketId: string;
  readonly rates: Rates;
}

interface TakenFrom extends Limited {
  readonly taken: Taken;
}

/** Takes one from every bucket; or from none, and answers the one that refused. */
type TakeFromAll = (limited: readonly Limited[], nowMs: number) => Promise<readonly TakenFrom[]>;

const BUCKETS_KEPT = 100_000;

/** Limits of a process that is alone (SQLite): in its memory, forgotten when it ends. */
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

/** Limits that processes share (PostgreSQL): one atomic statement a bucket. */
export function limitInStore(store: Store): RateLimit {
  return limitBy(async (limited, nowMs) => {
    try {
      return await inTransaction(store, async (transaction) => {
        const all: TakenFrom[] = [];
        for (const one of limited) {
          const steps = stepsOf(one.rates, nowMs);
          const { isTaken, bucket } = await takeFromBucket(transaction, one.bucketId, steps, nowMs);
          all.push({ ...one, taken: takenOf(isTaken, bucket, one.rates, nowMs) });
          // Rolled back: a request that is refused is counted nowhere.
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
  // Refused is refused, whatever the numbers say by now.
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
