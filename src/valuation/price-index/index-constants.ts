/**
 * Constants of the market's price index: a state-space filter in ln, one step a month. Found on Milwaukee 2004-2022
 * and on FHFA's metros 1997-2025, not fitted to any one market (docs/methods/price-index.md).
 */
export const MARKET_FILTER = {
  /** Standard deviation of a month's mean beyond its sampling error. */
  monthSd: 0.006,
  /** Standard error of a month's mean: this times the standard deviation of a sale, by the square root of the sales. */
  meanFactor: 1.1,
  /** Monthly noise of the level, and of the slope, which returns to the long-run growth. */
  levelSd: 0.003,
  slopeSd: 0.0019,
  slopeMemory: 0.95,
  longRunGrowth: 0.0035,
  /**
   * The slope also falls by this much a month for each unit of ln that the level is above its trend, so that booms and
   * busts end. The trend grows by the long-run growth with this monthly noise; prior sd of its first distance.
   */
  reversion: 0.0005,
  trendSd: 0.01,
  trendStartSd: 0.15,
  /** Prior standard deviation of the first harmonic of the season; halved for each further one. */
  seasonSd: 0.015,
  /** Prior mean of the season of sale prices, January to December: United States, in ln. Listings: none. */
  saleSeason: [-0.0124, -0.0055, 0.0018, 0.0059, 0.0085, 0.0088, 0.0066, 0.0036, 0, -0.0027, -0.0047, -0.01],
  /** The difference of a published index from the market is a random walk; its monthly step. */
  gapStepSd: 0.006,
  /** Noise of a published figure by the months of its period. A quarter is placed at its middle month. */
  publishedSd: { 1: 0.004, 3: 0.01 },
  /** Months of a published index before the market's own first sale that are used. */
  leadMonths: 24,
  /** Prior standard deviation of the first level, and of a published index's base, around their first figures. */
  startSd: 0.5,
  /** The index moves on for so many months after the newest figure, own or published; then it is flat. */
  forecastMonths: 24,
  /** Months after the forecast for which the uncertainty still grows. */
  longestMonths: 120,
} as const;
