import type { GrowSettings } from '../trees/grow-tree.ts';

export type Growth = Omit<GrowSettings, 'seed' | 'monotone'>;

/** Settings of a fit. Every default was measured (docs/methods/model.md). */
export interface FitSettings {
  readonly seed: number;
  /** Months of sales before the training day; null: WINDOW.months, all in a small market. */
  readonly windowMonths: number | null;
  /** Share of the full number of trees: 1 in service, less for quick experiments. */
  readonly effort: number;
  readonly folds: number;
  /** Small forest that removes attributes before the price index is estimated. */
  readonly indexTrees: Growth;
  readonly baseTrees: Growth;
  readonly finalTrees: Growth;
  readonly unitTrees: Growth;
}

const quick = {
  trees: 60,
  learningRate: 0.2,
  maxLeaves: 31,
  maxDepth: 6,
  minChildWeight: 6,
  l2: 2,
  rowShare: 0.6,
  columnShare: 0.4,
  loss: { kind: 'squared' },
} as const satisfies Growth;

const final = {
  ...quick,
  trees: 320,
  learningRate: 0.045,
  maxLeaves: 36,
  minChildWeight: 3,
  columnShare: 0.3,
  loss: { kind: 'pseudo_huber', delta: 0.2 },
} as const satisfies Growth;

export const FIT_DEFAULTS: FitSettings = {
  seed: 1,
  windowMonths: null,
  effort: 1,
  folds: 5,
  indexTrees: quick,
  baseTrees: { ...quick, trees: 150, learningRate: 0.1, rowShare: 0.7 },
  finalTrees: final,
  unitTrees: {
    ...final,
    trees: 250,
    learningRate: 0.05,
    maxLeaves: 16,
    maxDepth: 4,
    minChildWeight: 5,
    loss: { kind: 'pseudo_huber', delta: 0.25 },
  },
};
