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

export type AdjustmentField = (typeof ADJUSTMENT_FIELDS)[number];
