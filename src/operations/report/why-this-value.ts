import { formatCount, formatMany, formatPercent, formatUsd } from '../../domain/display-format.ts';
import { labelOf } from '../../domain/field-words.ts';
import type { Block } from '../../reports/document.ts';
import type { SaleComparable, ValuationOf } from '../valuation-types.ts';
import type { PinnedFacts } from './pinned-facts.ts';
import { changeOverYear } from './price-change.ts';
import { heading, paragraph } from './report-sections.ts';

/** The comparables that the text names: those that are most similar. */
const NAMED = 5;
/** Adjustments that the text names: the largest. */
const LARGEST = 3;

/** The value in plain words, for an owner. */
export function whyThisValue(
  { valuation, comparables, changes }: ValuationOf<'property'>,
  pinned: PinnedFacts | null,
): Block[] {
  const { items, search } = comparables;
  const named = items.slice(0, NAMED);
  const last = pinned?.ownSales.findLast(({ isUsed }) => isUsed);
  const change = pinned && changeOverYear(pinned);
  const sentences = [
    named.length > 0 &&
      `Similar homes sold for ${spread(named.map(({ salePrice }) => salePrice))} (the ${formatMany(named.length, 'most similar sale', 'most similar sales')} ${changes ? 'among the comparables below' : `of the ${formatCount(search.candidates)} nearest ones`}). Adjusted for their differences from this home and for the time since, that is ${spread(named.map(({ adjustedPrice }) => adjustedPrice))}.`,
    ...adjustmentSentences(items),
    change && `Prices in this market ${change}. Each sale is adjusted by the change since its date.`,
    last &&
      `This home was sold for ${formatUsd(last.salePrice)} in ${last.saleDate.slice(0, 4)}. The model takes this sale into account.`,
    `No value is exact. Details that no record has, unusual features and the condition inside the home can move its price. The range shows by how much prices of such homes differ from their values.`,
    valuation.accuracy &&
      `Half of the values of ${testedHomes(valuation.accuracy.stratum)} were within ${formatPercent(valuation.accuracy.mdape)} of the price, when tested on sales after the training.`,
  ];
  return [
    heading('Why this value'),
    ...(items.length === 0
      ? [paragraph('The valuation was requested without comparables. It rests on the model of all sales.')]
      : []),
    { kind: 'list', items: sentences.filter((one) => typeof one === 'string') },
  ];
}

/** Too few sales of a confidence level leave its type, and too few of a type leave the whole market. */
function testedHomes(stratum: string): string {
  if (stratum === 'all') return 'homes of all types';
  return stratum.includes(':') ? 'such homes' : 'homes of this type with any confidence';
}

function spread(usd: readonly number[]): string {
  const [low, high] = [Math.min(...usd), Math.max(...usd)];
  return low === high ? formatUsd(low) : `${formatUsd(low)} to ${formatUsd(high)}`;
}

/** The largest adjustments on average, by the weights of the comparables. */
function adjustmentSentences(items: readonly SaleComparable[]): string[] {
  const weight = items.reduce((sum, one) => sum + one.weight, 0);
  if (weight === 0) return [];
  const means = new Map<string, number>();
  for (const { adjustments, weight: share } of items) {
    for (const { field, amount } of adjustments) {
      means.set(field, (means.get(field) ?? 0) + (amount * share) / weight);
    }
  }
  const largest = [...means]
    .filter(([field, mean]) => field in REASONS && Math.round(mean) !== 0)
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))
    .slice(0, LARGEST);
  return largest.map(([field, mean]) => {
    const [more, less] = REASONS[field] ?? [labelOf(field), labelOf(field)];
    return `${mean > 0 ? `${more}: adds ${formatUsd(mean)} to` : `${less}: takes ${formatUsd(-mean)} off`} the price of a comparable, on average.`;
  });
}

/** Why a comparable's price is adjusted upward, and downward. */
const REASONS: Readonly<Record<string, readonly [upward: string, downward: string]>> = {
  market_conditions: [
    'Prices have risen since the comparables sold',
    'Prices have fallen since the comparables sold',
  ],
  location: ['Homes at this location sell for more', 'Homes at this location sell for less'],
  site: [
    'The lot, compared with those of the comparables',
    'The lot, compared with those of the comparables',
  ],
  age: ['The age of the home', 'The age of the home'],
  condition: [
    'The condition is better than that of the comparables',
    'The condition is worse than that of the comparables',
  ],
  bedrooms: ['The number of bedrooms', 'The number of bedrooms'],
  baths: ['The number of bathrooms', 'The number of bathrooms'],
  living_area: ['The home is larger than the comparables', 'The home is smaller than the comparables'],
  other: [
    'Other features of the home, and an earlier sale of it',
    'Other features of the home, and an earlier sale of it',
  ],
};
