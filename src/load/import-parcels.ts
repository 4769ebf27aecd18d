import { addressPartsOf } from '../domain/address-parts.ts';
import type { AddressPoint } from '../domain/address.ts';
import type { Day } from '../domain/day.ts';
import type { Parcel } from '../domain/parcel.ts';
import { insertAddressPoints, readAddressPoints } from '../store/address-points.ts';
import { findParcels, insertParcels, readParcels } from '../store/property-records.ts';
import { createAddressWriter, openPlaceIndex, pointOf } from './address-index.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { createRowCheck, importRows, type RowIdentity } from './import-rows.ts';
import { createInspectedRows, type InspectedRows } from './inspected-rows.ts';
import { completeParcel } from './parcel-facts.ts';
import { openColumns, type RowAt } from './read-files.ts';
import { RowRejection } from './rejections.ts';
import { canonicalAddressPoint, canonicalParcel, canonicalUndatedParcel } from './rows/canonical-rows.ts';
import { readAddressPoint, readParcel, type ReadSettings } from './rows/read-rows.ts';

const PARCELS: RowIdentity<Parcel> = { keyOf: (parcel) => parcel.parcelId, canonical: canonicalParcel };

const ADDRESSES: RowIdentity<AddressPoint> = {
  keyOf: ({ address: { street, city, stateCode, postalCode } }) =>
    [street, city, stateCode, postalCode].join('|').toUpperCase(),
  sharesKeys: true,
  canonical: canonicalAddressPoint,
};

/** Reads the parcels of a file that is inspected, without a market. */
export function inspectParcels(settings: ReadSettings): InspectedRows {
  const rows = createInspectedRows();
  const { textOfNew } = createRowCheck('parcels', PARCELS);
  return {
    ...rows,
    read(cell, line) {
      const parcel = readParcel(cell, settings);
      const { lat, lon, asOf } = parcel;
      const located = { ...parcel, lat: lat ?? 0, lon: lon ?? 0, asOf: asOf ?? settings.today };
      // A parcel without an address is placed by the market's parcel of its id.
      const parcelId = parcel.address.street === '' ? parcel.parcelId : null;
      rows.add(textOfNew(located) === null, { ...parcel, parcelId }, line);
    },
  };
}

/** Reads the addresses of a file that is inspected. */
export function inspectAddresses(): InspectedRows {
  const rows = createInspectedRows();
  const { textOfNew } = createRowCheck('addresses', ADDRESSES);
  return {
    ...rows,
    read(cell, line) {
      const point = readAddressPoint(cell);
      rows.add(textOfNew(point) === null, point, line);
    },
  };
}

/**
 * Imports the public record of parcels. A record is dated by its own `as_of_date`, else by the option, else by the day
 * of import; a record without changes keeps its earlier day. A row without a place, or without facts, is completed from
 * the market's parcel of its id. Rows that cannot be located are rejected.
 */
export async function importParcels(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  const { store } = deps;
  return importRows<'parcels', ReturnType<typeof readParcel>, Parcel>(
    deps,
    options,
    'parcels',
    async (run, current) => {
      const places = await openPlaceIndex(store, options.marketId);
      const earlier = new Map<string, Day>();
      if (current && options.asOfDate == null) {
        for await (const page of readParcels(store, current.rowsId)) {
          for (const parcel of page) earlier.set(canonicalUndatedParcel(parcel), parcel.asOf);
        }
      }
      const dayOf = (parcel: Omit<Parcel, 'asOf'>): Day =>
        options.asOfDate ?? earlier.get(canonicalUndatedParcel(parcel)) ?? run.settings.today;
      return {
        open: openColumns(run, (cell) => readParcel(cell, run.settings)),
        complete: async ({ log }, batch) => {
          const parcels: RowAt<Parcel>[] = [];
          const ids = batch.map(({ value }) => value.parcelId);
          const known = options.replace || !current ? null : await findParcels(store, [current.rowsId], ids);
          for (const row of batch) {
            const value = completeParcel(row.value, known?.get(row.value.parcelId));
            const point = await pointOf(value, places);
            if (point) {
              const located = { ...value, ...point };
              parcels.push({ ...row, value: { ...located, asOf: value.asOf ?? dayOf(located) } });
            } else {
              const shown = value.address.street || value.parcelId;
              log.add(row, new RowRejection('rejected', 'not_located', 'address', shown));
            }
          }
          return parcels;
        },
        ...PARCELS,
        readCurrent: (rowsId) => readParcels(store, rowsId),
        insert: (datasetId) => {
          const addAddresses = createAddressWriter(store, datasetId);
          return async (rows) => {
            await insertParcels(store, datasetId, rows);
            await addAddresses(rows);
          };
        },
      };
    },
  );
}

/** Imports addresses with coordinates, which locate subjects, sales and parcels. The text of an address is its key. */
export async function importAddresses(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  const { store } = deps;
  return importRows<'addresses', AddressPoint, AddressPoint>(deps, options, 'addresses', async (run) => ({
    open: openColumns(run, readAddressPoint),
    complete: async (_pass, batch) => batch,
    ...ADDRESSES,
    readCurrent: (rowsId) => readAddressPoints(store, rowsId),
    insert: (datasetId) => (rows) =>
      insertAddressPoints(
        store,
        datasetId,
        rows.map((point) => ({ ...point, key: addressPartsOf(point.address), knownOn: null })),
      ),
  }));
}
