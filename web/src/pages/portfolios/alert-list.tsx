import { useState } from 'preact/hooks';
import {
  dismissAlerts,
  listAlerts,
  reopenAlerts,
  type Alert,
  type WatchedPortfolio,
} from '../../api/portfolios.ts';
import { useAction } from '../../api/use-request.ts';
import type { AlertStatus } from '../../../../src/domain/portfolio.ts';
import { Button, EmptyState, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { Segments } from '../../parts/field.tsx';
import {
  formatChangePct,
  formatChangeUsd,
  formatCount,
  formatDay,
  formatMany,
  formatMoment,
  formatPct,
  formatUsd,
} from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { ShowMore, useList } from '../../parts/row-pages.tsx';
import { actionsColumn, numberColumn, Table, type Column } from '../../parts/table.tsx';
import { HOME } from './home-column.tsx';
import { useNextFocus } from './use-next-focus.ts';

/** What was dismissed last, and what takes it back. */
interface Dismissal {
  readonly count: number;
  readonly dismissedAt: string;
  /** Null if several were. */
  readonly alertNo: number | null;
}

/** The alerts of a portfolio, newest first; read again after each run. */
export function AlertList(props: {
  readonly portfolio: WatchedPortfolio;
  /** The newest run that was compared. */
  readonly compared: number;
  /** Dismissed alerts change the counts of the portfolio. */
  readonly onChanged: () => void;
}) {
  const { portfolio, compared, onChanged } = props;
  const { portfolio_id: id, alert_count: count, open_alerts: open } = portfolio;
  const [status, setStatus] = useState<AlertStatus>('open');
  const [dismissal, setDismissal] = useState<Dismissal | null>(null);
  const alerts = useList<Alert>(
    async (cursor, signal) => {
      const { alerts: rows, next_cursor } = await listAlerts(id, { status, cursor }, signal);
      return { rows, next_cursor };
    },
    [id, compared, status],
  );
  const newest = alerts.rows[0]?.alert;
  const changing = useAction(async (change: () => Promise<unknown>) => {
    await change();
    onChanged();
  });
  const keepFocus = useNextFocus(!changing.isBusy && !alerts.isLoading);
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
  const dismissAll = async (): Promise<void> => {
    await dismiss({ up_to: newest });
    alerts.reload();
  };
  const undo = async ({ dismissedAt }: Dismissal): Promise<void> => {
    await reopenAlerts(id, { dismissed_at: dismissedAt });
    setDismissal(null);
    alerts.reload();
  };
  const dismissOrReopen = async (alert: Alert): Promise<void> => {
    const one = { alerts: [alert.alert] };
    if (alert.dismissed_at === null) await dismiss(one);
    else {
      await reopenAlerts(id, one);
      setDismissal(null);
    }
    // The other rows stay where they are, so that one can go on to the next.
    if (status === 'all') alerts.reload();
    else alerts.drop(alert);
  };
  const isEmpty =
    alerts.rows.length === 0 && alerts.nextCursor === null && !alerts.isLoading && !alerts.problem;
  return (
    <Section
      title="Alerts"
      lead={
        alerts.rows.some(({ causes }) => causes !== null) &&
        'Market: the price index at the home, now against the run before. Comparables: what else newer sales change. Facts: newer details of the home. Model: another model. The causes add up to the change.'
      }
      actions={
        count > 0 && (
          <>
            <Segments
              aria-label="Alerts shown"
              choices={[
                { value: 'open', label: `Open (${formatCount(open)})` },
                { value: 'dismissed', label: `Dismissed (${formatCount(count - open)})` },
                { value: 'all', label: `All (${formatCount(count)})` },
              ]}
              value={status}
              onChange={setStatus}
            />
            {status === 'open' && newest !== undefined && open > 1 && (
              <Button
                isSmall
                isDisabled={changing.isBusy || alerts.isLoading}
                onClick={() => change(dismissAll, null)}
              >
                Dismiss all {formatCount(open)}
              </Button>
            )}
          </>
        )
      }
    >
      {dismissal && (
        <Notice kind="ok">
          <p>
            {formatMany(dismissal.count, 'alert')} dismissed.{' '}
            <button
              type="button"
              class="link"
              disabled={changing.isBusy}
              onClick={() => change(() => undo(dismissal), dismissal.alertNo)}
            >
              Undo
            </button>
          </p>
        </Notice>
      )}
      {changing.problem && <ProblemNotice problem={changing.problem} />}
      {alerts.rows.length > 0 && (
        <Table
          caption="Alerts"
          columns={[
            ...columnsOf(alerts.rows),
            ...(status === 'open' ? [] : [DISMISSED]),
            actionsColumn((alert: Alert) => (
              <RowAction
                alert={alert}
                isDisabled={changing.isBusy}
                onClick={() => change(() => dismissOrReopen(alert), alert.alert)}
              />
            )),
          ]}
          rows={alerts.rows}
          keyOf={({ alert }) => alert}
        />
      )}
      {isEmpty && <NoAlerts status={status} isNew={count === 0} />}
      <ShowMore list={alerts} waiting="Loading the alerts" />
    </Section>
  );
}

function RowAction(props: {
  readonly alert: Alert;
  readonly isDisabled: boolean;
  readonly onClick: () => unknown;
}) {
  const { alert, dismissed_at: at, property_id: name, formatted_address: address } = props.alert;
  const verb = at === null ? 'Dismiss' : 'Reopen';
  return (
    <Button
      isSmall
      isDisabled={props.isDisabled}
      label={`${verb}${nameInButton(alert)}${name ?? address ?? 'home'}`}
      onClick={props.onClick}
    >
      {verb}
    </Button>
  );
}

/** What the button of an alert has in its name, also when the alert is dismissed or open. */
function nameInButton(alertNo: number): string {
  return ` alert ${alertNo} of `;
}

function NoAlerts({ status, isNew }: { readonly status: AlertStatus; readonly isNew: boolean }) {
  if (!isNew) return <EmptyState title={status === 'open' ? 'No open alerts' : 'No dismissed alerts'} />;
  return (
    <EmptyState title="No alerts yet">
      <p>After each run, changes that the rules of the portfolio name are listed here.</p>
    </EmptyState>
  );
}

const DISMISSED: Column<Alert> = {
  label: 'Dismissed',
  cell: ({ dismissed_at: at, dismissed_by: by }) =>
    at && (
      <>
        <span class="nowrap">{formatMoment(at)}</span>
        <div class="quiet small">{by}</div>
      </>
    ),
};

function whatHappened({
  kind,
  previous_low: low,
  previous_high: high,
  ltv_pct: ltv,
  entries,
  ...alert
}: Alert) {
  switch (kind) {
    case 'value_changed':
      return `Value changed by ${formatChangePct(alert.change_pct)}`;
    case 'outside_range':
      return `Value outside ${formatUsd(low)} – ${formatUsd(high)}`;
    case 'ltv_above':
      return `${entries === undefined ? 'Loans' : `Loans of ${entries} entries`} are ${formatPct(ltv)} of the value`;
    case 'no_longer_valued':
      return `No value: ${alert.error ?? ''}`;
    case 'sold_nearby':
      return (
        <>
          {formatMany(alert.sales_count, 'new sale')} nearby
          {alert.sales.slice(0, 3).map((sale) => (
            <span key={sale.comp_id} class="quiet small second-line">
              {formatUsd(sale.sale_price)}, {formatDay(sale.sale_date)},{' '}
              {sale.distance_mi === 0 ? 'this home' : `${sale.distance_mi} mi`}
              {sale.street_address && `, ${sale.street_address}`}
            </span>
          ))}
        </>
      );
  }
}

/** Alerts of the first values have nothing before them, so that the columns of changes would be empty. */
function columnsOf(alerts: readonly Alert[]): readonly Column<Alert>[] {
  return alerts.some(({ change }) => change !== null)
    ? COLUMNS
    : COLUMNS.filter(({ label }) => FIRST.has(label));
}

const FIRST = new Set(['Home', 'Run', 'Alert', 'Now']);

const COLUMNS: readonly Column<Alert>[] = [
  HOME,
  { label: 'Run', isNumber: true, cell: ({ run }) => (run === 0 ? 'first values' : run) },
  { label: 'Alert', isText: true, cell: whatHappened },
  numberColumn('Before', ({ previous_value: before }) => before, formatUsd),
  numberColumn('Now', ({ value }) => value, formatUsd),
  numberColumn('Change', ({ change }) => change, formatChangeUsd),
  numberColumn('Market', ({ causes }) => causes?.market, formatChangeUsd),
  numberColumn('Comparables', ({ causes }) => causes?.comparables, formatChangeUsd),
  numberColumn('Facts', ({ causes }) => causes?.facts, formatChangeUsd),
  numberColumn('Model', ({ causes }) => causes?.model, formatChangeUsd),
];
