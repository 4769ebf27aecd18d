import type { Session } from '../../api/account.ts';
import { formatCount, formatMany } from '../../parts/format.ts';
import { SEARCH, type ValueRequest } from './value-request.ts';

type Prices = NonNullable<Session['prices']>;

const PRICE_OF = {
  home: 'property_valuation',
  rent: 'rental_valuation',
  building: 'multifamily_valuation',
} as const;

/** Credits of a value without comparables. */
export function valueCredits(prices: Prices, { kind, units }: Pick<ValueRequest, 'kind' | 'units'>): number {
  return prices[PRICE_OF[kind]] + (kind === 'rent' ? prices.further_unit * Math.max(0, units.length - 1) : 0);
}

/** What the next value costs, before it is requested. `left`: the credits left this month, if they are known. */
export function costSentence(
  prices: Prices,
  request: Pick<ValueRequest, 'kind' | 'units'>,
  left: number | null,
): string {
  const most = valueCredits(prices, request) + prices.comparable * SEARCH.num_comps;
  const cost =
    left === null
      ? formatMany(most, 'credit')
      : `${formatCount(most)} of the ${formatCount(left)} credits left this month`;
  return `A value costs up to ${cost}; changes to it are free for ${prices.free_minutes} minutes.`;
}
