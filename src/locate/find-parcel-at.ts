import { METERS_PER_MILE } from '../geo/distance.ts';
import { parcelsNear } from '../store/parcels.ts';
import type { AddressSources } from './known-place.ts';
import type { AddressFinding } from './match-address.ts';

/** A parcel's point is inside it. Farther than this from a home's point it is probably the neighbor's. */
export const NEAR_M = 30;

/** Condominiums and stacked parcels share a point. */
const SAME_POINT_M = 1;

/** The nearest parcel is used only if the next one is at least this many times as far. */
const CLEARLY_FARTHER = 2;

/**
 * The parcel of a matched address point: of the requested unit, otherwise of the building if all rows agree.
 * Units of a condominium are separate parcels, and none of them is the building.
 */
export function parcelOfMatch({ asked, best }: Pick<AddressFinding, 'asked' | 'best'>): string | null {
  const withParcel = best.filter(({ row }) => row.parcelId !== null);
  const exact = withParcel.find(({ row }) => row.key.unit === asked.unit);
  if (exact) return exact.row.parcelId;
  const ids = new Set(withParcel.map(({ row }) => row.parcelId));
  return ids.size === 1 ? withParcel[0].row.parcelId : null;
}

/** The parcel at a point, if there is one and no other could be meant. */
export async function parcelAt(sources: AddressSources, lat: number, lon: number): Promise<string | null> {
  const near = await parcelsNear(
    sources.store,
    sources.parcelDatasetIds,
    lat,
    lon,
    (2 * NEAR_M) / METERS_PER_MILE,
  );
  const [nearest] = near;
  if (!nearest) return null;
  const meters = nearest.distanceMi * METERS_PER_MILE;
  if (meters > NEAR_M) return null;
  const other = near.find((parcel) => parcel.parcelId !== nearest.parcelId);
  if (!other) return nearest.parcelId;
  const otherMeters = other.distanceMi * METERS_PER_MILE;
  return otherMeters >= Math.max(CLEARLY_FARTHER * meters, meters + SAME_POINT_M) ? nearest.parcelId : null;
}
