import { formatDay } from '../../domain/day.ts';
import type { Sale } from '../../domain/sale.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { findAllRecodings, findRecodedAttributes } from '../../valuation/model/recoded-features.ts';
import { createTally, isCommon, type Finding } from './finding.ts';

type PricedSale = Pick<Sale, 'recordId' | 'parcelId' | 'address' | 'soldOn' | 'datePrecision' | 'priceUsd'>;

/** Whether the id of a sale was made of its date and price, because the file has none. */
function isIdOfPrice({ recordId, soldOn, priceUsd }: PricedSale): boolean {
  return recordId.includes(`${formatDay(soldOn)}/${priceUsd}`);
}

/**
 * Finds homes with two prices on one day. Publishers correct prices; without an id of its own, a corrected sale is
 * added and does not replace the first. Two sales in one month are not unusual.
 */
export function findChangedPrices(
  added: ReadonlyMap<string, PricedSale>,
  all: readonly PricedSale[],
): Finding[] {
  const first = new Map<string, PricedSale>();
  const changed = createTally();
  // Earlier sales come last in `all`, and a new sale may have changed them.
  for (const sale of all.toReversed()) {
    const { parcelId, address, soldOn, datePrecision, priceUsd } = sale;
    const street = address.street.toUpperCase();
    if (datePrecision !== 'day' || (!parcelId && street === '')) continue;
    const key = `${parcelId ?? ''}|${street}|${soldOn}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, sale);
    else if (earlier.priceUsd !== priceUsd && added.has(sale.recordId) && isIdOfPrice(sale)) {
      const home = address.street || parcelId;
      changed.add(`${home} on ${formatDay(soldOn)}: $${earlier.priceUsd} and $${priceUsd}`);
    }
  }
  if (changed.count() === 0) return [];
  return [
    {
      check: 'changed_prices',
      column: 'sale_price',
      count: changed.count(),
      message: `${changed.count()} homes have two prices on one day: a corrected price would be a second sale.`,
      examples: changed.examples(),
      remedy:
        'Delete the outdated rows, or give a record_id (the document number), by which a corrected sale replaces the first. --replace loads the files without the earlier sales.',
      isBlocking: isCommon(changed.count(), added.size),
    },
  ];
}

const LEAST_FLAGGED = 10;
const FLAGGED_SHARE = 0.5;

const REMEDIES: Readonly<Record<string, string>> = {
  price_outside: 'Check the unit of the price: a mapping with "times": 1000 makes dollars of thousands.',
  impossible_attributes: 'Check that bedrooms, baths, areas and years come from the right columns.',
  not_arms_length: 'Check that arms_length is yes for valid sales; a mapping can replace its values.',
  outlier: 'Check that prices and areas come from the right columns.',
  duplicate: 'Delete the rows that repeat others.',
  bundle: 'Give each sale its own price and date.',
  flip_first_leg: 'Check that the dates are those of the sales.',
  before_construction: 'Check that the year built and the dates come from the right columns.',
  inconsistent_price: 'Check that prices and areas come from the right columns.',
};

/** Finds data of which most rows are flagged, so that values would not use them. */
export function findMostFlagged(
  flags: Readonly<Record<string, number>>,
  rows: number,
  kind: string,
): Finding[] {
  const flagged = Object.values(flags).reduce((sum, count) => sum + count, 0);
  if (flagged < LEAST_FLAGGED || flagged <= FLAGGED_SHARE * rows) return [];
  const [[most, count]] = Object.entries(flags).sort((a, b) => b[1] - a[1]);
  return [
    {
      check: 'most_rows_flagged',
      column: most === 'price_outside' ? (kind === 'rents' ? 'rent' : 'sale_price') : null,
      count: flagged,
      message: `${flagged} of ${rows} ${kind} would be flagged and not used for values, most of them as ${most} (${count}).`,
      examples: Object.entries(flags)
        .map(([flag, n]) => `${flag} ${n}`)
        .slice(0, 3),
      remedy: REMEDIES[most] ?? 'Check the file.',
      isBlocking: true,
    },
  ];
}

/** Finds features whose codes changed, so that one code means two things or one thing has two codes. */
export function findRecodedFeatures(columns: SaleColumns): Finding[] {
  return findAllRecodings(columns).map(({ name, type, since, changed, sales }) => ({
    check: 'recoded_feature',
    column: name,
    count: sales,
    message: `${name} has other codes for ${type} since ${formatDay(since).slice(0, 7)} (${Math.round(100 * changed)}% of sales): it is not used for the values of ${type}.`,
    examples: [],
    remedy: 'To use it, map the old and the new codes to common values.',
    isBlocking: false,
  }));
}

/** Finds standard attributes that are recorded otherwise from a month on: values would compare two scales. */
export function findChangedScales(columns: SaleColumns): Finding[] {
  return findRecodedAttributes(columns).map(({ name, type, since, changed, sales }) => ({
    check: 'recoded_attribute',
    column: name,
    count: sales,
    message: `${name} of ${type} is recorded otherwise since ${formatDay(since).slice(0, 7)}: ${Math.round(100 * changed)}% of sales have other values than before. It may be on another scale, counted otherwise or in another unit.`,
    examples: [],
    remedy: 'Load the files of each time with a mapping of their own, which gives both one scale and unit.',
    isBlocking: true,
  }));
}
