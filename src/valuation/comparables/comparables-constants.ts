import type { PropertyType } from '../../domain/property.ts';

/** How these constants were chosen: docs/methods/intervals-and-comparables.md. */

/** The search for comparables. Distances are in the market's own unit. */
export const COMPARABLES = {
  /** Comparables in the estimator: 20 beat 10 by 0.07 points of MdAPE. */
  comparables: 20,
  /** Nearest sales of the type that are compared before the best are selected. */
  candidates: { sales: 480, rents: 160 },
  /** Three years: older sales add more index error than information. Dropped if sales are few. */
  windowDays: 1096,
  maxMi: 25,
  /** Maximum number of comparables from one complex or tower, and from one parcel. */
  perBuilding: 6,
  perParcel: { sales: 1, rents: 6 },
  /** Sales sampled to measure the market's distance unit, and the least unit. */
  distanceSample: 200,
  minDistanceScaleMi: 0.05,
} as const;

/**
 * Similarity = 1 / (1 + Σ cost). Each cost is a variance over the irreducible one, so that weights
 * in proportion to similarity are those of least variance.
 */
export const SIMILARITY = {
  /** In the market's distance units (median distance to the 20th nearest sale of the window). */
  distanceUnits: 1,
  days: 730,
  /**
   * Ln USD, priced by the model, of which each adds 1 to the cost: the net adjustment (the difference of the predicted
   * values) and the gross adjustment (differences of attributes, and `placeShare` of an estimate of location). For
   * sales much narrower than accuracy needs, so that comparables need little adjustment
   * (docs/methods/intervals-and-comparables.md); as narrow for rents, the own building would be missed.
   */
  sales: { net: 0.08, gross: 0.08, placeShare: 0.5 },
  rents: { net: 0.5, gross: 0.5, placeShare: 0 },
  /** For a sale of a related type: only where it is much more similar than sales of the own type. */
  otherType: 10,
  /** Residuals beyond this many robust standard deviations of the comparables lose weight. */
  robustSds: 1.5,
  minRobustSd: 0.04,
} as const;

export const ADJUSTMENTS = {
  /** Most that may be unexplained, ln USD. */
  mostUnexplained: 0.02,
} as const;

/** Types whose sales are used if there are too few of the home's own type. */
export const RELATED_TYPES: { readonly [T in PropertyType]: readonly PropertyType[] } = {
  houses: ['townhomes'],
  townhomes: ['houses', 'condos'],
  condos: ['townhomes'],
  small_multifamily: ['multifamily', 'houses'],
  multifamily: ['small_multifamily'],
  mobile: ['houses'],
};

/**
 * Error of values of a type without sales, ln USD, and the number of sales that halve its square. Sales of six
 * groups valued as a type without sales (Milwaukee houses, townhomes, condos, 2-4 and 5+ units, King houses) came
 * out 0.05 to 0.5 off in the median, with a robust standard deviation of 0.22 to 0.61 (their own type: 0.11 to 0.22).
 */
export const UNSEEN_TYPE = { sd: 0.35, priorSales: 10 } as const;

/**
 * Listings of the subject's own building. The model has partly learned from them (in the trees of
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
