import './markets.css';
import { useRoute } from 'preact-iso/router';
import { listMarkets, type MarketSummary } from '../../api/markets.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Answered } from '../../parts/answered.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { formatCount, formatDay, formatPercent } from '../../parts/format.ts';
import { Badge, EmptyState } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { MarketPage } from './market-page.tsx';
import { useFresh } from './use-fresh.ts';
import { importCommand, workSummary } from './words.ts';

export default function MarketsPage() {
  const { params } = useRoute();
  const id = params.id;
  return id ? <MarketPage key={id} id={id} /> : <MarketList />;
}

function MarketList() {
  const markets = useAnswer(listMarkets, []);
  useFresh(
    markets,
    (markets.answer ?? []).some(({ work }) => work.some(({ state }) => state !== 'lost')),
  );
  return (
    <Page
      title="Markets"
      isWide
      lead="What is loaded, how good the values are that come of it, and what is being done to it now."
    >
      <Answered asked={markets} waiting="Reading the markets">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="No market is loaded yet.">
              <p>A market begins with its sales. On the machine that Plumbline runs on:</p>
              <CodeBlock text={importCommand('sales', 'wi-milwaukee')} what="the command" />
              <p>
                <a href="/docs/operations/load-a-county">Loading a county from public sources</a> tells where
                the files come from.
              </p>
            </EmptyState>
          ) : (
            <Table caption="Markets" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
          )
        }
      </Answered>
    </Page>
  );
}

const rowsOf = ({ loaded }: MarketSummary, kind: string): number | null =>
  loaded.find((each) => each.kind === kind)?.rows ?? null;

function lastOf(types: MarketSummary['sale_types']): string | null {
  return types.reduce<string | null>((last, { last_on }) => (last && last > last_on ? last : last_on), null);
}

const accuracyOf = ({ models }: MarketSummary, kind: string) =>
  models.find((each) => each.kind === kind)?.accuracy ?? null;

const COLUMNS: readonly Column<MarketSummary>[] = [
  {
    name: 'market',
    label: 'Market',
    isRowHeader: true,
    sortBy: ({ id }) => id,
    cell: ({ id }) => (
      <a class="nowrap" href={`/console/markets/${id}`}>
        {id}
      </a>
    ),
  },
  {
    name: 'state',
    label: 'Now',
    cell: (row) => <State market={row} />,
  },
  {
    name: 'sales',
    label: 'Sales',
    isNumber: true,
    sortBy: (row) => rowsOf(row, 'sales'),
    cell: (row) => formatCount(rowsOf(row, 'sales')),
  },
  {
    name: 'last-sale',
    label: 'Last sale',
    sortBy: ({ sale_types }) => lastOf(sale_types),
    cell: ({ sale_types }) => <span class="nowrap">{formatDay(lastOf(sale_types))}</span>,
  },
  {
    name: 'mdape',
    label: 'Median error',
    isNumber: true,
    sortBy: (row) => accuracyOf(row, 'property')?.mdape ?? null,
    cell: (row) => formatPercent(accuracyOf(row, 'property')?.mdape),
  },
  {
    name: 'coverage',
    label: 'In the 90% range',
    isNumber: true,
    sortBy: (row) => accuracyOf(row, 'property')?.coverage_90 ?? null,
    cell: (row) => formatPercent(accuracyOf(row, 'property')?.coverage_90),
  },
  {
    name: 'rents',
    label: 'Rents',
    isNumber: true,
    sortBy: (row) => rowsOf(row, 'rents'),
    cell: (row) => formatCount(rowsOf(row, 'rents')),
  },
  {
    name: 'rent-error',
    label: 'Error of rents',
    isNumber: true,
    sortBy: (row) => accuracyOf(row, 'rental')?.mdape ?? null,
    cell: (row) => formatPercent(accuracyOf(row, 'rental')?.mdape),
  },
];

function State({ market }: { readonly market: MarketSummary }) {
  const { work, models } = market;
  const words = workSummary(work);
  if (words) return <Badge kind={work[0]?.state === 'lost' ? 'warn' : 'plain'}>{words}</Badge>;
  return models.length > 0 ? <Badge kind="ok">serves</Badge> : <Badge kind="warn">no model yet</Badge>;
}
