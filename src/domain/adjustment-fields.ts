/** The lines of the sales comparison grid, in the order of the appraisal form. Every comparable has all of them. */
export const ADJUSTMENT_FIELDS = [
  'market_conditions',
  'location',
  'site',
  'age',
  'condition',
  'bedrooms',
  'baths',
  'living_area',
  'other',
  'unexplained',
] as const;

/** What lines that no fact explains are, for tables of adjustments. */
export const LINES_EXPLAINED =
  'Location compares the prices of other sales around each home. The home’s own sale is left out, so homes of one street can differ. Other has the details without a column of their own, and an earlier sale of the home, whose price also reflects details that are in no record.';

/** Why comparables have different weights (`robustWeights`). */
export const WEIGHTS_EXPLAINED =
  'A sale that is more similar weighs more; one whose adjusted price is far from the others weighs less.';

export type AdjustmentField = (typeof ADJUSTMENT_FIELDS)[number];
