import { PlumblineError } from '../errors.ts';
import { appendAudit, type ActingFor, type AuditAction } from '../store/audit-log.ts';
import {
  dismissOpenAlerts,
  reopenDismissedAlerts,
  type AlertsToDismiss,
  type AlertsToReopen,
} from '../store/portfolio-alerts.ts';
import type { PortfolioRow } from '../store/portfolios.ts';
import type { StoreTransaction } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import { openAlertsOf, rowOf } from './portfolios.ts';
import type { SubmitDeps } from './submit-batch.ts';

type DismissDeps = Pick<SubmitDeps, 'store' | 'clock'>;

/** What a dismissal, or taking one back, has changed. */
export interface ChangedAlerts {
  /** Alerts that were not in this state before. */
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
  const dismissedAt = deps.clock().getTime();
  const dismissal = { dismissedAt, dismissedBy: by.actor.name };
  const done = await change(deps, { ...by, at: dismissedAt }, portfolioId, {
    action: 'portfolio.alerts_dismissed',
    numbers: 'upTo' in which ? [which.upTo] : which.alertNos,
    write: (transaction) => dismissOpenAlerts(transaction, portfolioId, which, dismissal),
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
  return change(deps, { ...by, at: deps.clock().getTime() }, portfolioId, {
    action: 'portfolio.alerts_reopened',
    numbers: 'alertNos' in which ? which.alertNos : [],
    write: (transaction) => reopenDismissedAlerts(transaction, portfolioId, which),
  });
}

async function change(
  { store }: DismissDeps,
  by: Parameters<typeof appendAudit>[1],
  portfolioId: string,
  {
    action,
    numbers,
    write,
  }: {
    readonly action: AuditAction;
    readonly numbers: readonly number[];
    readonly write: (transaction: StoreTransaction) => Promise<number>;
  },
): Promise<ChangedAlerts> {
  rejectUnknown(await rowOf({ store }, by.accountId, portfolioId), numbers);
  const changed = await inTransaction(store, async (transaction) => {
    const alerts = await write(transaction);
    if (alerts > 0) await appendAudit(transaction, by, action, portfolioId, { alerts });
    return alerts;
  });
  return { changed, openAlerts: openAlertsOf(await rowOf({ store }, by.accountId, portfolioId)) };
}

/** Alerts are numbered from 1 without gaps, and deleted only with their portfolio. */
function rejectUnknown({ alertCount }: PortfolioRow, numbers: readonly number[]): void {
  const unknown = numbers.find((alertNo) => alertNo > alertCount);
  if (unknown === undefined) return;
  throw new PlumblineError(
    'not_found',
    `This portfolio has no alert ${unknown}: its newest is ${alertCount}. Nothing was changed.`,
  );
}
