import { listAlerts, type Alert } from '../../api/portfolios.ts';
import { EmptyState } from '../../parts/basics.tsx';
import {
  formatChangePct,
  formatChangeUsd,
  formatDay,
  formatMany,
  formatPct,
  formatUsd,
} from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { ShowMore, useList } from '../../parts/row-pages.tsx';
import { numberColumn, Table, type Column } from '../../parts/table.tsx';
import { HOME } from './home-column.tsx';

/** The alerts of a portfolio, newest first; read again after each run. */
export function AlertList({ id, compared }: { readonly id: string; readonly compared: number }) {
  const alerts = useList<Alert>(
    async (cursor, signal) => {
      const { alerts: rows, next_cursor } = await listAlerts(id, { cursor }, signal);
      return { rows, next_cursor };
    },
    [id, compared],
  );
  const isEmpty = alerts.rows.length === 0 && !alerts.isLoading && !alerts.problem;
  return (
    <Section
      title="Alerts"
      lead={
        alerts.rows.some(({ causes }) => causes !== null) &&
        'Market: the price index at the home, now against the run before. Comparables: what else newer sales change. Facts: newer details of the home. Model: another model. The causes add up to the change.'
      }
    >
      {alerts.rows.length > 0 && (
        <Table
          caption="Alerts"
          columns={columnsOf(alerts.rows)}
          rows={alerts.rows}
          keyOf={({ alert }) => alert}
        />
      )}
      {isEmpty && (
        <EmptyState title="No alerts yet">
          <p>After each run, changes that the rules of the portfolio name are listed here.</p>
        </EmptyState>
      )}
      <ShowMore list={alerts} waiting="Loading the alerts" />
    </Section>
  );
}

function whatHappened({ kind, previous_low: low, previous_high: high, ltv_pct: ltv, ...alert }: Alert) {
  switch (kind) {
    case 'value_changed':
      return `Value changed by ${formatChangePct(alert.change_pct)}`;
    case 'outside_range':
      return `Value outside ${formatUsd(low)} – ${formatUsd(high)}`;
    case 'ltv_above':
      return `Loans are ${formatPct(ltv)} of the value`;
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
