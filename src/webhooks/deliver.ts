import { claimDelivery, type ClaimedDelivery } from '../store/delivery-queue.ts';
import { attemptDelivery, type AttemptDeps } from './attempt-delivery.ts';
import { createForgetting } from './forget-deliveries.ts';

/** Attempts under way at a time, in one process. */
const MOST_AT_ONCE = 64;
/** So that no receiver is overrun, and a slow one holds few places. */
const MOST_PER_HOST = 4;
/** An account with many slow receivers leaves three quarters of the places to the others. */
const MOST_PER_ACCOUNT = 16;
/** Four times what an attempt may take: the rest is for preparing and noting it. */
const LEASE_MS = 60_000;
/** How long a delivery that another process enqueued waits at most before it is seen. */
const LOOK_EVERY_MS = 1000;

/** Sends what is due, as long as the process serves. */
export interface Delivering {
  /** Looks for due deliveries at once, and every second from now on. */
  readonly start: () => void;
  /** Looks now: something was enqueued here. */
  readonly wake: () => void;
  /** Resolves when nothing is due and nothing is under way. */
  readonly idle: () => Promise<void>;
  /** Begins nothing more; resolves when what is under way is noted, within an attempt's 15 s. */
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
  /** One claim after the other: each must know how full the others have made their hosts. */
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
  /** Where it cannot even be tried or noted (the database, our own key), the lease ends and it is due again. */
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
