import { formatDay } from '../../domain/day.ts';
import { createTextNumbers } from '../../domain/text-numbers.ts';
import { formatPercent } from '../../domain/display-format.ts';
import type { Sale } from '../../domain/sale.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { findAllRecodings, findRecodedAttributes } from '../../valuation/model/recoded-features.ts';
import { median } from '../../valuation/order-statistics.ts';
import type { Records } from '../collect-records.ts';
import { createTally, type Finding } from './finding.ts';

type PricedSale = Pick<
  Sale,
  'recordId' | 'parcelId' | 'address' | 'soldOn' | 'datePrecision' | 'priceUsd' | 'attributes'
>;

/** Whether the id of a sale was made of its date and price, because the file has none. */
function isIdOfPrice({ recordId, soldOn, priceUsd }: PricedSale): boolean {
  // The price alone excludes nearly all ids of publishers, in a tenth of the time.
  return recordId.includes(`/${priceUsd}`) && recordId.includes(`${formatDay(soldOn)}/${priceUsd}`);
}

/** What identifies a home and the day of its sale; null if that is not certain. */
function homeAndDay({ parcelId, address, soldOn, datePrecision, attributes }: PricedSale): string | null {
  const street = address.street.toUpperCase();
  // Two sales in one month are not unusual.
  if (datePrecision !== 'day' || (!parcelId && street === '')) return null;
  // Units of a building may share its address.
  return `${parcelId ?? attributes.livingAreaSqft}|${street}|${soldOn}`;
}

/**
 * More homes than this share with two prices on one day in the same files: they list corrected prices. Homes that were
 * sold twice on one day, by an investor who never kept them, are 0.2% of Milwaukee's sales of 2019.
 */
const CHANGED_SHARE = 0.01;

/**
 * More corrected sales of earlier imports than these stop an import: a publisher corrects a few prices, and a wrong
 * column, such as the assessed value, changes all of them.
 */
const MANY_CORRECTED = { count: 20, share: 0.1 };

/**
 * Finds homes with two prices on one day, of sales without an id of the publisher. Both in the same files may be two
 * sales. If the files have one and an earlier import has the other, the publisher has corrected the price.
 */
export function createPriceCheck(added: Records<PricedSale>) {
  const outdated: string[] = [];
  const homeDays = createTextNumbers();
  /** By the number of a home and day: the record id of its last sale. */
  const lastIds: string[] = [];
  const rows = added.length;
  const ratios: number[] = [];
  const [twice, corrected] = [createTally(), createTally()];
  const saleOf = (homeDay: number) => added.find(lastIds[homeDay] ?? '');
  for (const sale of added) {
    const key = isIdOfPrice(sale) ? homeAndDay(sale) : null;
    if (key === null) continue;
    const homeDay = homeDays.numberOf(key);
    const other = saleOf(homeDay);
    lastIds[homeDay] = sale.recordId;
    if (other === undefined || other.priceUsd === sale.priceUsd) continue;
    twice.add(describe(other, `and $${sale.priceUsd}`));
    outdated.push(other.recordId);
  }
  return {
    /** Records of the new files that a later row has with another price. */
    outdated,
    /** Whether a sale of the new files replaces one of an earlier import: that of the same id, or a corrected price. */
    isReplaced(earlier: PricedSale, sameId: PricedSale | undefined): boolean {
      const sale = sameId ?? saleOf(homeDays.find(homeAndDay(earlier) ?? ''));
      if (sale === undefined || sale.priceUsd === earlier.priceUsd) return sameId !== undefined;
      corrected.add(describe(earlier, `is now $${sale.priceUsd}`));
      ratios.push(sale.priceUsd / earlier.priceUsd);
      return true;
    },
    findings: (): Finding[] => [
      ...twice.finding({
        check: 'changed_prices',
        column: 'sale_price',
        message: `${twice.count()} homes have two prices on one day: a corrected price would be a second sale.`,
        remedy:
          'Delete the outdated rows, or give a record_id (the document number), by which a corrected sale replaces the first.',
        isBlocking: twice.count() > CHANGED_SHARE * rows,
      }),
      ...corrected.finding({
        check: 'changed_prices',
        column: 'sale_price',
        message: `${corrected.count()} sales of earlier imports have another price in these files, of which the new one replaces the earlier one. The median new price is ${formatPercent(median(ratios), 0)} of the earlier one.`,
        remedy:
          'Check that the prices come from the right column. If both are sales, import their files together.',
        isBlocking:
          corrected.count() > MANY_CORRECTED.count && corrected.count() > MANY_CORRECTED.share * rows,
      }),
    ],
  };
}

function describe({ address, parcelId, soldOn, priceUsd }: PricedSale, change: string): string {
  return `${address.street || parcelId} on ${formatDay(soldOn)}: $${priceUsd} ${change}`;
}

/** Fewer flagged rows show nothing. In an update of a few sales, a deal over many parcels may be most of them. */
const LEAST_FLAGGED = { first: 10, update: 50 };
const FLAGGED_SHARE = 0.5;

const REMEDIES: Readonly<Record<string, string>> = {
  price_outside: 'Check that prices are in dollars, not in thousands or cents.',
  impossible_attributes: 'Check that bedrooms, baths, areas and years come from the right columns.',
  not_arms_length: 'Check that arms_length is yes for valid sales.',
  outlier: 'Check that prices and areas come from the right columns.',
  duplicate: 'Delete the rows that repeat others.',
  bundle: 'Give each sale its own price and date.',
  flip_first_leg: 'Check that the dates are those of the sales.',
  before_construction: 'Check that the year built and the dates come from the right columns.',
  inconsistent_price: 'Check that prices and areas come from the right columns.',
};

/** Finds files of which most rows are flagged, so that values would not use them. */
export function findMostFlagged(
  flags: Readonly<Record<string, number>>,
  rows: number,
  kind: string,
  isUpdate: boolean,
): Finding[] {
  const flagged = Object.values(flags).reduce((sum, count) => sum + count, 0);
  const least = isUpdate ? LEAST_FLAGGED.update : LEAST_FLAGGED.first;
  if (flagged < least || flagged <= FLAGGED_SHARE * rows) return [];
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
    remedy: 'To use it, give the old and the new codes common values.',
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
    remedy:
      'Load the files of each time separately, and give their values one scale and unit, or do not read the column of one of them.',
    isBlocking: true,
  }));
}
