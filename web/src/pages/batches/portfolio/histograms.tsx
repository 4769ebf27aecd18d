import { formatCount, formatMany, formatShortUsd } from '../../../parts/format.ts';
import { PlotFigure } from '../../../parts/plot.tsx';
import { HIGH_LTV, homesOf, RATIO_SHOWN, type Holding } from './figures.ts';

const percentOf = (ratio: number): string => `${Math.round(100 * ratio)}%`;
/** The number of a bar, under the pointer. */
const withNumber = {
  title: (homes: readonly unknown[]): string => formatMany(homes.length, 'property', 'properties'),
};
const TIP = { fill: 'var(--raised)', fontSize: 13 } as const;
const shownRatio = (ratio: number): number => Math.min(ratio, RATIO_SHOWN + 0.05);

/** Halves of a property are not labeled. */
const COUNT_AXIS = {
  label: null,
  grid: true,
  tickFormat: (count: number) => (Number.isInteger(count) ? formatCount(count) : ''),
};

/** How the values of the homes, their loan-to-value ratios and their assessed values are distributed. */
export function Histograms({
  holdings,
  unit,
  hasLoans,
  hasAssessed,
}: {
  readonly holdings: readonly Holding[];
  readonly unit: string;
  readonly hasLoans: boolean;
  readonly hasAssessed: boolean;
}) {
  const homes = homesOf(holdings);
  return (
    <div class="two-plots">
      <PlotFigure
        label={`Number of properties by ${unit.toLowerCase()}`}
        inputs={[homes]}
        plot={(Plot, width) => ({
          height: 200,
          x: { label: null, tickFormat: formatShortUsd, ticks: Math.max(3, Math.floor(width / 90)) },
          y: COUNT_AXIS,
          marks: [
            Plot.rectY(homes, {
              ...Plot.binX({ y: 'count', ...withNumber }, { x: 'value' }),
              tip: TIP,
              fill: 'var(--series-1)',
            }),
            Plot.ruleY([0]),
          ],
        })}
      />
      {hasLoans && (
        <RatioHistogram
          label="loan-to-value ratio (LTV)"
          ratios={homes.flatMap(({ combinedLtv }) => combinedLtv ?? [])}
          markedAt={HIGH_LTV}
        />
      )}
      {hasAssessed && (
        <RatioHistogram
          label="assessed value as a share of the value"
          ratios={homes.flatMap(({ assessedDifference: by }) => (by === null ? [] : 1 + by))}
          markedAt={1}
        />
      )}
    </div>
  );
}

function RatioHistogram(props: {
  readonly label: string;
  readonly ratios: readonly number[];
  /** Where a dashed line is. */
  readonly markedAt: number;
}) {
  const { label, ratios, markedAt } = props;
  return (
    <PlotFigure
      label={`Number of properties by ${label}; the last bar has all above ${percentOf(RATIO_SHOWN)}`}
      inputs={[ratios]}
      plot={(Plot) => ({
        height: 200,
        x: {
          label: null,
          domain: [0, RATIO_SHOWN + 0.1],
          tickFormat: (ratio: number) => (ratio > RATIO_SHOWN ? '' : percentOf(ratio)),
        },
        y: COUNT_AXIS,
        marks: [
          Plot.rectY(ratios, {
            ...Plot.binX({ y: 'count', ...withNumber }, { x: shownRatio, interval: 0.1 }),
            tip: TIP,
            fill: 'var(--series-1)',
          }),
          Plot.ruleX([markedAt], { stroke: 'var(--series-2)', strokeDasharray: '4 3' }),
          Plot.ruleY([0]),
        ],
      })}
    />
  );
}
