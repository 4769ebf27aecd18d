import type { Measured, ModelStudy } from '../../api/markets.ts';
import { PlotFigure } from '../../parts/plot.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { rangeAround, whisker } from './scales.ts';
import { cellColumns } from './studied-types.tsx';
import { evidenceOf } from './words.ts';

type Month = Measured['months'][number];

/** Whether errors are the same from month to month. */
export function MonthPlot({
  measured,
  kind,
}: {
  readonly measured: Measured;
  readonly kind: ModelStudy['kind'];
}) {
  const { months } = measured;
  const { many } = evidenceOf(kind);
  return (
    <PlotFigure
      label={`Median error by month; the larger the dot, the more ${many}.`}
      inputs={[months]}
      plot={(Plot) => ({
        height: 240,
        marginLeft: 44,
        x: {
          label: null,
          type: 'point',
          padding: 0.6,
          tickFormat: (key: string, i: number) => shortMonth(key, i === 0),
        },
        y: {
          label: 'median error',
          domain: rangeAround(
            months.map(({ mdape }) => mdape),
            [0, 0.1],
          ),
          grid: true,
          tickFormat: (share: number) => `${Math.round(share * 100)}%`,
        },
        r: { domain: [0, Math.max(...months.map(({ n }) => n))], range: [1, 9] },
        marks: [
          Plot.ruleX(months, {
            x: 'key',
            ...whisker<Month>(({ mdape }) => mdape),
            stroke: 'var(--series-1)',
            strokeWidth: 2,
          }),
          Plot.dot(months, {
            x: 'key',
            y: ({ mdape }: Month) => mdape.figure,
            r: 'n',
            fill: 'var(--series-1)',
          }),
        ],
      })}
      table={() => (
        <Table
          caption="Errors by month"
          columns={[NAME, ...cellColumns<Month>(kind)]}
          rows={months}
          keyOf={({ key }) => key}
        />
      )}
    />
  );
}

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/** `2019-02` → `Feb`; with its year below where one begins. */
function shortMonth(key: string, isFirst: boolean): string {
  const [year, month] = key.split('-');
  const name = MONTH.format(new Date(`${key}-01T00:00:00Z`));
  return isFirst || month === '01' ? `${name}\n${year}` : name;
}

const NAME: Column<Month> = {
  name: 'month',
  label: 'Month',
  isRowHeader: true,
  cell: ({ key }) => <span class="nowrap">{key}</span>,
};
