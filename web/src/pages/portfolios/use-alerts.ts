import { useState } from 'preact/hooks';
import type { AlertKind, AlertStatus } from '../../../../src/domain/portfolio.ts';
import {
  dismissAlerts,
  listAlerts,
  reopenAlerts,
  type Alert,
  type WatchedPortfolio,
} from '../../api/portfolios.ts';
import { useAction } from '../../api/use-request.ts';
import { useList } from '../../parts/row-pages.tsx';
import { useNextFocus } from './use-next-focus.ts';

/** What was dismissed last, and what takes it back. */
interface Dismissal {
  readonly count: number;
  readonly dismissedAt: string;
  /** Null if several were. */
  readonly alertNo: number | null;
}

/**
 * The alerts of a portfolio with a status and of one kind or any, newest first, read again after each run, and the actions that dismiss and
 * reopen them.
 */
export function useAlerts({
  portfolio: { portfolio_id: id },
  compared,
  onChanged,
}: {
  readonly portfolio: WatchedPortfolio;
  /** The newest run that was compared. */
  readonly compared: number;
  /** Dismissed alerts change the counts of the portfolio. */
  readonly onChanged: () => void;
}) {
  const [status, setStatus] = useState<AlertStatus>('open');
  /** Empty for any. */
  const [kind, setKind] = useState<AlertKind | ''>('');
  const [dismissal, setDismissal] = useState<Dismissal | null>(null);
  const list = useList<Alert>(
    async (cursor, signal) => {
      const query = { kind: kind || null, status, cursor };
      const { alerts: rows, next_cursor } = await listAlerts(id, query, signal);
      return { rows, next_cursor };
    },
    [id, compared, status, kind],
  );
  const changing = useAction(async (change: () => Promise<unknown>) => {
    await change();
    onChanged();
  });
  const keepFocus = useNextFocus(!changing.isBusy && !list.isLoading);
  const change = (act: () => Promise<void>, alertNo: number | null): void => {
    keepFocus(alertNo === null ? null : nameInButton(alertNo));
    void changing.run(act);
  };
  /** An alert that somebody else dismissed before stays so after Undo. */
  const dismiss = async (which: Parameters<typeof dismissAlerts>[1]): Promise<void> => {
    const { dismissed, dismissed_at: at } = await dismissAlerts(id, which);
    const alertNo = which.alerts?.[0] ?? null;
    setDismissal(at === null ? null : { count: dismissed, dismissedAt: at, alertNo });
  };
  const newest = list.rows[0]?.alert;
  const dismissAll = async (): Promise<void> => {
    await dismiss({ up_to: newest, kind: kind || null });
    list.reload();
  };
  const undo = async ({ dismissedAt }: Dismissal): Promise<void> => {
    await reopenAlerts(id, { dismissed_at: dismissedAt });
    setDismissal(null);
    list.reload();
  };
  const dismissOrReopen = async (alert: Alert): Promise<void> => {
    const one = { alerts: [alert.alert] };
    if (alert.dismissed_at === null) await dismiss(one);
    else {
      await reopenAlerts(id, one);
      setDismissal(null);
    }
    // The other rows stay where they are, so that one can go on to the next.
    if (status === 'all') list.reload();
    else list.drop(alert);
  };
  return {
    list,
    status,
    setStatus,
    kind,
    setKind,
    dismissal,
    isBusy: changing.isBusy,
    problem: changing.problem,
    dismissAll: () => change(dismissAll, null),
    undo: (last: Dismissal) => change(() => undo(last), last.alertNo),
    dismissOrReopen: (alert: Alert) => change(() => dismissOrReopen(alert), alert.alert),
  };
}

/** What the button of an alert has in its name, also when the alert is dismissed or open. */
export function nameInButton(alertNo: number): string {
  return ` alert ${alertNo} of `;
}
