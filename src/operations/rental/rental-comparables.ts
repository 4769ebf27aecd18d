import { formatDay, type Day } from '../../domain/day.ts';
import { RENT_FEATURES } from '../../domain/rent.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { asOfEnd } from '../../valuation/columns/sale-columns.ts';
import { rentalFieldNameOf } from '../../schemas/field-names.ts';
import type { Adjustment } from '../../valuation/comparables/adjustments.ts';
import { homeOfSale } from '../../valuation/columns/home-of-sale.ts';
import type { UnitComparable } from '../../valuation/rental/value-units.ts';
import type { ValuedBuilding } from '../../valuation/rental/value-units.ts';
import { comparablePlaceOf, comparablesList, recordSourceOf } from '../valuation/comparable-members.ts';
import type { BoundActiveMarket } from '../markets.ts';
import type { SearchParams } from '../valuation/requests.ts';
import type { RentalValuation, RentComparable } from '../valuation/responses.ts';
import { perSqft } from '../valuation/value-figures.ts';

/** The requested listings, best first, each with its adjustment grid. */
export function rentComparablesOf(
  market: BoundActiveMarket,
  search: SearchParams,
  { comparables }: ValuedBuilding,
  asOf: Day,
): RentalValuation['comparables'] {
  const saysLastSeen = comparables.items.length > 0 && hasLastSeenDays(market.columns, asOf);
  const items = comparables.items.map((item) => rentComparableOf(market, item, asOf, saysLastSeen));
  return comparablesList(search, items, comparables.candidates);
}

/**
 * Whether the publisher reports when listings were removed. If so, a listing that was not removed by the day
 * was still on the market.
 */
function hasLastSeenDays(columns: SaleColumns, asOf: Day): boolean {
  const { lastSeenOn } = columns;
  return lastSeenOn !== null && lastSeenOn.subarray(0, asOfEnd(columns, asOf)).some((day) => day <= asOf);
}

function rentComparableOf(
  market: BoundActiveMarket,
  item: UnitComparable,
  asOf: Day,
  saysLastSeen: boolean,
): RentComparable {
  const { columns } = market;
  const { row } = item;
  const place = comparablePlaceOf(columns, row, item.distanceMi);
  const listedOn = columns.soldOn[row];
  // An observation after the value date was not known on that date.
  const lastSeenOn = Math.min(asOf, columns.lastSeenOn?.[row] ?? asOf);
  const isGone = columns.lastSeenOn !== null && columns.lastSeenOn[row] <= asOf;
  const furnished = homeOfSale(columns, row).features[RENT_FEATURES.isFurnished];
  return {
    ...place,
    rent: item.salePriceUsd,
    listedDate: formatDay(listedOn),
    lastSeenDate: isGone ? formatDay(lastSeenOn) : null,
    daysOnMarket: saysLastSeen ? Math.max(0, lastSeenOn - listedOn) : null,
    rentPerSqft: perSqft(item.salePriceUsd, place.livingArea),
    timeAdjustedRent: item.timeAdjustedPriceUsd,
    adjustments: item.adjustments.map(adjustmentLine),
    adjustedRent: item.adjustedPriceUsd,
    similarity: item.similarity,
    weight: item.weight,
    isFurnished: furnished === undefined ? null : furnished === '1',
    unitIndex: item.unitIndexes,
    armsLength: null,
    source: recordSourceOf(market, row),
  };
}

const AMENITIES: ReadonlySet<string> = new Set(Object.values(RENT_FEATURES));

/**
 * Yes/no values are 1/0 in every line of the adjustment grid. Attributes that only rents have are stored as
 * text in the columns.
 */
function adjustmentLine(line: Adjustment): RentComparable['adjustments'][number] {
  const field = rentalFieldNameOf(line.field);
  if (!AMENITIES.has(line.field)) return { ...line, field };
  return { ...line, field, subject: Number(line.subject), comp: Number(line.comp) };
}
