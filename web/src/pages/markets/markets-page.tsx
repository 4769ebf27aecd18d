import './markets.css';
import { useRoute } from 'preact-iso/router';
import { marketName } from '../../../../src/domain/market-name.ts';
import { listMarkets, type MarketSummary } from '../../api/markets.ts';
import { usePolled } from '../../api/use-request.ts';
import { WhenLoaded, Badge, EmptyState } from '../../parts/basics.tsx';
import { formatDay, formatPercent } from '../../parts/format.ts';
import { Page } from '../../parts/page.tsx';
import { dateColumn, numberColumn, Table, type Column } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { lastOf, MarketPage, pollMs } from './market-page.tsx';
import { lackNames, rowsOf, workSummary } from './words.ts';

export default function MarketsPage() {
  const { id } = useRoute().params;
  return id ? <MarketPage key={id} id={id} /> : <MarketList />;
}

function MarketList() {
  const { session } = useSession();
  const markets = usePolled(listMarkets, (rows) => pollMs((rows ?? []).flatMap(({ work }) => work)), []);
  return (
    <Page title="Markets" isWide lead="Loaded data, accuracy and running work of each market.">
      <WhenLoaded of={markets} waiting="Loading the markets">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="No market yet">
              <p>
                {session.is_operator ? (
                  <>
                    To create a market, load its parcels, addresses and sales under{' '}
                    <a href="/console/import">Import</a>.
                  </>
                ) : (
                  'An operator of this installation creates markets.'
                )}
              </p>
              <p>
                <a href="/docs/operations/load-a-county">Loading a county from public sources</a> explains
                where to get the files.
              </p>
            </EmptyState>
          ) : (
            <Table
              caption="Markets"
              columns={COLUMNS.filter(
                (column) =>
                  !RENT_COLUMNS.includes(column) || rows.some((row) => rowsOf(row, 'rents') !== null),
              )}
              rows={rows}
              keyOf={({ id }) => id}
            />
          )
        }
      </WhenLoaded>
    </Page>
  );
}

const accuracyOf = ({ models }: MarketSummary, kind: string) =>
  models.find((each) => each.kind === kind)?.accuracy;

/** Left out if no market has rents. */
const RENT_COLUMNS: readonly Column<MarketSummary>[] = [
  numberColumn('Rents', (row) => rowsOf(row, 'rents')),
  numberColumn('Median rent error', (row) => accuracyOf(row, 'rental')?.mdape, formatPercent),
];

const COLUMNS: readonly Column<MarketSummary>[] = [
  {
    label: 'Market',
    isRowHeader: true,
    sortBy: ({ id }) => marketName(id),
    cell: ({ id }) => (
      <>
        <a class="nowrap" href={`/console/markets/${id}`}>
          {marketName(id)}
        </a>
        <code class="small second-line">{id}</code>
      </>
    ),
  },
  { label: 'Status', cell: (row) => <Status market={row} /> },
  numberColumn('Sales', (row) => rowsOf(row, 'sales')),
  dateColumn('Last sale', ({ sale_types }) => lastOf(sale_types), formatDay),
  numberColumn('Median error', (row) => accuracyOf(row, 'property')?.mdape, formatPercent),
  numberColumn('In the 90% range', (row) => accuracyOf(row, 'property')?.coverage_90, formatPercent),
  ...RENT_COLUMNS,
  {
    label: 'Lacks',
    cell: ({ lacks }) => <span class="small">{lackNames(lacks.map(({ code }) => code))}</span>,
  },
];

function Status({ market }: { readonly market: MarketSummary }) {
  const { work, models } = market;
  const words = workSummary(work);
  if (words) return <Badge kind={work[0]?.state === 'lost' ? 'warn' : 'plain'}>{words}</Badge>;
  return models.length > 0 ? <Badge kind="ok">active</Badge> : <Badge kind="warn">no model yet</Badge>;
}
