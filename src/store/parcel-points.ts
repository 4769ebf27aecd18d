import { sql } from 'kysely';
import { inBoxOfCircle, within, type Near } from './near.ts';
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
    const rows = await store.db
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

/** A parcel's point and the version it stands in. */
export interface ParcelPlace {
  readonly datasetId: number;
  readonly parcelId: string;
  readonly lat: number;
  readonly lon: number;
}

/**
 * Parcels within the radius, nearest first; ties by dataset and parcel id. For radii of a few miles at most. Asked
 * with every valuation: written as SQL, which takes a third of the time of building it (0.02 of 0.06 ms), and
 * answered from the index alone, as 20 whole rows cost 0.1 ms.
 */
export async function parcelPlacesNear(
  store: Store,
  datasetIds: readonly number[],
  lat: number,
  lon: number,
  radiusMi: number,
): Promise<Near<ParcelPlace>[]> {
  if (datasetIds.length === 0) return [];
  const { rows } = await sql<ParcelPlace>`
    select dataset_id as "datasetId", parcel_id as "parcelId", lat, lon from parcels
    where dataset_id in (${sql.join([...datasetIds])}) and ${inBoxOfCircle({ lat, lon }, radiusMi)}
  `.execute(store.db);
  return within(rows, { lat, lon }, radiusMi, byDatasetAndId);
}

function byDatasetAndId(a: ParcelPlace, b: ParcelPlace): number {
  return a.datasetId - b.datasetId || (a.parcelId < b.parcelId ? -1 : 1);
}
