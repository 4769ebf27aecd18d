import { formatCount, formatShortUsd } from '../../../parts/format.ts';
import { PlotFigure } from '../../../parts/plot.tsx';
import { HIGH_LTV, homesOf, LTV_SHOWN, type Holding } from './figures.ts';

const percentOfLtv = (ltv: number): string => `${Math.round(100 * ltv)}%`;
const ltvShown = ({ combinedLtv }: Holding): number => Math.min(combinedLtv ?? 0, LTV_SHOWN + 0.05);

/** Halves of a property are not labeled. */
const COUNT_AXIS = {
  label: null,
  grid: true,
  tickFormat: (count: number) => (Number.isInteger(count) ? formatCount(count) : ''),
};

/** How the values of the homes and their loan-to-value ratios are distributed. */
export function Histograms({
  holdings,
  unit,
  hasLoans,
}: {
  readonly holdings: readonly Holding[];
  readonly unit: string;
  readonly hasLoans: boolean;
}) {
  const homes = homesOf(holdings);
  const loans = homes.filter(({ combinedLtv }) => combinedLtv !== null);
  return (
    <div class="two-plots">
      <PlotFigure
        label={`${unit} by number of properties`}
        inputs={[homes]}
        plot={(Plot, width) => ({
          height: 200,
          x: { label: null, tickFormat: formatShortUsd, ticks: Math.max(3, Math.floor(width / 90)) },
          y: COUNT_AXIS,
          marks: [
            Plot.rectY(homes, {
              ...Plot.binX({ y: 'count' }, { x: 'value' }),
              fill: 'var(--series-1)',
            }),
            Plot.ruleY([0]),
          ],
        })}
      />
      {hasLoans && (
        <PlotFigure
          label={`Loan-to-value ratio by number of properties; the last bar has all above ${percentOfLtv(LTV_SHOWN)}`}
          inputs={[loans]}
          plot={(Plot) => ({
            height: 200,
            x: {
              label: null,
              domain: [0, LTV_SHOWN + 0.1],
              tickFormat: (ltv: number) => (ltv > LTV_SHOWN ? '' : percentOfLtv(ltv)),
            },
            y: COUNT_AXIS,
            marks: [
              Plot.rectY(loans, {
                ...Plot.binX({ y: 'count' }, { x: ltvShown, interval: 0.1 }),
                fill: 'var(--series-1)',
              }),
              Plot.ruleX([HIGH_LTV], { stroke: 'var(--series-2)', strokeDasharray: '4 3' }),
              Plot.ruleY([0]),
            ],
          })}
        />
      )}
    </div>
  );
}
