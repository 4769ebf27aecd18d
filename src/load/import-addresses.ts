import type { AddressPoint } from '../domain/address.ts';
import { insertAddressPoints, readAddressPoints } from '../store/address-points.ts';
import { keyedPoint } from './address-writer.ts';
import { canonicalAddressPoint } from './rows/canonical-rows.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { importRows } from './import-rows.ts';
import type { CellOf } from './rows/bind-columns.ts';
import { openOwnColumns } from './import-run.ts';
import { readAddressPoint } from './rows/read-rows.ts';

/** Loads addresses with coordinates: what locates subjects, sales and parcels. A later import replaces an address by its text. */
export async function importAddresses(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  return importRows<'addresses', CellOf, AddressPoint, AddressPoint>(
    deps,
    options,
    'addresses',
    async (run) => ({
      kind: 'addresses',
      open: openOwnColumns(run),
      read: readAddressPoint,
      complete: async (_pass, batch) => [...batch],
      keyOf: ({ address }) =>
        [address.street, address.city, address.stateCode, address.postalCode].join('|').toUpperCase(),
      sharesKeys: true,
      canonical: canonicalAddressPoint,
      readCurrent: (datasetId) => readAddressPoints(deps.store, datasetId),
      insert: (datasetId) => (rows) => insertAddressPoints(deps.store, datasetId, rows.map(keyedPoint)),
    }),
  );
}
