import type { AlertKind } from '../domain/portfolio.ts';
import { PlumblineError } from '../errors.ts';
import { appendAudit, type ActingFor, type AuditAction } from '../store/audit-log.ts';
import { yieldToWriters } from '../store/yield-to-writers.ts';
import {
  dismissOpenAlerts,
  nextDismissalTime,
  reopenDismissedAlerts,
  type SomeAlerts,
} from '../store/portfolio-alerts.ts';
import type { PortfolioRow } from '../store/portfolios.ts';
import type { StoreTransaction } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import { openAlertsOf, rowOf } from './portfolios.ts';
import type { SubmitDeps } from './submit-batch.ts';

type DismissDeps = Pick<SubmitDeps, 'store' | 'clock'>;

/** Alerts by number, or all open ones up to a number, of one kind unless it is null. */
export type AlertsToDismiss =
  { readonly alertNos: readonly number[] } | { readonly upTo: number; readonly kind: AlertKind | null };
/** Alerts by number, or all that were dismissed at a time (ms). */
export type AlertsToReopen = { readonly alertNos: readonly number[] } | { readonly dismissedAt: number };

/** What a dismissal has changed, or a request that takes one back. */
interface ChangedAlerts {
  /** Alerts that were in the other state before. */
  readonly changed: number;
  readonly openAlerts: number;
}

/**
 * Dismisses alerts. An alert that was dismissed before keeps when and by whom.
 *
 * @returns also when; null if nothing has changed
 * @throws PlumblineError `not_found`, also for a number that no alert has: then nothing is changed
 */
export async function dismissAlerts(
  deps: DismissDeps,
  by: ActingFor,
  portfolioId: string,
  which: AlertsToDismiss,
): Promise<ChangedAlerts & { readonly dismissedAt: number | null }> {
  await rowOf(deps, by.accountId, portfolioId);
  const dismissedAt = await nextDismissalTime(deps.store, portfolioId, deps.clock().getTime());
  const dismissal = { dismissedAt, dismissedBy: by.actor.name };
  const done = await changeAlerts(deps, { ...by, at: dismissedAt }, portfolioId, {
    action: 'portfolio.alerts_dismissed',
    which: () => which,
    write: (transaction, some) => dismissOpenAlerts(transaction, portfolioId, some, dismissal),
  });
  return { ...done, dismissedAt: done.changed > 0 ? dismissedAt : null };
}

/** Takes dismissals back. @throws PlumblineError as `dismissAlerts` */
export async function reopenAlerts(
  deps: DismissDeps,
  by: ActingFor,
  portfolioId: string,
  which: AlertsToReopen,
): Promise<ChangedAlerts> {
  const dismissedAt = 'dismissedAt' in which ? which.dismissedAt : null;
  return changeAlerts(deps, { ...by, at: deps.clock().getTime() }, portfolioId, {
    action: 'portfolio.alerts_reopened',
    which: ({ alertCount }) => ('alertNos' in which ? which : { upTo: alertCount, kind: null }),
    write: (transaction, some) => reopenDismissedAlerts(transaction, portfolioId, some, dismissedAt),
  });
}

interface AlertChange {
  readonly action: AuditAction;
  readonly which: (portfolio: PortfolioRow) => AlertsToDismiss;
  readonly write: (transaction: StoreTransaction, some: SomeAlerts) => Promise<number>;
}

async function changeAlerts(
  { store }: DismissDeps,
  by: Parameters<typeof appendAudit>[1],
  portfolioId: string,
  { action, which, write }: AlertChange,
): Promise<ChangedAlerts> {
  const before = await rowOf({ store }, by.accountId, portfolioId);
  let changed = 0;
  for (const some of stepsOf(which(before), before)) {
    const alerts = await inTransaction(store, async (transaction) => {
      const written = await write(transaction, some);
      if (written > 0) await appendAudit(transaction, by, action, portfolioId, { alerts: written });
      return written;
    });
    changed += alerts;
    if (alerts > 0) await yieldToWriters(store);
  }
  return { changed, openAlerts: openAlertsOf(await rowOf({ store }, by.accountId, portfolioId)) };
}

/** Alerts per transaction: about 35 ms of SQLite. All of 300,000 took two seconds, in which nothing else was written. */
const ALERTS_AT_ONCE = 5000;

/** Alerts are numbered from 1 without gaps, and deleted only with their portfolio. */
function stepsOf(which: AlertsToDismiss, { alertCount }: PortfolioRow): readonly SomeAlerts[] {
  const newest = 'upTo' in which ? which.upTo : Math.max(...which.alertNos);
  if (newest > alertCount) {
    throw new PlumblineError(
      'not_found',
      `This portfolio has no alert ${newest}: its newest is ${alertCount}. Nothing was changed.`,
    );
  }
  if ('alertNos' in which) return [which];
  return Array.from({ length: Math.ceil(newest / ALERTS_AT_ONCE) }, (_, i) => ({
    first: i * ALERTS_AT_ONCE + 1,
    last: Math.min((i + 1) * ALERTS_AT_ONCE, newest),
    kind: which.kind,
  }));
}
