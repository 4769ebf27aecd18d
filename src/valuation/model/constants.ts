/**
 * The constants of the market model (docs/methods/model.md says how each was measured). Figures are MdAPE on King
 * County (frozen at 2015-03-15) and Milwaukee (monthly refits) unless said otherwise.
 */

export const FEATURES = {
  /** Angles of the rotated coordinates, degrees from east. */
  rotationDegrees: [15, 30, 45, 60, 75, 105, 120, 135, 150, 165],
  /** An own feature is a number when this share of the pool's known texts are. */
  numericShare: 0.99,
  /** Sales' worth of the pool's mean that a level's mean is shrunk with. */
  levelPriorSales: 20,
  earliestYearBuilt: 1700,
  rememberedTexts: 10_000,
} as const;

export const WINDOW = {
  /** Sales older than this teach less about today than they cost in time (valuation.md §2: 84 served Milwaukee). */
  months: 84,
  /** Smaller markets keep every sale. */
  minSales: 5_000,
  /** A model of fewer would be a guess. */
  minUsable: 30,
} as const;

export const PRICE_INDEX = {
  stepDays: 14,
  /** Kernel width of the market index: the narrowest, widened until about this many sales weigh in. */
  minBandwidthDays: 25,
  maxBandwidthDays: 180,
  salesPerBandwidth: 1_500,
  /** Residuals beyond this are someone's odd sale, not the market: first while prices still carry the trend, then without it. */
  firstClip: 0.8,
  clip: 0.3,
  /** Damps the local slope where sales are few. */
  slopePrior: 2e4,
  /** Types and small areas: deviation from the market, wider kernel, shrunk by this many sales. */
  groupBandwidthDays: 120,
  groupClip: 0.5,
  typePrior: 40,
  areaPrior: 60,
  /** Areas are halves of halves … of the pool, each with at least so many sales. */
  minAreaSales: 400,
  maxAreaDepth: 4,
  /**
   * Sales tell of the market up to the training day, where the newest are no older than this, or else up to the newest; so many of them, or
   * this share where they are few, because one alone may be a day that somebody mistyped.
   */
  bridgedDays: 30,
  newestSales: 10,
  newestShare: 0.05,
  /** Slope carried beyond what sales tell of: over the last days, at most so much a day, dying out with a time constant. */
  slopeDays: 60,
  slopeCapPerDay: 0.0008,
  dampingDays: 45,
} as const;

export const SPATIAL_LAG = {
  ks: [5, 15, 40, 80],
  nearK: 10,
  spreadK: 15,
  anyKs: [5, 15, 40],
  /** Miles added to a distance before it is inverted. */
  softening: 0.05,
  /** Miles that differences count for in the mixed space. */
  logArea: 2,
  logLot: 0.3,
  year: 1 / 30,
  bathrooms: 0.4,
  logUnits: 0.5,
  /** Of rents alone, most of which have no size: three folds of New York by point 12.0 → 13.4 % under the ten nearest. */
  bedrooms: 2,
  /** A home's own sale counts as an earlier one when it closed more than so many days before. */
  earlierSaleDays: 30,
} as const;

export const WEIGHTS = {
  /** A sale loses 1/e of its weight in so many days. */
  recencyDays: 1460,
  /** Base residuals beyond this are no market price (foreclosures, family sales, bundles); they keep this weight. */
  absurdResidual: 0.7,
  absurdWeight: 0.02,
} as const;

/** Buildings with several units are also valued by log price per unit (5+ units: 18.2 → 15.1, valuation.md §1). */
export const UNITS_MODEL = {
  fromUnits: 3,
  /** Fewer training buildings say too little. */
  minBuildings: 150,
  /** A building of this many units counts more: it is what the model is for. */
  manyUnits: 5,
  manyWeight: 3,
  /** Share of the per-unit model in the value. */
  share: 0.5,
} as const;

/** Homes of the pool that attribute scales are measured on. */
export const SCALE_SAMPLE = 300;
