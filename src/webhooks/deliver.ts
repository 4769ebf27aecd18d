import { claimDelivery, type ClaimedDelivery } from '../store/delivery-queue.ts';
import { attemptDelivery, type AttemptDeps } from './attempt-delivery.ts';
import { createForgetting } from './forget-deliveries.ts';

/** Concurrent attempts in one process. */
const MOST_AT_ONCE = 64;
/** Limit per host, so that no receiver is overloaded and a slow one holds few slots. */
const MOST_PER_HOST = 4;
/** Limit per account: many slow receivers of one account leave three quarters of the slots to others. */
const MOST_PER_ACCOUNT = 16;
/** Four times the maximum duration of an attempt: the rest is for preparing and recording it. */
const LEASE_MS = 60_000;
/** Maximum delay before a delivery enqueued by another process is noticed. */
const LOOK_EVERY_MS = 1000;

/** Sends due deliveries while the process serves. */
export interface Delivering {
  /** Polls for due deliveries now and then every second. */
  readonly start: () => void;
  /** Polls now, because something was enqueued here. */
  readonly wake: () => void;
  /** Resolves when nothing is due and nothing is running. */
  readonly idle: () => Promise<void>;
  /** Starts no more attempts; resolves when running ones are recorded, within 15 s. */
  readonly close: () => Promise<void>;
}

export function createDelivering(deps: AttemptDeps): Delivering {
  const underWay = new Map<ClaimedDelivery, Promise<void>>();
  let looking = Promise.resolve();
  const state = { isLooking: false, isAskedAgain: false, isClosed: false };
  const forgetOldOnes = createForgetting(deps);
  let timer: NodeJS.Timeout | null = null;

  const wake = (): void => {
    state.isAskedAgain = true;
    if (!state.isLooking) looking = look();
  };
  /** One claim at a time, because each must know how many attempts the others started per host. */
  async function look(): Promise<void> {
    state.isLooking = true;
    try {
      while (state.isAskedAgain && !state.isClosed) {
        state.isAskedAgain = false;
        while (!state.isClosed && underWay.size < MOST_AT_ONCE) {
          const claimed = await claimNext(deps, [...underWay.keys()]);
          if (claimed === null) break;
          underWay.set(claimed, send(claimed));
        }
        if (!state.isClosed) await forgetOldOnes();
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'due webhooks cannot be read now');
    } finally {
      state.isLooking = false;
    }
  }
  /**
   * If an attempt cannot be made or recorded (database or key unavailable), its lease ends and it is due
   * again.
   */
  async function send(claimed: ClaimedDelivery): Promise<void> {
    try {
      await attemptDelivery(deps, claimed);
    } catch (error) {
      deps.log.error({ err: error, deliveryId: claimed.deliveryId }, 'webhook not attempted');
    } finally {
      underWay.delete(claimed);
      wake();
    }
  }
  async function settle(): Promise<void> {
    while (state.isLooking || underWay.size > 0) await Promise.all([looking, ...underWay.values()]);
  }
  return {
    wake,
    start: () => {
      timer ??= setInterval(wake, LOOK_EVERY_MS);
      wake();
    },
    idle: () => {
      wake();
      return settle();
    },
    close: async () => {
      state.isClosed = true;
      if (timer !== null) clearInterval(timer);
      await settle();
    },
  };
}

function claimNext(
  { store, clock }: AttemptDeps,
  underWay: readonly ClaimedDelivery[],
): Promise<ClaimedDelivery | null> {
  const now = clock().getTime();
  return claimDelivery(store, {
    now,
    leaseUntil: now + LEASE_MS,
    fullHosts: fullOnes(underWay, 'host', MOST_PER_HOST),
    fullAccounts: fullOnes(underWay, 'accountId', MOST_PER_ACCOUNT),
  });
}

function fullOnes(underWay: readonly ClaimedDelivery[], by: 'host' | 'accountId', most: number): string[] {
  const counts = Map.groupBy(underWay, (claimed) => claimed[by]);
  return [...counts].filter(([, those]) => those.length >= most).map(([name]) => name);
}
