/** Constants of the three approaches. How they were chosen: docs/methods/multifamily.md. */
export const MULTIFAMILY = {
  /** Newest sales used: of 2–4 units, of 5 and more. More take longer and are older. */
  maxSmall: 1000,
  maxLarge: 1000,
  /** With fewer buildings the approaches by rent have weight 0. */
  minBuildings: 20,
  /** Ln ratios of price to rent are clipped this far from their median. */
  ratioClip: 0.6,
  /** Errors in ln USD are capped here when weights are chosen. */
  errorCap: 0.5,
  folds: 5,
} as const;

/** Gross rent multiplier: market → bracket of units → neighbors, each shrunk to the former. */
export const MULTIPLIER = {
  /** Number of sales that the market weighs as in a bracket, and the bracket in the neighbors. */
  bracketPrior: 20,
  localPrior: 8,
  /** Differences that halve a weight: distance in the market's unit, ln units, years of age. */
  placeUnits: 1,
  logUnits: 0.7,
  years: 30,
  /** The market's unit of distance: median distance to the nth nearest sale of a sample. */
  unitNeighbors: 20,
  unitSample: 100,
  minUnitMi: 0.1,
} as const;

/** Nearest sales that give the price level of a place, for cap rates. */
export const PRICE_LEVEL = { sales: 15, maxMi: 25 } as const;

/** How errors of the approaches become weights. */
export const RECONCILE = {
  /** Number of sales that the errors of all 2+ sales weigh as against a bracket's. */
  bracketPrior: 60,
  /** Share by which correlations of errors are moved to their mean (Ledoit & Wolf 2004). */
  correlationShrink: 0.1,
  /** Number of sales that a width ratio of 1 weighs as. */
  widthPrior: 40,
  /** Quantiles of absolute errors at which widths are compared. */
  widthQuantiles: [0.5, 0.6827, 0.8, 0.9],
  /** Small buildings stay within this quantile of the disagreement with the value by sales. */
  disagreementQuantile: 0.95,
  /** Least disagreement that widens an interval, and the largest factor. */
  leastDisagreement: 0.05,
  mostDisagreement: 4,
} as const;

/** Buildings of 2–4 units are also valued as property, and the two values must agree. */
export const SMALL_UNITS = 4;

/**
 * Least number of units of each bracket. Multipliers are shrunk within brackets, and comparables of
 * the same bracket are listed first.
 */
const BRACKETS = [2, 3, 5, 10, 20, 50] as const;

/** Bracket of units: 2, 3–4, 5–9, 10–19, 20–49, 50 and more; −1 where unknown. */
export function bracketOf(units: number): number {
  return BRACKETS.findLastIndex((least) => units >= least);
}
