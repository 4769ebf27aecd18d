import { ALERT_KINDS, type AlertKind, type AlertStatus } from '../../../../src/domain/portfolio.ts';
import type { Alert } from '../../api/portfolios.ts';
import { Button, EmptyState, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { Segments, SelectField } from '../../parts/field.tsx';
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
import { ShowMore } from '../../parts/row-pages.tsx';
import { actionsColumn, numberColumn, Table, type Column } from '../../parts/table.tsx';
import { HOME } from './home-column.tsx';
import { nameInButton, useAlerts } from './use-alerts.ts';

/** The alerts of a portfolio, newest first. */
export function AlertList(props: Parameters<typeof useAlerts>[0]) {
  const { alert_count: count, open_alerts: open } = props.portfolio;
  const alerts = useAlerts(props);
  const { list, status, kind, dismissal } = alerts;
  const isEmpty = list.rows.length === 0 && list.nextCursor === null && !list.isLoading && !list.problem;
  return (
    <Section
      title="Alerts"
      lead={
        list.rows.some(({ causes }) => causes !== null) &&
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
              onChange={alerts.setStatus}
            />
            {status === 'open' && list.rows.length > (kind === '' && open > 1 ? 0 : 1) && (
              <Button isSmall isDisabled={alerts.isBusy || list.isLoading} onClick={alerts.dismissAll}>
                {kind === '' ? `Dismiss all ${formatCount(open)}` : 'Dismiss all of this kind'}
              </Button>
            )}
          </>
        )
      }
    >
      {count > 0 && (
        <div class="row filters">
          <SelectField
            label="Kind"
            value={kind}
            choices={[{ value: '', label: 'any' }, ...KINDS]}
            onInput={(value) => alerts.setKind(ALERT_KINDS.find((each) => each === value) ?? '')}
          />
        </div>
      )}
      {dismissal && (
        <Notice kind="ok">
          <p>
            {formatMany(dismissal.count, 'alert')} dismissed.{' '}
            <button
              type="button"
              class="link"
              disabled={alerts.isBusy}
              onClick={() => alerts.undo(dismissal)}
            >
              Undo
            </button>
          </p>
        </Notice>
      )}
      {alerts.problem && <ProblemNotice problem={alerts.problem} />}
      {list.rows.length > 0 && (
        <Table
          caption="Alerts"
          columns={[
            ...columnsOf(list.rows),
            ...(status === 'open' ? [] : [DISMISSED]),
            actionsColumn((alert: Alert) => (
              <RowAction
                alert={alert}
                isDisabled={alerts.isBusy}
                onClick={() => alerts.dismissOrReopen(alert)}
              />
            )),
          ]}
          rows={list.rows}
          keyOf={({ alert }) => alert}
        />
      )}
      {isEmpty && <NoAlerts status={status} isOfKind={kind !== ''} isNew={count === 0} />}
      <ShowMore list={list} waiting="Loading the alerts" />
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

const KIND_WORDS: Readonly<Record<AlertKind, string>> = {
  value_changed: 'Value changed',
  outside_range: 'Outside the range before',
  ltv_above: 'Loans above the limit',
  sold_nearby: 'New sales nearby',
  no_longer_valued: 'No value',
};
const KINDS = ALERT_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }));

function NoAlerts(props: {
  readonly status: AlertStatus;
  readonly isOfKind: boolean;
  readonly isNew: boolean;
}) {
  const { status, isOfKind, isNew } = props;
  if (!isNew) {
    const state = status === 'all' ? '' : `${status} `;
    return <EmptyState title={`No ${state}alerts${isOfKind ? ' of this kind' : ''}`} />;
  }
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

/** Alerts of the first values have nothing before them, so that the columns of changes would be empty. Causes of no change are left out. */
function columnsOf(alerts: readonly Alert[]): readonly Column<Alert>[] {
  if (alerts.every(({ change }) => change === null)) return COLUMNS.filter(({ label }) => FIRST.has(label));
  const shown = CAUSES.filter((cause) => alerts.some(({ causes }) => causes?.[cause.of]));
  return [
    ...COLUMNS,
    ...shown.map(({ of, label }) =>
      numberColumn<Alert>(label, ({ causes }) => causes?.[of], formatChangeUsd),
    ),
  ];
}

const CAUSES = [
  { of: 'market', label: 'Market' },
  { of: 'comparables', label: 'Comparables' },
  { of: 'facts', label: 'Facts' },
  { of: 'model', label: 'Model' },
] as const;

const FIRST = new Set(['Home', 'Run', 'Alert', 'Now']);

const COLUMNS: readonly Column<Alert>[] = [
  HOME,
  { label: 'Run', isNumber: true, cell: ({ run }) => (run === 0 ? 'first values' : run) },
  { label: 'Alert', isText: true, cell: whatHappened },
  numberColumn('Before', ({ previous_value: before }) => before, formatUsd),
  numberColumn('Now', ({ value }) => value, formatUsd),
  numberColumn('Change', ({ change }) => change, formatChangeUsd),
];
