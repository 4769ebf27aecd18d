import { formatDay } from '../domain/day.ts';
import type { RentListing } from '../domain/rent.ts';
import { insertRents, readRents } from '../store/rents.ts';
import { buildRentColumns } from '../valuation/columns/build-rent-columns.ts';
import type { RecordKind } from './record-kind.ts';
import { importRecords } from './import-records.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { canonicalRent } from './rows/canonical-rows.ts';
import { readRent } from './rows/read-rent.ts';
import type { Unplaced } from './rows/read-rows.ts';

const RENTS: RecordKind<Unplaced<RentListing>, RentListing> = {
  kind: 'rents',
  read: readRent,
  place: (listing, point) => ({ ...listing, ...point }),
  // Apartments of one building with the same rent are common, so their attributes are part of the identity of
  // a listing.
  identityOf: ({ listedOn, rentUsd, attributes: { bedrooms, bathrooms, livingAreaSqft } }) =>
    [formatDay(listedOn), rentUsd, bedrooms ?? '', bathrooms ?? '', livingAreaSqft ?? ''].join('/'),
  datesOf: ({ listedOn, datePrecision }) => ({ soldOn: listedOn, recordedOn: null, datePrecision }),
  canonical: canonicalRent,
  buildColumns: buildRentColumns,
  insert: insertRents,
  readCurrent: readRents,
};

/** Loads rental listings into a market. */
export function importRents(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  return importRecords(deps, options, RENTS);
}
