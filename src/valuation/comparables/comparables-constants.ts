import type { PropertyType } from '../../domain/property.ts';

/**
 * Constants of completion, comparables, blend and calibration. How the figures were chosen:
 * docs/methods/intervals-and-comparables.md.
 */

/** Where comparables are looked for. The same for every market: distances are counted in the market's own unit. */
export const COMPARABLES = {
  /** Comparables the estimator rests on (valuation.md: 20 beat 10 by 0.07 points of MdAPE). */
  comparables: 20,
  /** Nearest sales of the type that are compared before the best are kept. */
  candidates: 160,
  /** Three years: older sales carry more index error than news. Lifted where a market has fewer sales than wanted. */
  windowDays: 1096,
  /** No sale farther away speaks for a home. */
  maxMi: 25,
  /** A complex or tower may give at most so many of the comparables; a parcel one sale, but as many listings. */
  perBuilding: 6,
  perParcel: { sales: 1, rents: 6 },
  /** Sales sampled to learn the market's distance unit, and its floor. */
  distanceSample: 200,
  minDistanceScaleMi: 0.05,
} as const;

/**
 * Similarity = 1 / (1 + Σ cost): with costs as variances over the irreducible one, weights in proportion to it are
 * those of least variance. Each cost is 1 where that difference alone halves a comparable's worth.
 */
export const SIMILARITY = {
  /** In the market's distance units (median distance to the 20th nearest sale of the window). */
  distanceUnits: 1,
  days: 730,
  /** Ln-USD of attribute differences, priced by the model and added in squares. */
  attributes: 0.35,
  /** Difference of predicted ln value: all that the attributes do not say (place, quality). */
  logValue: 0.5,
  /** Another, related type. */
  otherType: 1,
  /** Residuals of comparables beyond so many robust standard deviations of the set lose weight. */
  robustSds: 1.5,
  minRobustSd: 0.04,
} as const;

/** Types whose sales may stand in where a market has fewer of the home's own than the estimator wants. */
export const RELATED_TYPES: { readonly [T in PropertyType]: readonly PropertyType[] } = {
  houses: ['townhomes'],
  townhomes: ['houses', 'condos'],
  condos: ['townhomes'],
  small_multifamily: ['multifamily', 'houses'],
  multifamily: ['small_multifamily'],
  mobile: ['houses'],
};

/**
 * Listings of the subject's own building. What the model saw of them it holds already in part (trees of other folds),
 * so their weight is learned too: NYC, listings dealt one by one: without them 8.98, with 0.3–0.6 of it 8.38, with all
 * of it 9.2 (ten nearest with the same bedrooms: 9.22).
 */
export const OWN_BUILDING = {
  /** Correlation of two units' errors before any is measured (valuation.md §2), and the units it weighs as. */
  priorCorrelation: 0.7,
  priorUnits: 40,
  mostCorrelation: 0.95,
  /** Newest listings it is measured on: 20,000 take 0.1 s. */
  mostRows: 20_000,
  residualCap: 0.5,
  /** A listing so old says half as much. */
  halfDays: 730,
  /** Share of the weight that theory gives them, before it is learned, and the holdout listings it is held with. */
  startTrust: 0.45,
  trustPrior: 100,
} as const;

/** Filling what nobody said of a home from the homes around it. */
export const IMPUTATION = {
  /**
   * valuation.md: the distribution over about 15 neighbors. Of listings, some from the building itself, 8 say as much
   * (sample county, sizes not given: 4.2 % with 8, 4.4 % with 15), and a request of 100 units takes half the time.
   */
  donors: { sales: 15, rents: 8 },
  /**
   * Neighbors looked at before the most similar in what is known are kept. The 60 nearest listings can be of three
   * buildings. Sample county, sizes not given, 5+ units: one listing of each building of 60 left 3 donors, 4.95 % and
   * 85.7 % in the 90 % interval; six of each building of 160 give 4.5 % and 92.3 %.
   */
  candidates: { sales: 60, rents: 160 },
  /** Below this share of homes of which the market knows an attribute, not knowing it is normal and the model's own answer is used. */
  knownShare: 0.5,
  /** A donor's worth per attribute that it does not know either. */
  unknownWorth: 0.25,
} as const;

/** How the two estimators are put together and kept at the market's level. */
export const BLEND = {
  /**
   * The last quarter's holdout sales make the level, the latest weighing most, and two thirds of it are believed.
   * Markets swing with the season: over 43 monthly refits of Milwaukee the median error of a month was 2.44 % without
   * a level, 3.01 % with a plain quarter's, 2.15 % with 0.7 of the last month's (comparables 2.38, 2.55, 1.87).
   */
  biasDays: 93,
  biasMemoryDays: 25,
  biasShare: 0.67,
  /** Sales that the market's own level is held against zero with, and a type's against the market's. */
  biasPrior: 25,
  typeBiasPrior: 80,
  /** Sales that a type's blend weight is held against the market's with, and the market's against `startWeight`. */
  typeWeightPrior: 400,
  weightPrior: 150,
  startWeight: 0.25,
  /** Step of the search for the weight of the comparables. */
  weightStep: 0.02,
  /** Errors in ln USD beyond this count no more: a foreclosure must not choose the weights. */
  errorCap: 0.4,
  /** Fewer comparables than this (effective number) get proportionally less weight. */
  fullTrustComparables: 5,
} as const;

/** Widths. Scores are holdout errors divided by the scale that the difficulty model foresaw. */
export const CALIBRATION = {
  /** Holdout sales that `train` makes by refits, and the months it goes back for them. */
  holdoutSalesWanted: 300,
  minHoldoutMonths: 3,
  maxHoldoutMonths: 6,
  maxHoldoutPerMonth: 1500,
  /** Without months: rows are held out where all are of so few days, from so many rows on, this share in each group. */
  randomHoldoutSpanDays: 31,
  minRandomHoldoutRows: 300,
  randomHoldoutShare: 0.15,
  /** A holdout month whose model would have fewer sales to learn from tells nothing of the final one. */
  minTrainingSales: 60,
  /** Accuracy is told of a type with at least so many holdout sales. */
  minStratum: 30,
  /** Scores kept: enough for local quantiles of the tails, ~30 µs a valuation. */
  maxScores: 4000,
  /** Below so many holdout sales, out-of-fold errors are added, so many at most, widened so much: cross-validation under-covers in time (valuation.md: 87.2 % at nominal 90). */
  enoughScores: 200,
  maxOutOfFold: 1000,
  outOfFoldInflation: 1.25,
  /** Ridge of the difficulty model, in observations per standardized feature. */
  ridge: 12,
  /** Scale stays within these factors of the market's typical error. */
  minScaleFactor: 0.35,
  maxScaleFactor: 5,
  /** Kernel widths of the local quantiles: ln price, and place in units of the market's own spread. */
  priceWidth: 0.3,
  placeWidth: 0.3,
  otherTypeWeight: 0.15,
  /** Effective scores that local ones are held against all of the market with. */
  localPrior: 120,
  /** A quantile beyond the outermost score lies so much farther out, and more per share of a score beyond: 12 scores then cover 90 %. */
  beyondScores: 1.3,
  beyondDepth: 0.8,
  /** Ln-USD standard deviation of a market's level per year that nothing new is known, from this many days on. */
  driftPerYear: 0.06,
  driftFreeDays: 31,
} as const;
