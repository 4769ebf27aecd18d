import type { Estimate, Measured, ModelStudy } from '../../api/markets.ts';
import { formatPercent } from '../../parts/format.ts';
import { EmptyState } from '../../parts/notice.tsx';
import { PlotFigure } from '../../parts/plot.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { rangeAround, whisker } from './scales.ts';
import { evidenceOf, percentWithInterval } from './words.ts';

interface Claim {
  readonly claimed: number;
  readonly held: Estimate;
}

/** Whether ranges hold what they claim. */
export function CoveragePlot({
  measured,
  kind,
}: {
  readonly measured: Measured;
  readonly kind: ModelStudy['kind'];
}) {
  const { coverage_80, coverage_90, coverage_95 } = measured.overall;
  const { many, price } = evidenceOf(kind);
  const claims = [
    { claimed: 0.8, held: coverage_80 },
    { claimed: 0.9, held: coverage_90 },
    { claimed: 0.95, held: coverage_95 },
  ].flatMap(({ claimed, held }): Claim[] => (held ? [{ claimed, held }] : []));
  if (claims.length === 0) {
    return (
      <EmptyState title="What the ranges hold could not be measured.">
        <p>
          It takes 200 {many} in at least two groups, so that the range of each can be made from the others; a{' '}
          {evidenceOf(kind).one} that judged itself would always be right.
        </p>
      </EmptyState>
    );
  }
  return (
    <PlotFigure
      label={`Share of ${price}s within the range (dot) beside what the range claims (line). A dot below its line: ranges are too narrow.`}
      inputs={[measured]}
      plot={(Plot) => ({
        height: 240,
        marginLeft: 44,
        x: {
          label: null,
          type: 'band',
          padding: 0.6,
          tickFormat: (claimed: number) => `${claimed * 100}% range`,
        },
        y: {
          label: 'actual coverage',
          domain: rangeAround(
            claims.map(({ held }) => held),
            [0.75, 1],
          ),
          grid: true,
          tickFormat: (share: number) => `${Math.round(share * 100)}%`,
        },
        marks: [
          Plot.tickY(claims, { x: 'claimed', y: 'claimed', stroke: 'var(--series-2)', strokeWidth: 3 }),
          Plot.ruleX(claims, {
            x: 'claimed',
            ...whisker<Claim>(({ held }) => held),
            stroke: 'var(--series-1)',
            strokeWidth: 2,
          }),
          Plot.dot(claims, {
            x: 'claimed',
            y: ({ held }: Claim) => held.figure,
            fill: 'var(--series-1)',
            r: 5,
          }),
        ],
      })}
      table={() => (
        <Table
          caption="Target and actual coverage"
          columns={COLUMNS}
          rows={claims}
          keyOf={({ claimed }) => String(claimed)}
        />
      )}
    />
  );
}

const COLUMNS: readonly Column<Claim>[] = [
  { name: 'claimed', label: 'Claimed', isRowHeader: true, cell: ({ claimed }) => formatPercent(claimed, 0) },
  { name: 'held', label: 'Actual coverage', isNumber: true, cell: ({ held }) => percentWithInterval(held) },
];
