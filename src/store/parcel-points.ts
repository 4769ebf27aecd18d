import type { Store } from './store.ts';

/** Where a parcel lies and how many homes stand on it: what imports of sales take from the public record. */
export interface ParcelPoint {
  readonly lat: number;
  readonly lon: number;
  readonly totalUnits: number | null;
}

/** Ids a statement: SQLite and PostgreSQL both plan lists of this length as look-ups in the index. */
const LOOK_UP_IDS = 500;

/** The parcels of a version that have one of the ids, by id. */
export async function findParcelPoints(
  store: Store,
  datasetId: number,
  parcelIds: readonly string[],
): Promise<Map<string, ParcelPoint>> {
  const found = new Map<string, ParcelPoint>();
  for (let start = 0; start < parcelIds.length; start += LOOK_UP_IDS) {
    const rows = await store.rows
      .selectFrom('parcels')
      .select(['parcel_id', 'lat', 'lon', 'total_units'])
      .where('dataset_id', '=', datasetId)
      .where('parcel_id', 'in', parcelIds.slice(start, start + LOOK_UP_IDS))
      .execute();
    for (const row of rows) {
      found.set(row.parcel_id, { lat: row.lat, lon: row.lon, totalUnits: row.total_units });
    }
  }
  return found;
}
