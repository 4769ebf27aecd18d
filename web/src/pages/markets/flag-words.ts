import type { SaleFlag } from '../../api/markets.ts';

/** The flags of sales, in words. */
export const FLAG_NAMES: Readonly<Record<SaleFlag, string>> = {
  none: 'Not flagged',
  price_outside: 'Price out of bounds',
  impossible_attributes: 'Impossible details',
  not_arms_length: 'Not an arm’s-length sale',
  duplicate: 'Repeated record',
  bundle: 'Several homes in one sale',
  flip_first_leg: 'Resold soon for much more',
  outlier: 'Far from all prices',
  excluded_by_review: 'Excluded by an operator',
  before_construction: 'Sold before construction',
  teardown: 'Teardown',
  inconsistent_price: 'Price does not fit the home',
  implausible_date: 'Date long after all others',
};
