import { useState } from 'preact/hooks';
import { readMonths, readUsage, type MonthUsage, type Usage } from '../../api/account.ts';
import { useRequest } from '../../api/use-request.ts';
import { WhenLoaded, EmptyState, Progress } from '../../parts/basics.tsx';
import { SelectField } from '../../parts/field.tsx';
import {
  formatCount,
  formatDay,
  formatMany,
  formatBytes,
  formatMonth,
  formatPercent,
} from '../../parts/format.ts';
import { Figures, Page, Section } from '../../parts/page.tsx';
import { PlotFigure } from '../../parts/plot.tsx';
import { numberColumn, Table, type Column } from '../../parts/table.tsx';
import { DaysAndKeys } from './days-and-keys.tsx';
import { monthsBefore, periodOf, stackedMonths } from './months.ts';

const MONTHS_SHOWN = 12;

export default function UsagePage() {
  const periods = monthsBefore(periodOf(new Date()), MONTHS_SHOWN);
  const [period, setPeriod] = useState(periods[0] ?? '');
  const usage = useRequest((signal) => readUsage(period, signal), [period]);
  const months = useRequest(readMonths, []);
  return (
    <Page
      title="Usage"
      lead="Credits charged to your account, by programs and this console. Rejected requests and dry runs cost nothing."
      actions={
        <SelectField
          label="Month (UTC)"
          value={period}
          choices={periods.map((each) => ({ value: each, label: formatMonth(each) }))}
          onInput={setPeriod}
        />
      }
    >
      <WhenLoaded of={usage} waiting={`Loading the usage of ${formatMonth(period)}`}>
        {(response) => <Month usage={response} />}
      </WhenLoaded>
      <DaysAndKeys period={period} />
      <Section title="Last 12 months">
        <WhenLoaded of={months} waiting="Loading earlier months">
          {(rows) => <Months rows={rows} periods={periods} />}
        </WhenLoaded>
      </Section>
    </Page>
  );
}

function Month({ usage }: { readonly usage: Usage }) {
  const { credits_used: used, credits_limit: limit, credits_remaining: left, requests, resets_at } = usage;
  const { stored_bytes: stored, stored_bytes_limit: room } = usage;
  return (
    <>
      <Figures
        figures={[
          { label: 'Credits used', value: formatCount(used), note: `in ${formatMonth(usage.period)}` },
          {
            label: 'Credits left',
            value: left === null ? 'no limit' : formatCount(left),
            note: limit === null ? `plan ${usage.plan}` : `of ${formatCount(limit)} on plan ${usage.plan}`,
          },
          { label: 'Requests charged', value: formatCount(requests) },
          { label: 'Resets on', value: formatDay(resets_at), note: 'at 00:00 UTC' },
          {
            label: 'Stored',
            value: formatBytes(stored),
            note: `${room === null ? '' : `of ${formatBytes(room)} of `}valuations and batches`,
          },
        ]}
      />
      {limit !== null && left !== null && (
        <Progress
          label={`${formatPercent(limit === 0 ? 1 : (limit - left) / limit, 0)} of this month’s credits used or reserved`}
          value={limit - left}
          max={Math.max(limit, 1)}
        />
      )}
      <Section title="By operation">
        {usage.operations.length === 0 ? (
          <EmptyState title={`No charges in ${formatMonth(usage.period)}`}>
            <p>Charges appear here immediately.</p>
          </EmptyState>
        ) : (
          <Table
            caption={`Usage by operation in ${formatMonth(usage.period)}`}
            columns={OPERATION_COLUMNS}
            rows={usage.operations}
            keyOf={({ operation }) => operation}
            sorting={{ column: 'Credits', isDescending: true }}
          />
        )}
      </Section>
    </>
  );
}

type Charged = Pick<MonthUsage, 'operation' | 'requests' | 'credits_used'>;

const OPERATION_COLUMNS: readonly Column<Charged>[] = [
  {
    label: 'Operation',
    isRowHeader: true,
    sortBy: ({ operation }) => operation,
    cell: ({ operation }) => <code>{operation}</code>,
  },
  numberColumn('Requests', ({ requests }) => requests),
  numberColumn('Credits', ({ credits_used }) => credits_used),
];

function Months(props: { readonly rows: readonly MonthUsage[]; readonly periods: readonly string[] }) {
  const { rows, periods } = props;
  if (rows.length === 0) return <EmptyState title="No charges in the last 12 months" />;
  const stacked = stackedMonths(rows, [...periods].reverse());
  const operations = [...new Set(stacked.map(({ operation }) => operation))];
  return (
    <PlotFigure
      label="Credits charged each month, by operation"
      inputs={[rows]}
      plot={(Plot, width) => ({
        height: 260,
        marginLeft: 56,
        x: {
          label: null,
          domain: [...periods].reverse(),
          tickFormat: (period: string) => tick(period, width),
        },
        y: { label: 'credits', grid: true, tickFormat: (value: number) => formatCount(value) },
        color: { domain: operations, range: colors(operations.length), legend: false },
        marks: [
          Plot.ruleY([0]),
          Plot.barY(stacked, {
            x: 'period',
            y: 'credits_used',
            fill: 'operation',
            title: ({ operation, period, credits_used, requests }: MonthUsage) =>
              `${operation}, ${formatMonth(period)}: ${formatMany(credits_used, 'credit')}, ${formatMany(requests, 'request')}`,
          }),
        ],
      })}
      legend={operations.map((label, i) => ({ label, color: colors(operations.length)[i] ?? '' }))}
      table={() => (
        <Table
          caption="Credits charged each month, by operation"
          columns={MONTH_COLUMNS}
          rows={rows}
          keyOf={({ period, operation }) => `${period} ${operation}`}
          sorting={{ column: 'Month', isDescending: true }}
        />
      )}
    />
  );
}

const MONTH_COLUMNS: readonly Column<MonthUsage>[] = [
  {
    label: 'Month',
    isRowHeader: true,
    sortBy: ({ period }) => period,
    cell: ({ period }) => formatMonth(period),
  },
  ...OPERATION_COLUMNS,
];

/** On a phone there is room only for the first letter of the month. */
function tick(period: string, width: number): string {
  const text = formatMonth(period);
  return width < 480 ? text.slice(0, 1) : width < 800 ? text.slice(0, 3) : text;
}

/** As many colors as operations are charged (src/accounts/scopes.ts). */
const COLORS = 8;

function colors(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `var(--series-${(i % COLORS) + 1})`);
}
