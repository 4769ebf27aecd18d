import { formatDay, yearMonthOf } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { DATE_GAP } from './flag-sales.ts';
import { SALE_LIMITS } from './limits.ts';
import { visitLocalPrices, type LocalPrice } from './local-prices.ts';
import { SALE_FLAGS, type SaleFlag } from './sale-flags.ts';

/** Why a sale is flagged, in a sentence with the numbers of the rule; 'none' and '' if it is not. */
export interface FlagReason {
  readonly flag: SaleFlag;
  readonly sentence: string;
  /** Null where the living area is unknown. */
  readonly pricePerSqft: number | null;
  /** Median of the earlier sales of the type nearby; null without enough of them. */
  readonly localPricePerSqft: number | null;
}

/** Flags by which a sale is left out of the prices nearby when these are computed for later sales. */
const LEFT_OUT: readonly SaleFlag[] = [
  'price_outside',
  'impossible_attributes',
  'not_arms_length',
  'outlier',
  'before_construction',
  'implausible_date',
];

/** The reason of each row that is flagged at any time, by row, and the prices around other rows that are wanted. */
export function explainFlags(
  columns: SaleColumns,
  isWanted: (row: number) => boolean = () => false,
): ReadonlyMap<number, FlagReason> {
  const reasons = new Map<number, FlagReason>();
  const rowsOfParcel = Map.groupBy(columns.parcel.keys(), (row) => columns.parcel[row]);
  visitLocalPrices(columns, (row, local) => {
    const flag = SALE_FLAGS[columns.flag[row]];
    if (flag === 'none' && !isWanted(row)) return true;
    const area = columns.attributes.livingAreaSqft[row];
    reasons.set(row, {
      flag,
      sentence: sentenceOf(columns, row, flag, local, rowsOfParcel.get(columns.parcel[row]) ?? []),
      pricePerSqft: area > 0 ? columns.priceUsd[row] / area : null,
      localPricePerSqft: local?.medianPerSqft ?? null,
    });
    return !LEFT_OUT.includes(flag) || columns.flaggedOn[row] > columns.availableOn[row];
  });
  return reasons;
}

function sentenceOf(
  columns: SaleColumns,
  row: number,
  flag: SaleFlag,
  local: LocalPrice | null,
  ofParcel: readonly number[],
): string {
  const { soldOn, priceUsd, attributes, availableOn, flaggedOn } = columns;
  const type = PROPERTY_TYPES[columns.type[row]];
  const built = attributes.yearBuilt[row];
  const sold = yearMonthOf(soldOn[row]).year;
  const nearby = local
    ? `${usd(priceUsd[row] / attributes.livingAreaSqft[row])} per sqft, where ${local.sales} earlier ${type} nearby sold at ${usd(local.medianPerSqft)}`
    : usd(priceUsd[row]);
  const shownBy = ofParcel.find(
    (other) => soldOn[other] > soldOn[row] && availableOn[other] === flaggedOn[row],
  );
  switch (flag) {
    case 'price_outside':
      return `The price is not between ${usd(SALE_LIMITS.leastPriceUsd)} and ${usd(SALE_LIMITS.mostPriceUsd[type])}.`;
    case 'impossible_attributes':
      return 'No home can have these attributes (rooms, area, stories, year built).';
    case 'not_arms_length':
      return 'The publisher says that it was not an arm’s-length sale.';
    case 'duplicate':
      return 'An earlier record has the same home, date and price.';
    case 'bundle':
      return 'Several homes were sold together: each record has the price of all.';
    case 'flip_first_leg': {
      if (shownBy === undefined) return 'It was resold within a year for at least 1.5 times the price.';
      const times = (priceUsd[shownBy] / priceUsd[row]).toFixed(1);
      return `It was resold on ${formatDay(soldOn[shownBy])} for ${times} times the price.`;
    }
    case 'outlier':
      return `The price is far from those of all earlier ${type}: ${nearby}.`;
    case 'inconsistent_price':
      return `${nearby}.`;
    case 'before_construction':
      if (built > sold) return `Sold in ${sold}, before the home was built in ${built}.`;
      if (built === sold) return `Sold as land in ${sold}, the year of construction: ${nearby}.`;
      return `A later record says that the home was built ${yearShownBy(columns, shownBy)}after this sale.`;
    case 'teardown':
      return `The home of ${built} was replaced by one built ${yearShownBy(columns, shownBy)}soon after this sale.`;
    case 'implausible_date':
      return `The date, ${formatDay(soldOn[row])}, is more than ${DATE_GAP.days} days after those of nearly all earlier records: probably mistyped.`;
    case 'excluded_by_review':
    case 'none':
      return '';
  }
}

function yearShownBy({ attributes }: SaleColumns, row: number | undefined): string {
  return row === undefined ? '' : `in ${attributes.yearBuilt[row]}, `;
}

function usd(amount: number): string {
  return `$${Math.round(amount).toLocaleString('en-US')}`;
}
