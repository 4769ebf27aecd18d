import type { KeptBacktest, ModelStudy } from '../../api/markets.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { formatCount, formatDay, formatPercent, UNKNOWN } from '../../parts/format.ts';
import { EmptyState } from '../../parts/notice.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { evidenceOf, percentWithInterval } from './words.ts';

type Row = KeptBacktest['rows'][number];

/** What a value must beat, where a backtest that is still kept has measured both on the same sales. */
export function Beaten(props: {
  readonly backtest: KeptBacktest | null;
  readonly kind: ModelStudy['kind'];
  readonly market: string;
}) {
  const { backtest, kind, market } = props;
  if (!backtest) {
    return (
      <EmptyState title="Beside simpler ways">
        <p>
          A backtest that is left to the queue values past {evidenceOf(kind).many} by the model and by simpler
          ways, such as the median of the nearest ten. Its report is shown here for 30 days.
        </p>
        <CodeBlock
          text={`plumbline backtest --market ${market}${kind === 'property' ? '' : ` --kind ${kind}`} --queue`}
          what="the command for a backtest"
        />
      </EmptyState>
    );
  }
  return (
    <div class="stack">
      <h3>Beside simpler ways</h3>
      <p class="quiet small">
        A backtest of {formatDay(backtest.finished_at)} on {formatCount(backtest.tested)}{' '}
        {evidenceOf(kind).many} of {formatDay(backtest.from)} to {formatDay(backtest.to)}: {backtest.protocol}
      </p>
      <Table
        caption="The model beside simpler ways"
        columns={COLUMNS}
        rows={backtest.rows}
        keyOf={({ name }) => name}
      />
    </div>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'name',
    label: 'Way',
    isRowHeader: true,
    cell: ({ name }) => (name === 'plumbline' ? 'Plumbline' : name.replaceAll('_', ' ')),
  },
  { name: 'n', label: 'Valued', isNumber: true, cell: ({ n }) => formatCount(n) },
  {
    name: 'mdape',
    label: 'Median error',
    isNumber: true,
    sortBy: ({ mdape }) => mdape,
    cell: ({ mdape, mdape_ci95 }) =>
      mdape === null ? UNKNOWN : percentWithInterval({ figure: mdape, ci95: mdape_ci95 }),
  },
  {
    name: 'ppe10',
    label: 'Within 10%',
    isNumber: true,
    sortBy: ({ ppe10 }) => ppe10,
    cell: ({ ppe10 }) => formatPercent(ppe10),
  },
  {
    name: 'ratio',
    label: 'Median ratio',
    isNumber: true,
    cell: ({ median_ratio }) => median_ratio?.toFixed(3) ?? UNKNOWN,
  },
  {
    name: 'coverage',
    label: 'In the 90% range',
    isNumber: true,
    cell: ({ coverage_90 }) => formatPercent(coverage_90),
  },
];
