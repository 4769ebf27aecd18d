import { dayOfInstant, type Day } from '../domain/day.ts';
import type { Parcel } from '../domain/parcel.ts';
import type { Dataset } from '../store/datasets.ts';
import { insertParcels, readParcels } from '../store/parcels.ts';
import type { Store } from '../store/store.ts';
import { createAddressWriter } from './address-writer.ts';
import { canonicalParcel, canonicalUndatedParcel } from './rows/canonical-rows.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { importRows } from './import-rows.ts';
import { openOwnColumns, type Located, type Pass } from './import-run.ts';
import { openPlaceIndex, type PlaceIndex } from './place-rows.ts';
import type { CellOf } from './rows/bind-columns.ts';
import { readParcel } from './rows/read-rows.ts';
import { RowRejection } from './rows/row-rejection.ts';

type ReadParcel = ReturnType<typeof readParcel>;

/**
 * Loads the public record of parcels. What each record describes is dated by its own `as_of_date`, else by the
 * option, else by the day of import; a record that says what it said before keeps its earlier day.
 */
export async function importParcels(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  const { store } = deps;
  return importRows<'parcels', CellOf, ReadParcel, Parcel>(deps, options, 'parcels', async (run, current) => {
    const places = await openPlaceIndex(store, options.marketId);
    const dayOfImport = dayOfInstant(deps.clock());
    const earlier =
      current && options.asOfDate == null ? await daysOfRecords(store, current) : new Map<string, Day>();
    const dated = (parcel: Omit<Parcel, 'asOf'> & { asOf: Day | null }): Parcel => ({
      ...parcel,
      asOf: parcel.asOf ?? options.asOfDate ?? earlier.get(canonicalUndatedParcel(parcel)) ?? dayOfImport,
    });
    return {
      kind: 'parcels',
      open: openOwnColumns(run),
      read: (cell) => readParcel(cell, run.settings),
      complete: async (pass, batch) =>
        (await placeParcels(pass, batch, places)).map((row) => ({ ...row, value: dated(row.value) })),
      keyOf: (parcel) => parcel.parcelId,
      sharesKeys: false,
      canonical: canonicalParcel,
      readCurrent: (datasetId) => readParcels(store, datasetId),
      insert: (datasetId) => {
        const addresses = createAddressWriter(store, datasetId);
        return async (rows) => {
          await insertParcels(store, datasetId, rows);
          await addresses.add(rows);
        };
      },
    };
  });
}

/** Parcels without coordinates get those of their address. Rows that cannot be located are rejected. */
async function placeParcels(
  pass: Pass<ReadParcel>,
  batch: readonly Located<ReadParcel>[],
  places: PlaceIndex,
): Promise<Located<Omit<Parcel, 'asOf'> & { asOf: Day | null }>[]> {
  const placed: Located<Omit<Parcel, 'asOf'> & { asOf: Day | null }>[] = [];
  for (const { file, line, value } of batch) {
    const { lat, lon } = value;
    const point = lat !== null && lon !== null ? { lat, lon } : await places.address(value.address);
    if (point) placed.push({ file, line, value: { ...value, ...point } });
    else
      pass.log.add(file, line, new RowRejection('rejected', 'not_located', 'address', value.address.street));
  }
  return placed;
}

async function daysOfRecords(store: Store, current: Dataset): Promise<Map<string, Day>> {
  const days = new Map<string, Day>();
  for await (const page of readParcels(store, current.datasetId)) {
    for (const parcel of page) days.set(canonicalUndatedParcel(parcel), parcel.asOf);
  }
  return days;
}
