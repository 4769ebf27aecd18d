/**
 * Constants of the market model, measured as in docs/methods/model.md. Percentages are MdAPE on
 * King County (frozen at 2015-03-15) and Milwaukee (monthly refits) unless noted otherwise.
 */

export const FEATURES = {
  /** Angles of the rotated coordinates, degrees from east. */
  rotationDegrees: [15, 30, 45, 60, 75, 105, 120, 135, 150, 165],
  /** An own feature is numeric when this share of its known texts are numbers. */
  numericShare: 0.99,
  /** Prior weight, in sales, of the market's mean against the mean of a value of an own feature. */
  levelPriorSales: 20,
  earliestYearBuilt: 1700,
  rememberedTexts: 10_000,
} as const;

export const WINDOW = {
  /** Older sales improve today's values less than they cost in time: 84 was best for Milwaukee. */
  months: 84,
  /** Smaller markets keep every sale. */
  minSales: 5_000,
  /** Fewer sales cannot train a model. */
  minUsable: 30,
} as const;

export const PRICE_INDEX = {
  /** Residuals are clipped here: wider while prices still contain the trend. */
  firstClip: 0.8,
  clip: 0.3,
  /** Deviations of types and small areas: kernel width, and sales that shrink them to the market. */
  groupBandwidthDays: 120,
  groupClip: 0.5,
  typePrior: 40,
  areaPrior: 60,
  /** Beyond the last sales a deviation returns to the market. */
  groupHalfLifeDays: 730,
  /** Areas are halved repeatedly, each keeping at least this many sales. */
  minAreaSales: 400,
  maxAreaDepth: 4,
  /**
   * Deviations are estimated up to the training day if the newest sales are at most this old, else up
   * to the newest sales. Several sales are required, because a single one may have a mistyped date.
   */
  bridgedDays: 30,
  newestSales: 10,
  newestShare: 0.05,
  /** Most sales of a month known after the training that its figure is taken from: each is valued once, 0.3 ms. */
  newerSalesPerMonth: 100,
  /**
   * The ranking of homes ages too: Milwaukee frozen before 2021, with each month's median corrected, has a MdAPE of 11.6
   * in the two years after, refit monthly 11.1.
   */
  agingVariancePerYear: 0.002,
  /** Growing further, the 90% interval covers 92.3% of Milwaukee's sales after 24 months, so 91.3% (docs/methods/experiments.md). */
  agingYearsMost: 1,
} as const;

/** Days on which a market's price level jumps, as part of the price index (`level-jumps.ts`). */
export const LEVEL_JUMPS = {
  most: 3,
  /**
   * A jump must be at least this large (log) and this many standard errors. Without a jump, markets move by up to 6.5%
   * around a line in eight months (Milwaukee, March 2022).
   */
  leastSize: 0.08,
  leastZ: 5,
  /** Sales on each side of a jump: up to this many days, and at least so many. */
  windowDays: 120,
  leastSales: 40,
  /** Standard deviation of a market's slope without a jump: 0.9% a month. */
  slopeSdPerDay: 0.0003,
  residualClip: 0.8,
  /** Sales that the level for clipping is averaged over. */
  memorySales: 100,
} as const;

export const SPATIAL_LAG = {
  ks: [5, 15, 40, 80],
  nearK: 10,
  spreadK: 15,
  anyKs: [5, 15, 40],
  /** Miles added to a distance before it is inverted. */
  softening: 0.05,
  /**
   * This and the next five: miles that one unit of difference counts for in the mixed space. Little for sales: with 2, a larger home got other neighbors, and 100 sqft more lowered 2 to 10% of values by more
   * than 0.5% (docs/methods/model.md).
   */
  logArea: { sales: 0.25, rents: 2 },
  logLot: 0.3,
  year: 1 / 30,
  bathrooms: 0.4,
  logUnits: 0.5,
  /**
   * Listings only, most of which have no size: in three folds of New York by point, the error fell
   * from 12.0 to 13.4 percent below that of the nearest-ten baseline.
   */
  bedrooms: 2,
  /** A sale of the same home counts as an earlier sale if it closed more than this many days before. */
  earlierSaleDays: 30,
} as const;

export const WEIGHTS = {
  /** A sale's weight falls to 1/e in this many days. */
  recencyDays: 1460,
  /** Base residuals beyond this are not market prices (foreclosures, bundles); their weight. */
  extremeResidual: 0.7,
  extremeWeight: 0.02,
} as const;

/** The regression that the final trees start from (`linear-part.ts`). */
export const LINEAR_PART = {
  /** Penalty, in sales per standardized number. */
  ridge: 20,
  /** Numbers farther from the mean count as this many standard deviations, or as the sale farthest from it. */
  deviations: 3,
} as const;

/** Larger errors (ln USD) are of distressed or wrong sales: how large they are says nothing of the home. */
export const ERROR_SIZE = { cap: 0.6, least: 0.01 } as const;

/**
 * A sale is predicted as the mean over these small changes of its area and baths, so that a small step of either
 * crosses the cuts of the trees gradually (docs/methods/model.md).
 */
export const VARIATIONS: readonly { readonly area: number; readonly baths: number }[] = [
  { area: 1, baths: 0 },
  { area: 0.93, baths: 0.5 },
  { area: 1.07, baths: -0.5 },
  { area: 0.86, baths: -0.5 },
  { area: 1.14, baths: 0.5 },
];

/** Buildings are also valued by log price per unit (5+ units: MdAPE 18.2 → 15.1). */
export const UNITS_MODEL = {
  fromUnits: 3,
  /** With fewer training buildings there is no per-unit model. */
  minBuildings: 150,
  /** Buildings with at least this many units weigh more: the per-unit model is meant for them. */
  manyUnits: 5,
  manyWeight: 3,
  share: 0.5,
} as const;

/** At least this many sales, if there are, are sampled to measure how much each attribute changes a value. */
export const SCALE_SAMPLE = 300;

/** The test of candidate columns (`choose-features.ts`). */
export const FEATURE_CHOICE = {
  /** Newest months from which sales are tested; all sales in a smaller market. */
  windowMonths: 60,
  /** The newest share of the sales is tested, in so many spans, each by models trained before it. */
  testedShare: 0.4,
  spans: 2,
  /** Most sales tested, and the least that prove anything. */
  mostSales: 8000,
  leastSales: 200,
  /** A column must matter by more than so many standard errors, and so must all chosen ones together. */
  leastZ: 2,
  mostChosen: 24,
  /** Errors in ln USD are capped here. */
  errorCap: 0.4,
  /** The model without candidates. */
  fit: { effort: 0.25, windowMonths: 36 },
  trees: {
    trees: 80,
    learningRate: 0.1,
    maxLeaves: 16,
    maxDepth: 5,
    minChildWeight: 10,
    l2: 2,
    rowShare: 0.6,
    columnShare: 0.5,
    loss: { kind: 'pseudo_huber', delta: 0.2 },
    seed: 1,
  },
} as const;
