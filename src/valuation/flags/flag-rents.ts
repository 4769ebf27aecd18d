import type { RentListing } from '../../domain/rent.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { flagOutliers, type OutlierRule } from './flag-outliers.ts';
import { isImpossibleUnit, RENT_LIMITS } from './limits.ts';
import { createFlags, type Mark, type SaleFlag } from './sale-flags.ts';

/** Listed again within this many days, a unit is still vacant: most let within two months. */
const SAME_VACANCY_DAYS = 60;

/**
 * A rent is compared with units of its type and bedrooms. The factors are smaller than for sales,
 * because bedrooms explain more of a rent: a yearly rent is 12 times the monthly one, a weekly one
 * a quarter of it. Listings of the same day count too: an undated file has one day for all.
 */
const RENT_OUTLIERS = {
  mostFactorAbove: 6,
  mostFactorBelow: 4,
  judgedBy: 'day',
} as const satisfies Partial<OutlierRule>;

function outlierGroupOf({ type, attributes: { bedrooms } }: RentListing): string {
  return `${type}/${bedrooms === null ? '' : Math.min(6, Math.round(bedrooms))}`;
}

/**
 * Flags listings already sorted as columns: row i is listings[i]. Every flag follows from listings
 * on record by `flaggedOn`, so that a later listing changes no earlier result.
 */
export function flagRents(
  listings: readonly RentListing[],
  columns: Pick<SaleColumns, 'n' | 'availableOn' | 'parcel'>,
): Pick<SaleColumns, 'flag' | 'flaggedOn'> {
  const { availableOn } = columns;
  const { flag, flaggedOn, mark, isUnflagged } = createFlags(columns);
  listings.forEach((listing, row) => {
    const reason = flagByOwnRecord(listing);
    if (reason) mark(row, reason, availableOn[row]);
  });
  flagRepeats(listings, columns, mark);
  const rule = {
    ...RENT_OUTLIERS,
    groupOf: (row: number) => outlierGroupOf(listings[row]),
    measureOf: (row: number) => Math.log(listings[row].rentUsd),
  };
  flagOutliers(availableOn, rule, isUnflagged, mark);
  return { flag, flaggedOn };
}

function flagByOwnRecord(listing: RentListing): SaleFlag | null {
  const { rentUsd, attributes } = listing;
  const { leastRentUsd, mostRentUsd, mostRentPerSqftUsd } = RENT_LIMITS;
  const last = mostRentUsd.length - 1;
  const most = mostRentUsd[Math.min(last, Math.floor(attributes.bedrooms ?? last))];
  if (rentUsd < leastRentUsd || rentUsd > most) return 'price_outside';
  if (isImpossibleUnit(listing)) return 'impossible_attributes';
  const { livingAreaSqft } = attributes;
  return livingAreaSqft !== null && rentUsd > livingAreaSqft * mostRentPerSqftUsd ? 'price_outside' : null;
}

/**
 * Flags repeated listings of a unit at the same rent during one vacancy, all but the first, and
 * identical units of one building listed on one day at one rent: one asking rent, listed often.
 */
function flagRepeats(
  listings: readonly RentListing[],
  { availableOn, parcel }: Pick<SaleColumns, 'availableOn' | 'parcel'>,
  mark: Mark,
): void {
  const lastOn = new Map<string, number>();
  const seen = new Set<string>();
  listings.forEach((listing, row) => {
    const { bedrooms, bathrooms, livingAreaSqft } = listing.attributes;
    const alike = [parcel[row], bedrooms, bathrooms, livingAreaSqft, listing.rentUsd].join('|');
    const unit = `${alike}|${listing.address.street}`;
    // Undated listings are compared without dates.
    const together = `${alike}|${listing.datePrecision === 'none' ? '' : listing.listedOn}`;
    const days = listing.listedOn - (lastOn.get(unit) ?? -Infinity);
    if (seen.has(together) || days <= SAME_VACANCY_DAYS) mark(row, 'duplicate', availableOn[row]);
    seen.add(together);
    lastOn.set(unit, listing.listedOn);
  });
}
