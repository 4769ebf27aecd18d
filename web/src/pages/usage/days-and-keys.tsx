import { readDailyUsage, type DayUsage } from '../../api/account.ts';
import { useRequest } from '../../api/use-request.ts';
import { Button, EmptyState, WhenLoaded } from '../../parts/basics.tsx';
import { formatCount, formatDay, formatMany, formatMonth } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { PlotFigure } from '../../parts/plot.tsx';
import { saveCsv } from '../../parts/save-csv.ts';
import { dateColumn, numberColumn, Table, type Column } from '../../parts/table.tsx';
import { daysOfMonth, payerName, usageByDay, usageByKey, type KeyUsage } from './days.ts';

/** The month's charges by API key and by day. */
export function DaysAndKeys({ period }: { readonly period: string }) {
  const loaded = useRequest((signal) => readDailyUsage(period, signal), [period]);
  return (
    <Section
      title="By API key and day"
      lead="Days in UTC."
      actions={
        loaded.data !== null &&
        loaded.data.length > 0 && (
          <Button isSmall onClick={() => saveCsv(`usage-${period}.csv`, loaded.data ?? [])}>
            Download CSV
          </Button>
        )
      }
    >
      <WhenLoaded of={loaded} waiting="Loading the days">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={`No charges in ${formatMonth(period)}`} />
          ) : (
            <div class="stack">
              <Table
                caption={`Usage by API key in ${formatMonth(period)}`}
                columns={KEY_COLUMNS}
                rows={usageByKey(rows)}
                keyOf={({ id }) => id ?? ''}
                sorting={{ column: 'Credits', isDescending: true }}
              />
              <Days rows={rows} period={period} />
            </div>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

const KEY_COLUMNS: readonly Column<KeyUsage>[] = [
  {
    label: 'API key or user',
    isRowHeader: true,
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => (
      <>
        {name} {id && !id.startsWith('user:') && <code class="small">{id}</code>}
      </>
    ),
  },
  numberColumn('Requests', ({ requests }) => requests),
  numberColumn('Credits', ({ credits }) => credits),
  dateColumn('Last charged', ({ lastOn }) => lastOn, formatDay),
];

function Days({ rows, period }: { readonly rows: readonly DayUsage[]; readonly period: string }) {
  const days = usageByDay(rows, daysOfMonth(period));
  return (
    <PlotFigure
      label={`Credits charged each day of ${formatMonth(period)}`}
      inputs={[rows]}
      plot={(Plot, width) => ({
        height: 200,
        marginLeft: 56,
        x: {
          label: null,
          // Text that looks like dates is otherwise reported as a mistake.
          type: 'band',
          tickFormat: (date: string) => {
            const day = Number(date.slice(8));
            return width >= 800 || day % 5 === 0 ? String(day) : '';
          },
        },
        y: { label: 'credits', grid: true, tickFormat: (value: number) => formatCount(value) },
        marks: [
          Plot.ruleY([0]),
          Plot.barY(days, {
            x: 'date',
            y: 'credits',
            fill: 'var(--series-1)',
            title: ({ date, credits, requests }: (typeof days)[number]) =>
              `${formatDay(date)}: ${formatMany(credits, 'credit')}, ${formatMany(requests, 'request')}`,
          }),
        ],
      })}
      table={() => (
        <Table
          caption="Usage by day, API key and operation"
          columns={DAY_COLUMNS}
          rows={rows}
          keyOf={({ date, key_id, operation }) => `${date} ${key_id} ${operation}`}
          sorting={{ column: 'Day', isDescending: true }}
        />
      )}
    />
  );
}

const DAY_COLUMNS: readonly Column<DayUsage>[] = [
  { ...dateColumn('Day', ({ date }: DayUsage) => date, formatDay), isRowHeader: true },
  {
    label: 'API key or user',
    sortBy: ({ key_name }) => key_name,
    cell: ({ key_id, key_name }) => payerName(key_id, key_name),
  },
  {
    label: 'Operation',
    sortBy: ({ operation }) => operation,
    cell: ({ operation }) => <code>{operation}</code>,
  },
  numberColumn('Requests', ({ requests }) => requests),
  numberColumn('Credits', ({ credits_used }) => credits_used),
];
