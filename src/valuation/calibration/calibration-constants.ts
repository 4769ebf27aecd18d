import type { GrowSettings } from '../trees/grow-tree.ts';

/** How the two estimators are combined. */
export const BLEND = {
  /** Prior weights in sales: of the market's weight for a type, of `startWeight` for the market. */
  typeWeightPrior: 400,
  weightPrior: 150,
  startWeight: 0.25,
  /**
   * The comparables get more weight than `steadyWeight` only if this lowers the loss by `steadyShare`. Accuracy hardly
   * depends on the weight between 0.3 and 0.6, but a small step of an attribute exchanges comparables: with 0.5,
   * 100 sqft more lowered 1 to 5% of values by more than 0.5%, with 0.3 0 to 2% (docs/methods/model.md). Listings
   * mostly have no area, and in New York a weight of 0.3 costs 0.03 points of median error.
   */
  steadyWeight: 0.3,
  steadyShare: { sales: 0.01, rents: 0 },
  weightStep: 0.02,
  /** Errors in ln USD are capped here, so that a foreclosure does not decide the weights. */
  errorCap: 0.4,
  /** Fewer comparables than this (effective number) get proportionally less weight. */
  fullTrustComparables: 5,
} as const;

/**
 * Trees on the errors of the holdout months (docs/methods/experiments.md). Their predictions count n / (n + prior) for n
 * sales; sales that are off by more than `mostError` (ln USD) say nothing of others.
 */
export const CORRECTION = {
  prior: 2000,
  mostError: 0.7,
  trees: {
    trees: 40,
    learningRate: 0.05,
    maxLeaves: 15,
    maxDepth: 6,
    minChildWeight: 60,
    l2: 5,
    rowShare: 1,
    columnShare: 1,
    loss: { kind: 'pseudo_huber', delta: 0.1 },
    seed: 1,
  },
} as const satisfies { readonly trees: GrowSettings; readonly prior: number; readonly mostError: number };

/** Interval widths. A score is a holdout error divided by its predicted scale. */
export const CALIBRATION = {
  /**
   * Holdout sales wanted, and the months used to get them: a month more is a fit more. Refits keep the months of earlier
   * models, as many as are used at most.
   */
  holdoutSalesWanted: 300,
  minHoldoutMonths: 3,
  maxHoldoutMonths: 6,
  maxHoldoutPerMonth: 1500,
  /** Random holdout: most days of dates, fewest rows, and share of rows in each group. */
  randomHoldoutSpanDays: 31,
  minRandomHoldoutRows: 300,
  randomHoldoutShare: 0.15,
  /** A holdout month with fewer training sales does not represent the final model and is skipped. */
  minTrainingSales: 60,
  /** Accuracy is published for types, and confidence levels of a type, with at least this many holdout sales. */
  minStratum: 30,
  /** Most scores kept: enough for local quantiles of the tails, ~30 µs a valuation. */
  maxScores: 4000,
  /**
   * With fewer holdout sales than `enoughScores`, up to `maxOutOfFold` cross-validated errors are
   * added. They are multiplied by how much larger the holdout errors are, which starts as 1 with the weight of
   * `outOfFoldPrior` holdout sales. It was 0.91 to 0.98 at 12 trainings of Ames, King and Milwaukee, and 0.93 in the mean
   * of 8 of a thin market: later errors are larger, those of the blended value smaller.
   */
  enoughScores: 200,
  maxOutOfFold: 1000,
  outOfFoldPrior: 60,
  /**
   * Share of the difference between the errors of a year and of the holdout months that is carried over, less with few
   * sales. The errors of the next 12 months follow it with a slope of 0.5, those of the next 3 with 0.3.
   */
  yearDays: 366,
  yearShare: 0.5,
  yearPrior: 100,
  /** Ridge penalty of the scale model, in observations per standardized feature. */
  ridge: 12,
  /** Limits of the scale, as factors of the market's typical error. */
  minScaleFactor: 0.35,
  maxScaleFactor: 5,
  /** Scale of a home with unknown attributes, as a factor of that of the hardest home that it may be. */
  unknownFactor: 1.1,
  /** Kernel widths of local quantiles, in the market's own spread of ln price and place. */
  priceWidth: 0.3,
  placeWidth: 0.3,
  otherTypeWeight: 0.15,
  /** Prior weight of all scores of the market against local ones, in effective scores. */
  localPrior: 120,
  /** Extrapolation beyond the outermost score, chosen so that 12 scores cover 90 %. */
  beyondScores: 1.3,
  beyondDepth: 0.8,
  /**
   * The variance of the market's index beyond that of the holdout months widens the interval, times this: types and
   * small areas drift from the market (docs/methods/price-index.md).
   */
  indexVarianceFactor: 1.2,
} as const;
