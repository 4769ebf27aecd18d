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
  type Hold,
} from '../store/credit-balances.ts';
import { refundCharge, type Charge } from '../store/credit-ledger.ts';
import { isUniqueViolation } from '../store/database-errors.ts';
import type { Store } from '../store/store.ts';
import { groupTransactions, type Transact } from '../store/group-transactions.ts';
import { inTransaction } from '../store/transaction.ts';
import type { ValuationLog } from '../store/valuation-log.ts';
import type { Caller } from './authenticate.ts';

/** A charge whose amount is not known before the answer is. */
type OpenCharge = Omit<Charge, 'credits'>;

/**
 * Takes the charge over, to commit it together with a record of one's own: one commit, not two. Whoever gets it must write
 * it; null where it is written elsewhere.
 */
export type TakeCharge = (credits: number) => Charge | null;

/** Work that costs credits. */
export interface ChargedWork<Answer> {
  readonly operation: string;
  /** The most it can cost. */
  readonly creditsMax: () => number | Promise<number>;
  readonly run: (takeCharge: TakeCharge) => Promise<Answer>;
  /** Whether the caller was told meanwhile that it took too long: it is then not charged. Absent where nobody waits. */
  readonly isLate?: () => boolean;
}

export interface ChargedAnswer<Answer> {
  readonly answer: Answer;
  readonly charged: number;
  /** Of the month's credits; null where the plan has no cap. */
  readonly remaining: number | null;
}

/** Who pays. */
export type Payer = Pick<Caller, 'accountId' | 'keyId' | 'plan'>;

/** Runs work and charges for it, once, if it answers. */
export type RunCharged = <Answer extends { readonly credits: number }>(
  payer: Payer,
  work: ChargedWork<Answer>,
) => Promise<ChargedAnswer<Answer>>;

export interface CreditDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Ids of charges: ours, because callers may send the same request id twice. */
  readonly newId: () => string;
  readonly valuationLog: ValuationLog;
}

/** A request is answered within 10 s or not at all; a hold older than this is of a process that died. */
const HOLD_MS = 600_000;
/** Before each attempt to give a charge back: a database is back within some seconds, or somebody has to see to it. */
const REFUND_WAITS_MS = [0, 1000, 5000, 25_000];

/**
 * Makes the one way in which requests are charged. Without a cap the charge is a line of the ledger, committed with the
 * neighbours' before the answer leaves. With one, the most it can cost is set aside first, then settled; what fails is
 * given back.
 *
 * @throws PlumblineError `quota_exceeded` where not enough is left of the month
 */
export function createRunCharged(deps: CreditDeps): RunCharged {
  const capped: CappedDeps = { ...deps, transact: groupTransactions(deps.store) };
  return async (payer, work) => {
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
    const answer = await work.run((credits) => {
      if (isTaken) return null;
      refuseLate(work);
      isTaken = true;
      return { ...open, credits };
    });
    if (!isTaken) {
      refuseLate(work);
      await deps.valuationLog.charge({ ...open, credits: answer.credits });
    }
    if (work.isLate?.()) {
      const charge = { ...open, credits: answer.credits };
      await refund(capped, charge, { isCapped: false });
    }
    refuseLate(work);
    return { answer, charged: answer.credits, remaining: null };
  };
}

interface CappedDeps extends CreditDeps {
  readonly transact: Transact;
}

async function runCapped<Answer extends { readonly credits: number }>(
  deps: CappedDeps,
  open: OpenCharge,
  allowance: number,
  work: ChargedWork<Answer>,
): Promise<ChargedAnswer<Answer>> {
  const { store, clock, transact } = deps;
  const hold: Hold = { ...open, credits: await work.creditsMax(), expiresAt: open.createdAt + HOLD_MS };
  const { isHeld, balance } = await transact((transaction) =>
    holdCredits(store, transaction, hold, allowance),
  );
  if (!isHeld) throw quotaExceeded(hold, allowance, balance);
  const answer = await runInTime(work).catch(async (error: unknown) => {
    await giveBack(deps, hold);
    throw error;
  });
  const settled = await transact((transaction) =>
    settleHold(store, transaction, hold, answer.credits, clock().getTime()),
  );
  if (settled === null) throw tooLate();
  if (work.isLate?.()) {
    const charge = { ...open, credits: settled.charged };
    await refund(deps, charge, { isCapped: true });
  }
  refuseLate(work);
  return { answer, charged: settled.charged, remaining: settled.balance };
}

async function runInTime<Answer>(work: ChargedWork<Answer>): Promise<Answer> {
  const answer = await work.run(() => null);
  refuseLate(work);
  return answer;
}

function refuseLate({ isLate }: Pick<ChargedWork<unknown>, 'isLate'>): void {
  if (isLate?.()) throw tooLate();
}

function tooLate(): PlumblineError {
  return new PlumblineError('deadline_exceeded', 'The answer took too long and was not charged. Try again.');
}

/**
 * Gives back what was charged just when the caller was told that it took too long. Nobody waits for it: what made the answer
 * late, a database that restarts, may keep this waiting, too.
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
      // A commit that was cut off may have been one.
      if (isUniqueViolation(error)) return;
      log.warn({ err: error, accountId, requestId, credits }, 'a charge is not given back yet');
    }
  }
  log.error({ accountId, requestId, credits }, 'a charge whose answer came too late was not given back');
}

/** Where the database cannot be reached the hold runs out by itself, and the caller learns the first error. */
async function giveBack({ store, clock, log, transact }: CappedDeps, hold: Hold): Promise<void> {
  try {
    await transact((transaction) => releaseHold(store, transaction, hold, clock().getTime()));
  } catch (error) {
    log.warn({ err: error, accountId: hold.accountId }, 'credits of a failed request are given back later');
  }
}

const HOLDS_A_SWEEP = 1000;

/** Gives back what processes that died had set aside; answers how many requests that were. Any process may do it. */
export async function releaseExpiredHolds({
  store,
  clock,
}: Pick<CreditDeps, 'store' | 'clock'>): Promise<number> {
  const now = clock().getTime();
  let released = 0;
  for (const id of await listExpiredHolds(store, now, HOLDS_A_SWEEP)) {
    if (await inTransaction(store, (transaction) => releaseHold(store, transaction, id, now))) released++;
  }
  return released;
}

/** Why credits could not be set aside, and when to come again. */
export function quotaExceeded(hold: Hold, allowance: number, balance: number): PlumblineError {
  const end = endOfBillingPeriod(hold.period);
  return new PlumblineError(
    'quota_exceeded',
    `This may cost ${hold.credits} credits, and ${balance} of the plan's ${allowance} a month are left until ` +
      `${new Date(end).toISOString().slice(0, 10)}. Ask for less, or for another plan.`,
    {
      members: {
        retry_after: Math.max(1, Math.ceil((end - hold.createdAt) / 1000)),
        credits_remaining: balance,
      },
    },
  );
}
