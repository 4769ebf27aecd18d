import { formatShortUsd, formatUsd } from '../domain/display-format.ts';
import { COLORS, FULL_WIDTH, type FigureBlock } from './document.ts';
import { line, niceStep, rectangle, text, ticksIn } from './shapes.ts';

interface Range {
  readonly lower: number;
  readonly upper: number;
}

const HEIGHT = 66;
const SIDE = 30;

/** The value on a scale of dollars, with its 90% and 95% ranges. */
export function rangeFigure(value: number, range90: Range, range95: Range): FigureBlock {
  const room = Math.max(range95.upper - range95.lower, 1);
  const [low, high] = [range95.lower - room * 0.06, range95.upper + room * 0.06];
  const x = (usd: number): number => SIDE + ((usd - low) / (high - low)) * (FULL_WIDTH - 2 * SIDE);
  const top = 20;
  const band = (of: Range, fill: string, inset: number) =>
    rectangle([x(of.lower), top + inset], x(of.upper) - x(of.lower), 16 - 2 * inset, { fill });
  const ticks = ticksIn(low, high, niceStep(high - low, 7));
  return {
    kind: 'figure',
    width: FULL_WIDTH,
    height: HEIGHT,
    alt: `Scale of dollars: value ${formatUsd(value)}, 90% range ${formatUsd(range90.lower)} to ${formatUsd(range90.upper)}, 95% range ${formatUsd(range95.lower)} to ${formatUsd(range95.upper)}.`,
    shapes: [
      band(range95, COLORS.faint, 3),
      band(range90, COLORS.accentLight, 0),
      line(
        [
          [x(value), top - 4],
          [x(value), top + 20],
        ],
        { stroke: COLORS.accent, strokeWidth: 2 },
      ),
      text([x(value), top - 8], formatUsd(value), {
        size: 9,
        color: COLORS.accent,
        anchor: 'middle',
        isBold: true,
      }),
      line(
        [
          [SIDE, 46],
          [FULL_WIDTH - SIDE, 46],
        ],
        { stroke: COLORS.line, strokeWidth: 0.7 },
      ),
      ...ticks.flatMap((usd) => [
        line(
          [
            [x(usd), 44],
            [x(usd), 48],
          ],
          { stroke: COLORS.line, strokeWidth: 0.7 },
        ),
        text([x(usd), 58], formatShortUsd(usd), { size: 7.5, color: COLORS.quiet, anchor: 'middle' }),
      ]),
    ],
    caption: 'Dark line: the value. Blue: 90% prediction range. Gray: 95% range.',
  };
}
