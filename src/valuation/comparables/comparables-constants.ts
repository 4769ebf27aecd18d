import type { PropertyType } from '../../domain/property.ts';

/**
 * Constants of comparables, imputation, blend and calibration. How they were chosen:
 * docs/methods/intervals-and-comparables.md.
 */

/** The search for comparables. Distances are in the market's own unit. */
export const COMPARABLES = {
  /** Comparables in the estimator: 20 beat 10 by 0.07 points of MdAPE. */
  comparables: 20,
  /** Nearest sales of the type that are compared before the best are selected. */
  candidates: 160,
  /** Three years: older sales add more index error than information. Dropped if sales are few. */
  windowDays: 1096,
  /** No comparable is farther away. */
  maxMi: 25,
  /** Most comparables from one complex or tower; most from one parcel. */
  perBuilding: 6,
  perParcel: { sales: 1, rents: 6 },
  /** Sales sampled to measure the market's distance unit, and the least unit. */
  distanceSample: 200,
  minDistanceScaleMi: 0.05,
} as const;

/**
 * Similarity = 1 / (1 + Σ cost). Each cost is a variance over the irreducible one, so that weights
 * in proportion to similarity are those of least variance. A cost of 1 alone halves a comparable's
 * weight.
 */
export const SIMILARITY = {
  /** In the market's distance units (median distance to the 20th nearest sale of the window). */
  distanceUnits: 1,
  days: 730,
  /** Ln USD of attribute differences, priced by the model and added in squares. */
  attributes: 0.35,
  /** Difference of predicted ln value: what attributes do not explain (place, quality). */
  logValue: 0.5,
  /** For a sale of a related type. */
  otherType: 1,
  /** Residuals beyond this many robust standard deviations of the comparables lose weight. */
  robustSds: 1.5,
  minRobustSd: 0.04,
} as const;

/** Types whose sales are used where there are fewer of the home's own than needed. */
export const RELATED_TYPES: { readonly [T in PropertyType]: readonly PropertyType[] } = {
  houses: ['townhomes'],
  townhomes: ['houses', 'condos'],
  condos: ['townhomes'],
  small_multifamily: ['multifamily', 'houses'],
  multifamily: ['small_multifamily'],
  mobile: ['houses'],
};

/**
 * Listings of the subject's own building. The model has already learned from them in part (trees of
 * other folds), so their weight is learned too. New York, listings assigned to folds one by one,
 * MdAPE: 8.98 without them, 8.38 with 0.3–0.6 of the theoretical weight, 9.2 with all of it; 9.22
 * for the ten nearest with the same bedrooms.
 */
export const OWN_BUILDING = {
  /** Prior correlation of two units' errors, and the number of units that it weighs as. */
  priorCorrelation: 0.7,
  priorUnits: 40,
  mostCorrelation: 0.95,
  /** Newest listings used to measure the correlation: 20,000 take 0.1 s. */
  mostRows: 20_000,
  residualCap: 0.5,
  /** A listing of this age has half the weight of a new one. */
  halfDays: 730,
  /** Initial share of the theoretical weight, and how many holdout listings it weighs as. */
  startTrust: 0.45,
  trustPrior: 100,
} as const;

/** Imputation of unknown attributes from nearby homes (kNN donors). */
export const IMPUTATION = {
  /**
   * Number of donors. 8 listings, some from the building itself, do as well as 15 (sample county,
   * sizes unknown: 4.2 % with 8, 4.4 % with 15), and a request of 100 units takes half the time.
   */
  donors: { sales: 15, rents: 8 },
  /**
   * Nearest homes from which the most similar donors are selected. The 60 nearest listings can be
   * of three buildings. Sample county, sizes unknown, 5+ units: one listing per building of 60 left
   * 3 donors, 4.95 % MdAPE and 85.7 % coverage of the 90 % interval; six per building of 160 give
   * 4.5 % and 92.3 %.
   */
  candidates: { sales: 60, rents: 160 },
  /** Attributes known of a smaller share of homes are left to the model as unknown. */
  knownShare: 0.5,
  /** Factor on a donor's weight for each missing attribute that it does not have either. */
  unknownWorth: 0.25,
} as const;

/** How the two estimators are combined and corrected. */
export const BLEND = {
  /**
   * The bias correction is the median residual of the last quarter's holdout sales, the latest
   * weighing most, times `biasShare`. Markets are seasonal. Median error over 43 monthly refits of
   * Milwaukee: 2.44 % without correction, 3.01 % with a plain quarter's, 2.15 % with 0.7 of the
   * last month's (comparables: 2.38, 2.55, 1.87).
   */
  biasDays: 93,
  biasMemoryDays: 25,
  biasShare: 0.67,
  /** Number of sales that zero (for the market) and the market (for a type) weigh as. */
  biasPrior: 25,
  typeBiasPrior: 80,
  /** Number of sales that the market (for a type) and `startWeight` (for the market) weigh as. */
  typeWeightPrior: 400,
  weightPrior: 150,
  startWeight: 0.25,
  /** Step of the grid search for the comparables' weight. */
  weightStep: 0.02,
  /** Errors in ln USD are capped here: a foreclosure must not choose the weights. */
  errorCap: 0.4,
  /** Fewer comparables than this (effective number) get proportionally less weight. */
  fullTrustComparables: 5,
} as const;

/** Interval widths. A score is a holdout error divided by its predicted scale. */
export const CALIBRATION = {
  /** Holdout sales wanted, and the months used to get them. */
  holdoutSalesWanted: 300,
  minHoldoutMonths: 3,
  maxHoldoutMonths: 6,
  maxHoldoutPerMonth: 1500,
  /** Random holdout: most days of dates, fewest rows, and share of rows in each group. */
  randomHoldoutSpanDays: 31,
  minRandomHoldoutRows: 300,
  randomHoldoutShare: 0.15,
  /** A holdout month with fewer training sales says nothing of the final model and is skipped. */
  minTrainingSales: 60,
  /** Accuracy is published for types with at least this many holdout sales. */
  minStratum: 30,
  /** Most scores kept: enough for local quantiles of the tails, ~30 µs a valuation. */
  maxScores: 4000,
  /**
   * With fewer holdout sales than `enoughScores`, up to `maxOutOfFold` cross-validated errors are
   * added, inflated because cross-validation under-covers in time (87.2 % at nominal 90 %).
   */
  enoughScores: 200,
  maxOutOfFold: 1000,
  outOfFoldInflation: 1.25,
  /** Ridge penalty of the scale model, in observations per standardized feature. */
  ridge: 12,
  /** Limits of the scale, as factors of the market's typical error. */
  minScaleFactor: 0.35,
  maxScaleFactor: 5,
  /** Kernel widths of local quantiles, in the market's own spread of ln price and place. */
  priceWidth: 0.3,
  placeWidth: 0.3,
  otherTypeWeight: 0.15,
  /** Number of effective scores that all scores of the market weigh as against local ones. */
  localPrior: 120,
  /** Extrapolation beyond the outermost score, chosen so that 12 scores cover 90 %. */
  beyondScores: 1.3,
  beyondDepth: 0.8,
  /**
   * Yearly ln-USD standard deviation of an unknown market change, after these days without sales.
   */
  driftPerYear: 0.06,
  driftFreeDays: 31,
} as const;
