import type { StudiedArea } from '../../api/markets.ts';

/** A class of areas with figures below `below`, with its color and name. */
interface AreaClass {
  readonly below: number;
  readonly name: string;
  readonly color: string;
}

export type AreaMeasure = 'bias' | 'cod' | 'error';

/** What areas can be colored by. The colors are distinguishable with color blindness; the legend names them. */
export const AREA_MEASURES: Readonly<
  Record<
    AreaMeasure,
    { readonly label: string; readonly description: string; readonly classes: readonly AreaClass[] }
  >
> = {
  bias: {
    label: 'Bias: values too low or too high',
    description: 'Median ratio of value to price.',
    classes: [
      { below: 0.93, name: 'low by more than 7%', color: 'var(--low-2)' },
      { below: 0.98, name: 'low by 2 to 7%', color: 'var(--low-1)' },
      { below: 1.02, name: 'within 2%', color: 'var(--even)' },
      { below: 1.07, name: 'high by 2 to 7%', color: 'var(--high-1)' },
      { below: Infinity, name: 'high by more than 7%', color: 'var(--high-2)' },
    ],
  },
  cod: {
    label: 'Uniformity (COD)',
    description: 'Coefficient of dispersion. The standard of assessors accepts 5 to 15.',
    classes: [
      { below: 10, name: 'below 10', color: 'var(--step-1)' },
      { below: 15, name: '10 to 15', color: 'var(--step-2)' },
      { below: 20, name: '15 to 20', color: 'var(--step-3)' },
      { below: Infinity, name: '20 or more', color: 'var(--step-4)' },
    ],
  },
  error: {
    label: 'Size of errors',
    description: 'Median absolute error.',
    classes: [
      { below: 0.05, name: 'below 5%', color: 'var(--step-1)' },
      { below: 0.1, name: '5 to 10%', color: 'var(--step-2)' },
      { below: 0.15, name: '10 to 15%', color: 'var(--step-3)' },
      { below: Infinity, name: '15% or more', color: 'var(--step-4)' },
    ],
  },
};

type Measured = Pick<StudiedArea, 'median_ratio' | 'cod' | 'mdape' | 'is_small'>;

export function classOf(area: Measured, measure: AreaMeasure): AreaClass {
  const figure =
    measure === 'cod' ? (area.cod ?? 0) : measure === 'bias' ? area.median_ratio.figure : area.mdape.figure;
  const { classes } = AREA_MEASURES[measure];
  const found = classes.find(({ below }) => figure < below) ?? classes.at(-1);
  if (!found) throw new Error(`${measure} has no classes`);
  return found;
}

/** A confidence interval this narrow means that there is no bias. */
const NARROW = 0.08;

/**
 * Whether an area's figure is more than chance. A bias is significant if its interval excludes 1 or is narrow;
 * other figures need 30 sales.
 */
export function isSignificant(area: Measured, measure: AreaMeasure): boolean {
  if (measure !== 'bias') return !area.is_small;
  const { ci95 } = area.median_ratio;
  if (ci95 === null) return false;
  return ci95[0] > 1 || ci95[1] < 1 || ci95[1] - ci95[0] < NARROW;
}
