/**
 * Why a sale is no evidence of market value. Sales are flagged, never deleted; 'none' is code 0. Append only:
 * snapshots store the index.
 */
export const SALE_FLAGS = [
  'none',
  'price_outside',
  'impossible_attributes',
  'not_arms_length',
  'duplicate',
  'bundle',
  'flip_first_leg',
  'outlier',
] as const;

export type SaleFlag = (typeof SALE_FLAGS)[number];
