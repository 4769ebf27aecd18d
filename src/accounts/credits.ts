import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { billingPeriodAt, endOfBillingPeriod } from '../domain/billing-period.ts';
import { PlumblineError } from '../errors.ts';
import type { Log } from '../log.ts';
import {
  holdCredits,
  listExpiredHolds,
  refundFromBalance,
  releaseHold,
  settleHold,
} from '../store/credit-balances.ts';
import { refundCharge } from '../store/credit-ledger.ts';
import { isUniqueViolation } from '../store/database-errors.ts';
import type { Store } from '../store/store.ts';
import { groupTransactions, type Transact } from '../store/group-writes.ts';
import { inTransaction } from '../store/transaction.ts';
import type { ValuationLog } from '../store/valuation-log.ts';
import type { AuthenticatedCaller } from './authenticate.ts';
import { recordsValuations, rejectOverStorage } from './stored-limit.ts';
import type { Charge, Hold } from '../store/tables/accounts.ts';

/** A charge whose amount is known only with the response. */
type OpenCharge = Omit<Charge, 'credits'>;

/**
 * Hands the charge to the caller, which must commit it together with its record: one commit instead of two.
 * Returns null if the charge is written elsewhere.
 */
export type TakeCharge = (credits: number) => Charge | null;

/** An operation that costs credits. */
export interface ChargedWork<Result> {
  readonly operation: string;
  /** Its maximum cost. */
  readonly creditsMax: () => number | Promise<number>;
  readonly run: (takeCharge: TakeCharge) => Promise<Result>;
  /** Whether the request has timed out; it is then not charged. Absent if no client is waiting. */
  readonly isLate?: () => boolean;
}

interface ChargedResult<Result> {
  readonly result: Result;
  readonly charged: number;
  /** What is left of the month's credits; null if the plan has no cap. */
  readonly remaining: number | null;
}

/** The account, key and plan to charge. */
export type Payer = Pick<AuthenticatedCaller, 'accountId' | 'keyId' | 'plan'>;

/** Runs an operation and charges for it, once, if it succeeds. */
export type RunCharged = <Result extends { readonly credits: number }>(
  payer: Payer,
  work: ChargedWork<Result>,
) => Promise<ChargedResult<Result>>;

interface CreditDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Creates charge ids. They are our own, because callers may send the same request id twice. */
  readonly newId: () => string;
  readonly valuationLog: ValuationLog;
}

/** Ten minutes. A response takes at most 10 s, so a hold this old belongs to a process that died. */
const HOLD_MS = 600_000;
/** Delays before each attempt to refund a charge: a database is usually back within seconds. */
const REFUND_WAITS_MS = [0, 1000, 5000, 25_000];

/**
 * Creates the only function that charges requests. Without a cap the charge is a ledger line in a group
 * commit before the response is sent. With a cap the maximum cost is reserved first and then settled; failed
 * operations are released.
 *
 * @throws PlumblineError `quota_exceeded` if not enough of the month's credits is left, or no room for valuations
 */
export function createRunCharged(deps: CreditDeps): RunCharged {
  const capped: CappedDeps = { ...deps, transact: groupTransactions(deps.store) };
  return async (payer, work) => {
    if (recordsValuations(work.operation)) await rejectOverStorage(deps.store.db, payer);
    const now = deps.clock().getTime();
    const open: OpenCharge = {
      accountId: payer.accountId,
      keyId: payer.keyId,
      requestId: deps.newId(),
      operation: work.operation,
      period: billingPeriodAt(now),
      createdAt: now,
    };
    const allowance = payer.plan.creditsPerMonth;
    if (allowance !== null) return runCapped(capped, open, allowance, work);
    let isTaken = false;
    const result = await work.run((credits) => {
      if (isTaken) return null;
      rejectLate(work);
      isTaken = true;
      return { ...open, credits };
    });
    if (!isTaken) {
      rejectLate(work);
      await deps.valuationLog.charge({ ...open, credits: result.credits });
    }
    if (work.isLate?.()) {
      const charge = { ...open, credits: result.credits };
      await refund(capped, charge, { isCapped: false });
    }
    rejectLate(work);
    return { result, charged: result.credits, remaining: null };
  };
}

interface CappedDeps extends CreditDeps {
  readonly transact: Transact;
}

async function runCapped<Result extends { readonly credits: number }>(
  deps: CappedDeps,
  open: OpenCharge,
  allowance: number,
  work: ChargedWork<Result>,
): Promise<ChargedResult<Result>> {
  const { store, clock, transact } = deps;
  const hold: Hold = { ...open, credits: await work.creditsMax(), expiresAt: open.createdAt + HOLD_MS };
  const { isHeld, balance } = await transact((transaction) =>
    holdCredits(store, transaction, hold, allowance),
  );
  if (!isHeld) throw quotaExceeded(hold, allowance, balance);
  const result = await runInTime(work).catch(async (error: unknown) => {
    await releaseAfterFailure(deps, hold);
    throw error;
  });
  const settled = await transact((transaction) =>
    settleHold(store, transaction, hold, result.credits, clock().getTime()),
  );
  if (settled === null) throw tooLate();
  if (work.isLate?.()) {
    const charge = { ...open, credits: settled.charged };
    await refund(deps, charge, { isCapped: true });
  }
  rejectLate(work);
  return { result, charged: settled.charged, remaining: settled.balance };
}

async function runInTime<Result>(work: ChargedWork<Result>): Promise<Result> {
  const result = await work.run(() => null);
  rejectLate(work);
  return result;
}

function rejectLate({ isLate }: Pick<ChargedWork<unknown>, 'isLate'>): void {
  if (isLate?.()) throw tooLate();
}

function tooLate(): PlumblineError {
  return new PlumblineError('deadline_exceeded', 'The response took too long and is not charged. Try again.');
}

/**
 * Refunds a charge that was committed just as the request timed out. The client already has its 504, so this may
 * take half a minute: whatever delayed the response, such as a restarting database, may delay the refund too.
 */
async function refund(
  { store, log, transact }: Pick<CappedDeps, 'store' | 'log' | 'transact'>,
  charge: Charge,
  { isCapped }: { readonly isCapped: boolean },
): Promise<void> {
  const { accountId, requestId, credits } = charge;
  for (const waitMs of REFUND_WAITS_MS) {
    await sleep(waitMs);
    try {
      await transact((transaction) =>
        isCapped
          ? refundFromBalance(store, transaction, charge)
          : refundCharge(store, transaction, charge, 0),
      );
      return;
    } catch (error) {
      // A commit whose connection broke may have succeeded.
      if (isUniqueViolation(error)) return;
      log.warn({ err: error, accountId, requestId, credits }, 'a refund failed and will be retried');
    }
  }
  log.error({ accountId, requestId, credits }, 'the charge for a late response could not be refunded');
}

/** Releases the hold of a failed request. If the release fails, the hold expires later. Does not throw. */
async function releaseAfterFailure({ store, clock, log, transact }: CappedDeps, hold: Hold): Promise<void> {
  try {
    await transact((transaction) => releaseHold(store, transaction, hold, clock().getTime()));
  } catch (error) {
    log.warn({ err: error, accountId: hold.accountId }, 'the hold of a failed request will expire later');
  }
}

const HOLDS_A_RUN = 1000;

/** Releases the expired holds of dead processes, and returns how many. Several processes may call it at once. */
export async function releaseExpiredHolds({
  store,
  clock,
}: Pick<CreditDeps, 'store' | 'clock'>): Promise<number> {
  const now = clock().getTime();
  let released = 0;
  for (const id of await listExpiredHolds(store, now, HOLDS_A_RUN)) {
    if (await inTransaction(store, (transaction) => releaseHold(store, transaction, id, now))) released++;
  }
  return released;
}

/** Why credits could not be reserved, and when to retry. */
export function quotaExceeded(hold: Hold, allowance: number, balance: number): PlumblineError {
  const end = endOfBillingPeriod(hold.period);
  return new PlumblineError(
    'quota_exceeded',
    `This request may cost ${hold.credits} credits; ${balance} of the plan's ${allowance} credits per month ` +
      `are left until ${new Date(end).toISOString().slice(0, 10)}. Request less, or ask the operator for another plan.`,
    {
      members: {
        retry_after: Math.max(1, Math.ceil((end - hold.createdAt) / 1000)),
        credits_remaining: balance,
      },
    },
  );
}
