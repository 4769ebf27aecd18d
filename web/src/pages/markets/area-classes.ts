import type { StudiedArea } from '../../api/markets.ts';

/** A class of areas: up to `below`, in what color and words. */
export interface AreaClass {
  readonly below: number;
  readonly name: string;
  readonly color: string;
}

export type AreaMeasure = 'bias' | 'error';

/** What areas can be colored by. Colors are told apart by those who see few, too; words stand beside them. */
export const AREA_MEASURES: Readonly<
  Record<
    AreaMeasure,
    { readonly label: string; readonly says: string; readonly classes: readonly AreaClass[] }
  >
> = {
  bias: {
    label: 'whether values are too low or too high',
    says: 'Median ratio of value to price.',
    classes: [
      { below: 0.93, name: 'low by more than 7%', color: 'var(--low-2)' },
      { below: 0.98, name: 'low by 2 to 7%', color: 'var(--low-1)' },
      { below: 1.02, name: 'within 2%', color: 'var(--even)' },
      { below: 1.07, name: 'high by 2 to 7%', color: 'var(--high-1)' },
      { below: Infinity, name: 'high by more than 7%', color: 'var(--high-2)' },
    ],
  },
  error: {
    label: 'how large errors are',
    says: 'Median of the error, whichever way.',
    classes: [
      { below: 0.05, name: 'below 5%', color: 'var(--step-1)' },
      { below: 0.1, name: '5 to 10%', color: 'var(--step-2)' },
      { below: 0.15, name: '10 to 15%', color: 'var(--step-3)' },
      { below: Infinity, name: '15% and more', color: 'var(--step-4)' },
    ],
  },
};

type Measured = Pick<StudiedArea, 'median_ratio' | 'mdape' | 'is_small'>;

export function classOf(area: Measured, measure: AreaMeasure): AreaClass {
  const { figure } = measure === 'bias' ? area.median_ratio : area.mdape;
  const { classes } = AREA_MEASURES[measure];
  const found = classes.find(({ below }) => figure < below) ?? classes.at(-1);
  if (!found) throw new Error(`there is no class of ${measure}`);
  return found;
}

/**
 * Whether an area's figure says more than chance: a bias whose interval leaves out 1, or is narrow around it; an error of 30
 * sales and more.
 */
export function isTold(area: Measured, measure: AreaMeasure): boolean {
  if (measure === 'error') return !area.is_small;
  const { ci95 } = area.median_ratio;
  if (ci95 === null) return false;
  return ci95[0] > 1 || ci95[1] < 1 || ci95[1] - ci95[0] < NARROW;
}

/** An interval so narrow says that the area is right on the price, within a class. */
const NARROW = 0.08;
