import { addMonths } from '../../domain/day.ts';
import { RENT_FEATURES, type RentListing } from '../../domain/rent.ts';
import type { Sale } from '../../domain/sale.ts';
import { flagRents } from '../flags/flag-rents.ts';
import { assembleColumns, fillColumn } from './build-columns.ts';
import { codeParcels } from './parcel-codes.ts';
import { NEVER, type SaleColumns } from './sale-columns.ts';

/**
 * The listings of one market as columns. A listing is available on the day it is listed; where only
 * the month is known, on the month's last day. `is_furnished` and `has_parking` become features
 * ('1', '0', or absent where unknown).
 */
export function buildRentColumns(listings: readonly RentListing[]): SaleColumns {
  const sales = listings.map((listing) => ({ ...saleOfListing(listing), listing }));
  const { rows, columns } = assembleColumns(sales, { recordingLagDays: 0 });
  const sorted = rows.map(({ listing }) => listing);
  const parcel = codeParcels({ ...columns, kind: 'rents' });
  return {
    ...columns,
    kind: 'rents',
    parcel,
    lastSeenOn: fillColumn(new Int32Array(sorted.length), sorted, ({ lastSeenOn }) => lastSeenOn ?? NEVER),
    ...flagRents(sorted, { ...columns, parcel }),
  };
}

/** A listing in the shape of a sale. */
function saleOfListing(listing: RentListing): Sale {
  const { recordId, parcelId, listedOn, datePrecision, rentUsd, address, lat, lon, type, attributes } =
    listing;
  return {
    recordId,
    parcelId,
    soldOn: listedOn,
    recordedOn: datePrecision === 'month' ? addMonths(listedOn, 1) - 1 : listedOn,
    datePrecision,
    priceUsd: rentUsd,
    address,
    lat,
    lon,
    type,
    attributes,
    features: {
      ...listing.features,
      ...yesNo(RENT_FEATURES.isFurnished, listing.isFurnished),
      ...yesNo(RENT_FEATURES.hasParking, listing.hasParking),
    },
    isArmsLength: null,
  };
}

function yesNo(name: string, value: boolean | null): Record<string, string> {
  return value === null ? {} : { [name]: value ? '1' : '0' };
}
