import { useRoute } from 'preact-iso/router';
import { listPortfolios, pathOfPortfolio, type PortfolioSummary } from '../../api/portfolios.ts';
import { useRequest } from '../../api/use-request.ts';
import { Badge, EmptyState, WhenLoaded } from '../../parts/basics.tsx';
import { formatCount, formatMoment } from '../../parts/format.ts';
import { Page } from '../../parts/page.tsx';
import { dateColumn, numberColumn, Table, type Column } from '../../parts/table.tsx';
import { PortfolioPage } from './portfolio-page.tsx';

/** `/portfolios`, `/portfolios/{id}`. */
export default function PortfoliosPage() {
  const { id } = useRoute().params;
  return id ? <PortfolioPage key={id} id={id} /> : <ListPage />;
}

function ListPage() {
  const portfolios = useRequest(listPortfolios, []);
  return (
    <Page
      title="Portfolios"
      lead="Homes that are valued again when newer data or models arrive, with alerts about what changed."
    >
      <WhenLoaded of={portfolios} waiting="Loading the portfolios">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="No portfolio yet">
              <p>
                Value a file under <a href="/console/batches/new">Batches</a>, then press Watch on its page.
              </p>
            </EmptyState>
          ) : (
            <Table caption="Portfolios" columns={COLUMNS} rows={rows} keyOf={({ portfolio_id: id }) => id} />
          )
        }
      </WhenLoaded>
    </Page>
  );
}

const COLUMNS: readonly Column<PortfolioSummary>[] = [
  {
    label: 'Name',
    isRowHeader: true,
    isText: true,
    sortBy: ({ name }) => name,
    cell: ({ portfolio_id: id, name, problem }) => (
      <>
        <a href={pathOfPortfolio(id)}>{name}</a> {problem && <Badge kind="error">not valued</Badge>}
      </>
    ),
  },
  numberColumn('Homes', ({ properties }) => properties),
  numberColumn('Runs', ({ run_count: count }) => count),
  {
    ...numberColumn('Open alerts', ({ open_alerts: open }: PortfolioSummary) => open),
    cell: ({ open_alerts: open }) => (open > 0 ? <Badge kind="warn">{formatCount(open)}</Badge> : 0),
  },
  numberColumn('All alerts', ({ alert_count: count }) => count),
  dateColumn('Created', ({ created_at: at }) => at, formatMoment),
];
