import type { Figures } from '../../api/valuations.ts';
import { formatUsd } from '../../parts/format.ts';
import { PlotFigure } from '../../parts/plot.tsx';
import { densityOf, type DensityPoint } from './density.ts';

/** The value as what it is: a spread of prices, the middle nine tenths shaded. The value before the last change stays as a ghost. */
export function DistributionPlot(props: {
  readonly figures: Figures;
  readonly before: Figures | null;
  readonly label: string;
}) {
  const { figures, before, label } = props;
  const value = figures.point_value;
  const { lower, upper } = figures.confidence_interval_90;
  return (
    <PlotFigure
      label={label}
      isLabelUnseen
      inputs={[figures, before]}
      plot={(Plot, width) => {
        const points = densityOf(figures);
        const ghost = before && before.point_value !== value ? densityOf(before) : [];
        const top = Math.max(...[...points, ...ghost].map(({ density }) => density));
        const peak = Math.max(...points.map(({ density }) => density));
        const inRange = between(points, lower, upper);
        const marks = [
          { usd: lower, anchor: 'end' as const },
          { usd: upper, anchor: 'start' as const },
        ];
        return {
          height: width < 420 ? 150 : 190,
          marginTop: 26,
          marginBottom: 30,
          marginLeft: 8,
          marginRight: 8,
          y: { axis: null, domain: [0, top * 1.02] },
          x: { label: null, ticks: width < 420 ? 4 : 7, tickFormat: shortUsd },
          marks: [
            Plot.areaY(points, { x: 'usd', y: 'density', fill: 'var(--line)' }),
            Plot.areaY(inRange, { x: 'usd', y: 'density', fill: 'var(--accent)', fillOpacity: 0.28 }),
            Plot.lineY(points, { x: 'usd', y: 'density', stroke: 'var(--accent)', strokeWidth: 1.5 }),
            Plot.ruleX(marks, {
              x: 'usd',
              y1: 0,
              y2: peak * 0.32,
              stroke: 'var(--accent)',
              strokeDasharray: '3 3',
            }),
            ...marks.map(({ usd, anchor }) =>
              Plot.text([usd], {
                x: [usd],
                y: [peak * 0.32],
                text: [shortUsd(usd)],
                textAnchor: anchor,
                dx: anchor === 'end' ? -5 : 5,
                fill: 'var(--quiet)',
              }),
            ),
            Plot.lineY(ghost, {
              x: 'usd',
              y: 'density',
              stroke: 'var(--series-2)',
              strokeOpacity: 0.7,
              strokeDasharray: '2 3',
            }),
            Plot.ruleX(ghost.length > 0 && before ? [before.point_value] : [], {
              y1: 0,
              y2: top,
              stroke: 'var(--series-2)',
              strokeDasharray: '2 3',
            }),
            Plot.ruleX([value], { y1: 0, y2: peak, stroke: 'var(--ink)', strokeWidth: 2 }),
            Plot.text([value], {
              x: [value],
              y: [peak],
              text: [formatUsd(value)],
              dy: -12,
              fontWeight: 650,
              fontSize: 13,
              fill: 'var(--ink)',
            }),
            Plot.ruleY([0], { stroke: 'var(--edge)' }),
          ],
        };
      }}
      table={() => <Percentiles figures={figures} />}
    />
  );
}

/** The part of the curve from one price to the other, to the dollar. */
function between(points: readonly DensityPoint[], lower: number, upper: number): DensityPoint[] {
  const at = (usd: number): DensityPoint[] => {
    const after = points.findIndex((point) => point.usd > usd);
    if (after <= 0) return [];
    const [a, b] = [points[after - 1], points[after]];
    return [{ usd, density: a.density + ((b.density - a.density) * (usd - a.usd)) / (b.usd - a.usd) }];
  };
  return [...at(lower), ...points.filter(({ usd }) => usd > lower && usd < upper), ...at(upper)];
}

function Percentiles({ figures }: { readonly figures: Figures }) {
  const { percentiles: p, mean, std } = figures.probabilistic_distribution;
  const rows = [
    ['1 in 20 sells below', p.p5],
    ['1 in 10 sells below', p.p10],
    ['1 in 4 sells below', p.p25],
    ['half sell below', p.p50],
    ['1 in 4 sells above', p.p75],
    ['1 in 10 sells above', p.p90],
    ['1 in 20 sells above', p.p95],
    ['mean', mean],
    ['standard deviation', std],
  ] as const;
  return (
    <div class="table-scroll">
      <table class="table">
        <tbody>
          {rows.map(([what, usd]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td class="number">{formatUsd(usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const short = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumSignificantDigits: 3,
});

/** `$412K`, `$1.2M`; rents in full: `$1,450` */
export function shortUsd(usd: number): string {
  return usd < 10_000 ? formatUsd(usd) : short.format(usd);
}
