import type { RentListing } from '../../domain/rent.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { flagOutliers, type OutlierRule } from './flag-outliers.ts';
import { isImpossibleUnit } from './impossible-attributes.ts';
import { RENT_LIMITS } from './rent-limits.ts';
import { createFlags, type Mark, type SaleFlag } from './sale-flags.ts';

/**
 * A unit advertised again at the same rent within so many days is still the same vacancy: most are let within two
 * months, and who rents it stays longer than that.
 */
const SAME_VACANCY_DAYS = 60;

/**
 * A rent is an outlier among units of its type and bedrooms as a sale is among its type; the factors are smaller, as
 * bedrooms tell more of a rent than a type of a price: a yearly rent is 12 times the monthly one, a weekly one a
 * quarter of it. Listings of the day itself count: all of an undated file share one.
 */
const RENT_OUTLIERS: OutlierRule<RentListing> = {
  groupOf: ({ type, attributes }) =>
    `${type}/${attributes.bedrooms === null ? '' : Math.min(6, Math.round(attributes.bedrooms))}`,
  measureOf: ({ rentUsd }) => Math.log(rentUsd),
  mostFactorAbove: 6,
  mostFactorBelow: 4,
  judgedBy: 'day',
};

/**
 * Flags of listings already sorted as columns: row i is listings[i]. As with sales, every reason is told from the
 * listing itself and from listings known on or before `flaggedOn`, so that no listing known later changes an earlier
 * answer.
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
  flagOutliers(listings, availableOn, RENT_OUTLIERS, isUnflagged, mark);
  return { flag, flaggedOn };
}

/** What a listing alone gives away. */
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
 * The same unit at the same rent again while it cannot have been let: all but the first known. So are units of one
 * building that are alike to the last member and listed on one day: one rent that somebody set, said several times.
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
    // Without dates no two listings can be told apart by theirs.
    const together = `${alike}|${listing.datePrecision === 'none' ? '' : listing.listedOn}`;
    const days = listing.listedOn - (lastOn.get(unit) ?? -Infinity);
    if (seen.has(together) || days <= SAME_VACANCY_DAYS) mark(row, 'duplicate', availableOn[row]);
    seen.add(together);
    lastOn.set(unit, listing.listedOn);
  });
}
