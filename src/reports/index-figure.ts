import { formatMonth } from '../domain/display-format.ts';
import { COLORS, FULL_WIDTH, type FigureBlock, type Point, type Shape } from './document.ts';
import { line, niceStep, polygon, text, ticksIn } from './shapes.ts';

interface IndexPoint {
  /** `2024-03` */
  readonly month: string;
  readonly index: number;
  readonly lower: number;
  readonly upper: number;
}

const HEIGHT = 170;
const LEAST_HEIGHT = 120;
const PLOT = { left: 34, right: FULL_WIDTH - 8, top: 8 } as const;
/** Ten years. */
const MONTHS_SHOWN = 120;

/** The price index by month with its 80% range. */
export function indexFigure(
  series: readonly IndexPoint[],
  /** `rose by 2.0% in the 12 months to Dec 2022` */
  overYear: string | null,
): FigureBlock | null {
  const shown = series.slice(-MONTHS_SHOWN);
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined || shown.length < 2) return null;
  const figureOf = (height: number): FigureBlock => ({
    kind: 'figure',
    width: FULL_WIDTH,
    height,
    alt: `Price index of the market by month from ${formatMonth(first.month)} (${first.index.toFixed(1)}) to ${formatMonth(last.month)} (${last.index.toFixed(1)}).${overYear === null ? '' : ` Prices ${overYear}.`}`,
    shapes: shapesOf(shown, height),
    caption: `Prices of homes of the same quality in this market by month, 100 in ${formatMonth(series[0]?.month ?? first.month)}. Light blue: 80% range of the index.`,
  });
  return { ...figureOf(HEIGHT), lower: { least: LEAST_HEIGHT, at: figureOf } };
}

function shapesOf(shown: readonly IndexPoint[], height: number): Shape[] {
  const bottom = height - 20;
  const low = Math.min(...shown.map(({ lower }) => lower));
  const high = Math.max(...shown.map(({ upper }) => upper));
  const room = Math.max(high - low, 1) * 0.05;
  const x = (at: number): number => PLOT.left + (at / (shown.length - 1)) * (PLOT.right - PLOT.left);
  const y = (index: number): number =>
    bottom - ((index - low + room) / (high - low + 2 * room)) * (bottom - PLOT.top);
  const line80: Point[] = [
    ...shown.map(({ upper }, at): Point => [x(at), y(upper)]),
    ...shown.map(({ lower }, at): Point => [x(at), y(lower)]).toReversed(),
  ];
  const years = shown.flatMap(({ month }, at) =>
    month.endsWith('-01') ? [{ at, year: month.slice(0, 4) }] : [],
  );
  const every = Math.ceil(years.length / 10);
  return [
    ...ticksIn(low - room, high + room, niceStep(high - low + 2 * room, 5)).flatMap((index) => [
      line(
        [
          [PLOT.left, y(index)],
          [PLOT.right, y(index)],
        ],
        { stroke: COLORS.faint, strokeWidth: 0.7 },
      ),
      text([PLOT.left - 5, y(index) + 2.5], String(index), {
        size: 7.5,
        color: COLORS.quiet,
        anchor: 'end',
      }),
    ]),
    ...years
      .filter((_, at) => at % every === 0)
      .map(({ at, year }) =>
        text([x(at), height - 8], year, { size: 7.5, color: COLORS.quiet, anchor: 'middle' }),
      ),
    polygon([line80], { fill: COLORS.accentLight }),
    line(
      shown.map(({ index }, at) => [x(at), y(index)]),
      { stroke: COLORS.accent, strokeWidth: 1.5 },
    ),
  ];
}
