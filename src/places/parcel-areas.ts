import { mayReach } from '../geo/bounds.ts';
import { openDatasets, type PlaceDeps } from './deps.ts';

/** Ids of the parcels whose polygons contain the point: several for condominiums drawn on one lot. */
export async function parcelsContaining(deps: PlaceDeps, lat: number, lon: number): Promise<string[]> {
  const layers = await openDatasets(deps, 'parcel-areas', deps.areaLayers, (bounds) =>
    mayReach(bounds, lat, lon, 0),
  );
  const ids = layers.flatMap(({ data: { map, records } }) =>
    map.areasAt(lat, lon).map((area) => String(records[area].parcel_id)),
  );
  return [...new Set(ids)];
}
