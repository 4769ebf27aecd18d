/**
 * Assumptions, not measured: the records of sales do not say what was renovated. Surveys of remodelers and agents,
 * such as the yearly Cost vs. Value report, put the share of the cost recovered at resale between about a quarter and
 * all of it. The share falls to 0 in a straight line, as in the age-life method of the cost approach.
 */
export const RENOVATIONS = {
  valueShare: 0.6,
  lifeYears: 20,
  /** Standard deviation of what a renovation adds, as a share of it. */
  relativeSd: 0.5,
} as const;
