import { createPolling, type Polling } from '../polling.ts';
import { claimDelivery, type ClaimedDelivery } from '../store/deliveries.ts';
import { attemptDelivery, type AttemptDeps } from './attempt-delivery.ts';

/** Concurrent attempts in one process. */
const MAX_AT_ONCE = 64;
/** Limit per host, so that no receiver is overloaded and a slow one holds few slots. */
const MAX_PER_HOST = 4;
/** Limit per account: many slow receivers of one account leave three quarters of the slots to others. */
const MAX_PER_ACCOUNT = 16;
/** Four times the maximum duration of an attempt: the rest is for preparing and recording it. */
const LEASE_MS = 60_000;
/** How long a delivery that another process enqueued waits at most before it is seen. */
const POLL_EVERY_MS = 1000;

/** Sends due webhooks until it is closed. */
export interface DeliverySender extends Pick<Polling, 'start' | 'wake' | 'close'> {
  /** Resolves when nothing is due and no attempt is running. */
  readonly idle: () => Promise<void>;
}

export function createDeliverySender(deps: AttemptDeps): DeliverySender {
  const running = new Map<ClaimedDelivery, Promise<void>>();
  const polling = createPolling({
    everyMs: POLL_EVERY_MS,
    log: deps.log,
    failure: 'due webhooks cannot be read now',
    // One claim after the other: each must know how many attempts its host already has.
    poll: async (stopping) => {
      while (!stopping.aborted && running.size < MAX_AT_ONCE) {
        const claimed = await claimNext(deps, [...running.keys()]);
        if (claimed === null) break;
        running.set(claimed, send(claimed));
      }
    },
  });
  /** After an error in this process (database, unreadable webhook key) the delivery is due again when its lease ends. */
  async function send(claimed: ClaimedDelivery): Promise<void> {
    try {
      await attemptDelivery(deps, claimed);
    } catch (error) {
      deps.log.error({ err: error, deliveryId: claimed.deliveryId }, 'a webhook could not be attempted');
    } finally {
      running.delete(claimed);
      polling.wake();
    }
  }
  async function settle(): Promise<void> {
    while (polling.isRunning() || running.size > 0)
      await Promise.all([polling.settled(), ...running.values()]);
  }
  return {
    start: polling.start,
    wake: polling.wake,
    idle: () => {
      polling.wake();
      return settle();
    },
    // Running attempts take at most 15 s.
    close: async () => {
      await polling.close();
      await settle();
    },
  };
}

function claimNext(
  { store, clock }: AttemptDeps,
  running: readonly ClaimedDelivery[],
): Promise<ClaimedDelivery | null> {
  const now = clock().getTime();
  return claimDelivery(store, {
    now,
    leaseUntil: now + LEASE_MS,
    fullHosts: atLimit(running, 'host', MAX_PER_HOST),
    fullAccounts: atLimit(running, 'accountId', MAX_PER_ACCOUNT),
  });
}

function atLimit(running: readonly ClaimedDelivery[], by: 'host' | 'accountId', most: number): string[] {
  const counts = Map.groupBy(running, (claimed) => claimed[by]);
  return [...counts].filter(([, those]) => those.length >= most).map(([name]) => name);
}
