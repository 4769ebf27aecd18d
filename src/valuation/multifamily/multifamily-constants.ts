/** Constants of buildings by three approaches. How the figures were chosen: docs/methods/multifamily.md. */
export const MULTIFAMILY = {
  /** Sales that teach multipliers and cap rates, newest first: of 2–4 units, of 5 and more. More cost time and are old. */
  maxSmall: 1000,
  maxLarge: 1000,
  /** Fewer buildings sold teach no multiplier: the approaches by rent then have weight 0. */
  minBuildings: 20,
  /** Ln ratios of price to rent count no further than this from their median: foreclosures and mistyped prices. */
  ratioClip: 0.6,
  /** Errors of an approach in ln USD beyond this count no more when weights are chosen. */
  errorCap: 0.5,
  folds: 5,
} as const;

/** The multiplier at a building: market → its bracket of units → its neighbors, each shrunk to the one before. */
export const MULTIPLIER = {
  /** Sales' worth of the market in a bracket's mean, and of the bracket in the neighbors'. */
  bracketPrior: 20,
  localPrior: 8,
  /** Differences that halve a neighbor's worth: place in the market's own unit, ln units, years of age. */
  placeUnits: 1,
  logUnits: 0.7,
  years: 30,
  /** The market's unit of place: median distance to the so-manieth nearest sale, over an even sample. */
  unitNeighbors: 20,
  unitSample: 100,
  minUnitMi: 0.1,
} as const;

/** Nearest sales whose mean price per unit is the price level of a place, for cap rates; none is farther away. */
export const PRICE_LEVEL = { sales: 15, maxMi: 25 } as const;

/** How the errors of the approaches become weights. */
export const RECONCILE = {
  /** Sales that a bracket's errors are held against those of all 2+ sales with. */
  bracketPrior: 60,
  /** Share of the way that correlations of errors are moved towards their common mean (Ledoit & Wolf 2004). */
  correlationShrink: 0.1,
  /** Sales that "no better than sales alone" counts for when the interval is narrowed. */
  widthPrior: 40,
  /** Quantiles of absolute errors of which the least improved one narrows it. */
  widthQuantiles: [0.5, 0.6827, 0.8, 0.9],
  /** Small buildings stay within this quantile of the measured disagreement with the property value. */
  disagreementQuantile: 0.95,
  /** Less disagreement than this widens nothing, whatever was measured; more than so many times as wide says no more. */
  leastDisagreement: 0.05,
  mostDisagreement: 4,
} as const;

/** Floor area to rent and its spread over units. */
export const UNIT_MIX = {
  /** Halls and stairs of a building of five units and more: net to gross areas of walk-ups run from 0.85 to 0.95. */
  commonShare: 0.1,
  commonFromUnits: 5,
  /** A unit's area goes with 1 + so much a bedroom: a studio of 480 sqft stands beside two bedrooms of 960. */
  areaPerBedroom: 0.5,
} as const;

/** Buildings of 2–4 units are also valued as property, and the two must agree. */
export const SMALL_UNITS = 4;

/** Brackets of units in which multipliers are pooled and comparables are preferred, by their least number of units. */
const BRACKETS = [2, 3, 5, 10, 20, 50] as const;

/** Which bracket of units: 2, 3–4, 5–9, 10–19, 20–49, 50 and more; −1 where the units are not known. */
export function bracketOf(units: number): number {
  return BRACKETS.findLastIndex((least) => units >= least);
}
