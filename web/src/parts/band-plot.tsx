import { PlotFigure, type PlotOf } from './plot.tsx';

/** A point of a line over time. */
interface BandPoint {
  /** `2026-06-30` */
  readonly day: string;
  /** Null: the line breaks here. */
  readonly value: number | null;
  /** Widest first. */
  readonly ranges: readonly { readonly lower: number; readonly upper: number }[];
  readonly isForecast?: boolean;
  /** Of a second, thin line. */
  readonly other?: number;
}

/** A single point beside the line. */
interface PlotDot {
  readonly day: string;
  readonly value: number;
  readonly fill: string;
  readonly title: string;
}

/** A day on which something changed. */
interface PlotRule {
  readonly day: string;
  readonly title: string;
}

const dateOf = ({ day }: { readonly day: string }): Date => new Date(`${day}T00:00:00Z`);
const RANGE = { fill: 'var(--accent)', fillOpacity: 0.15 };
const LINE = { x: dateOf, y: 'value', stroke: 'var(--accent)', strokeWidth: 2 };

/** A line over time with its ranges, dashed where it is a forecast, and single points. */
export function BandPlot(
  props: Omit<Parameters<typeof PlotFigure>[0], 'plot'> & {
    readonly points: readonly BandPoint[];
    readonly dots?: readonly PlotDot[];
    readonly rules?: readonly PlotRule[];
    readonly height?: number;
    readonly tickFormat?: (value: number) => string;
  },
) {
  const { points, dots = [], rules = [], height = 260, tickFormat, ...figure } = props;
  const history = points.filter(({ isForecast }) => !isForecast);
  // From the last point of the history, so that the two lines meet.
  const forecast = points.slice(Math.max(0, history.length - 1));
  const ranges = points[0]?.ranges ?? [];
  const plot: PlotOf = (Plot, width) => ({
    height,
    marginLeft: 56,
    x: { label: null, type: 'utc', ticks: width < 420 ? 4 : 8 },
    y: { label: null, grid: true, ticks: 5, ...(tickFormat && { tickFormat }) },
    marks: [
      ...ranges.map((_, i) =>
        Plot.areaY(points, {
          x: dateOf,
          y1: (point: BandPoint) => point.ranges[i]?.lower,
          y2: (point: BandPoint) => point.ranges[i]?.upper,
          ...RANGE,
        }),
      ),
      ...(history[0]?.other === undefined
        ? []
        : [Plot.lineY(history, { x: dateOf, y: 'other', stroke: 'var(--series-2)' })]),
      Plot.lineY(history, LINE),
      ...(forecast.length > 1 ? [Plot.lineY(forecast, { ...LINE, strokeDasharray: '5 4' })] : []),
      Plot.ruleX(rules, { x: dateOf, stroke: 'var(--quiet)', strokeDasharray: '2 3', title: 'title' }),
      Plot.dot(dots, {
        x: dateOf,
        y: 'value',
        r: 4.5,
        fill: { value: 'fill', scale: null },
        stroke: 'var(--ink)',
        title: 'title',
      }),
    ],
  });
  return <PlotFigure {...figure} plot={plot} />;
}
