import type { Measured, ModelStudy } from '../../api/markets.ts';
import { formatUsd } from '../../parts/format.ts';
import { PlotFigure } from '../../parts/plot.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { rangeAround, whisker } from './scales.ts';
import { cellColumns } from './studied-types.tsx';
import { evidenceOf } from './words.ts';

type Tier = Measured['tiers'][number];

/** Whether cheap homes are valued as near as dear ones: the median of value / price of each fifth. */
export function TierPlot({
  measured,
  kind,
}: {
  readonly measured: Measured;
  readonly kind: ModelStudy['kind'];
}) {
  const { tiers } = measured;
  const { many, price } = evidenceOf(kind);
  return (
    <PlotFigure
      label={`Median ratio of value to ${price} by fifths of the ${many}, the cheapest on the left. 1 is right on the ${price}; the wash is 0.9 to 1.1, which assessors call acceptable.`}
      inputs={[tiers]}
      plot={(Plot) => ({
        height: 240,
        marginLeft: 44,
        x: { label: null, tickFormat: (key: string) => nameOf(tiers, key), type: 'point', padding: 0.6 },
        y: {
          label: `value / ${price}`,
          domain: rangeAround(
            tiers.map(({ median_ratio }) => median_ratio),
            [0.88, 1.12],
          ),
          grid: true,
        },
        marks: [
          Plot.rect([0], { y1: 0.9, y2: 1.1, fill: 'var(--good-wash)' }),
          Plot.ruleY([1], { stroke: 'var(--quiet)' }),
          Plot.ruleX(tiers, {
            x: 'key',
            ...whisker<Tier>(({ median_ratio }) => median_ratio),
            stroke: 'var(--series-1)',
            strokeWidth: 2,
          }),
          Plot.dot(tiers, {
            x: 'key',
            y: ({ median_ratio }: Tier) => median_ratio.figure,
            fill: 'var(--series-1)',
            r: 5,
          }),
        ],
      })}
      table={() => (
        <Table
          caption="Errors by price"
          columns={[NAME, ...cellColumns<Tier>(kind)]}
          rows={tiers}
          keyOf={({ key }) => key}
        />
      )}
    />
  );
}

const nameOf = (tiers: readonly Tier[], key: string): string => {
  const usd = tiers.find((tier) => tier.key === key)?.median_price ?? null;
  return usd !== null && usd >= 10_000 ? `$${Math.round(usd / 1000)}k` : formatUsd(usd);
};

const NAME: Column<Tier> = {
  name: 'tier',
  label: 'Fifth',
  isRowHeader: true,
  cell: ({ key, median_price }) => `${key}, around ${formatUsd(median_price)}`,
};
