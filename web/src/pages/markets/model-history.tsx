import type { Market, MarketModel } from '../../api/markets.ts';
import { formatCount, formatDay, formatMoment, formatPercent } from '../../parts/format.ts';
import { Badge, EmptyState } from '../../parts/notice.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { MODEL_NAMES } from './words.ts';

/** Every model of the market, newest first. */
export function ModelHistory({ market }: { readonly market: Market }) {
  if (market.history.length === 0) return <EmptyState title="No model was trained yet." />;
  return <Table caption="Models" columns={COLUMNS} rows={market.history} keyOf={({ id }) => id} />;
}

const overall = ({ accuracy }: MarketModel) => accuracy.find(({ stratum }) => stratum === 'all') ?? null;

const COLUMNS: readonly Column<MarketModel>[] = [
  {
    name: 'kind',
    label: 'Values',
    isRowHeader: true,
    sortBy: ({ kind }) => kind,
    cell: ({ id, kind, is_in_force }) => (
      <>
        {MODEL_NAMES[kind]} {is_in_force && <Badge kind="ok">answers today</Badge>}
        <code class="small second-line">{id}</code>
      </>
    ),
  },
  {
    name: 'trained',
    label: 'Trained on',
    sortBy: ({ trained_on }) => trained_on,
    cell: ({ trained_on }) => <span class="nowrap">{formatDay(trained_on)}</span>,
  },
  { name: 'made', label: 'Made', cell: ({ made_at }) => <span class="nowrap">{formatMoment(made_at)}</span> },
  {
    name: 'mdape',
    label: 'Median error',
    isNumber: true,
    sortBy: (model) => overall(model)?.mdape ?? null,
    cell: (model) => formatPercent(overall(model)?.mdape),
  },
  {
    name: 'coverage',
    label: 'In the 90% range',
    isNumber: true,
    sortBy: (model) => overall(model)?.coverage_90 ?? null,
    cell: (model) => formatPercent(overall(model)?.coverage_90),
  },
  {
    name: 'n',
    label: 'Measured on',
    isNumber: true,
    sortBy: (model) => overall(model)?.n ?? null,
    cell: (model) => {
      const [from, to] = overall(model)?.window.split('/') ?? [];
      return (
        <>
          {formatCount(overall(model)?.n)}
          {from && to && (
            <span class="quiet small nowrap second-line">{`${formatDay(from)} – ${formatDay(to)}`}</span>
          )}
        </>
      );
    },
  },
];
