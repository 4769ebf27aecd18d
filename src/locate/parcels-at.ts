import { METERS_PER_MILE, metersApart, type LatLon } from '../geo/distance.ts';
import { addressPointsNear } from '../store/address-points.ts';
import { parcelsNear } from '../store/property-records.ts';
import type { AddressSources } from './known-place.ts';
import type { Located, ParcelGroup } from './located.ts';

/** A parcel's point is inside it. Farther than this from a home's point it is probably the neighbor's. */
export const NEAR_M = 30;

/** Condominiums and stacked parcels share a point. */
const SAME_POINT_M = 1;

/**
 * The nearest parcel is certain if the next one is at least this many times as far. Of 2,000 Milwaukee homes
 * whose coordinates were moved by 8 m, twice as far gave 4% another parcel, three times as far none.
 */
const CLEARLY_FARTHER = 3;

/** Candidates beyond this distance are never chosen. */
const CANDIDATE_M = 40;

/**
 * The parcels that a home at this point can be on, nearest first. A parcel whose polygon contains the point is
 * at no distance. Where a neighbor's point is nearly as near, the polygon is not proof: a geocoder's error of 8 m
 * crosses the border of a narrow lot in a third of the cases.
 */
export async function parcelsAt(
  sources: AddressSources,
  lat: number,
  lon: number,
): Promise<Pick<Located, 'parcelId' | 'parcels'>> {
  const groups = groupByPoint(await pointsNear(sources, lat, lon));
  const [nearest, next] = groups;
  const parcelIds = await sources.parcelsContaining(lat, lon);
  if (parcelIds.length > 0) {
    const isInside = (group: ParcelGroup): boolean => group.parcelIds.some((id) => parcelIds.includes(id));
    const others = groups.filter((group) => !isInside(group) && group.awayM <= CANDIDATE_M);
    const inside = { parcelIds, awayM: 0, tie: 'distance' } as const;
    return parcelsOf(nearest && isInside(nearest) && isClear(nearest, next) ? [inside] : [inside, ...others]);
  }
  if (!nearest || nearest.awayM > NEAR_M) return { parcelId: null, parcels: [] };
  return parcelsOf(isClear(nearest, next) ? [nearest] : groups.filter(({ awayM }) => awayM <= CANDIDATE_M));
}

function isClear(nearest: ParcelGroup, next: ParcelGroup | undefined): boolean {
  return !next || next.awayM >= CLEARLY_FARTHER * nearest.awayM + SAME_POINT_M;
}

/** These parcels, and the parcel that is certain if there is only one. */
export function parcelsOf(parcels: readonly ParcelGroup[]): Pick<Located, 'parcelId' | 'parcels'> {
  const [first] = parcels;
  const isOne = parcels.length === 1 && first.parcelIds.length === 1;
  return { parcelId: isOne ? first.parcelIds[0] : null, parcels };
}

/** A parcel at a distance from the point in question. */
export interface ParcelPoint extends LatLon {
  readonly parcelId: string;
  readonly distanceMi: number;
}

/** Points of the parcel file; without it, addresses that name their parcel. */
async function pointsNear(sources: AddressSources, lat: number, lon: number): Promise<ParcelPoint[]> {
  const radiusMi = (2 * NEAR_M) / METERS_PER_MILE;
  const parcels = await parcelsNear(sources.store, sources.parcelRowsIds, lat, lon, radiusMi);
  if (parcels.length > 0) return parcels;
  const { store, rowsIds, knownBy } = sources;
  const addresses = await addressPointsNear(store, rowsIds, lat, lon, radiusMi, { knownBy });
  return addresses.flatMap(({ parcelId, ...point }) => (parcelId === null ? [] : [{ ...point, parcelId }]));
}

/** @param points nearest first */
export function groupByPoint(points: readonly ParcelPoint[]): ParcelGroup[] {
  const groups: { at: ParcelPoint; parcelIds: string[]; awayM: number; tie: 'distance' }[] = [];
  const seen = new Set<string>();
  for (const point of points) {
    if (seen.has(point.parcelId)) continue;
    seen.add(point.parcelId);
    const same = groups.find(({ at }) => metersApart(at, point) <= SAME_POINT_M);
    if (same) same.parcelIds.push(point.parcelId);
    else {
      const awayM = point.distanceMi * METERS_PER_MILE;
      groups.push({ at: point, parcelIds: [point.parcelId], awayM, tie: 'distance' });
    }
  }
  return groups.map(({ at: _at, ...group }) => group);
}
