import type { Day } from '../../domain/day.ts';
import { METERS_PER_MILE, milesApart, milesPerDegree, type LatLon } from '../../geo/distance.ts';
import type { Located, ParcelGroup } from '../../locate/located.ts';
import { groupByPoint, NEAR_M, type ParcelPoint } from '../../locate/parcels-at.ts';
import { asOfEnd } from '../../valuation/columns/sale-columns.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import type { ActiveMarket } from '../markets.ts';
import { LOCATION_ERROR_M, type Candidate } from './choose-parcel.ts';
import { NO_RECORD } from './subject-record.ts';

type SoldMarket = Pick<ActiveMarket, 'columns' | 'parcels'>;

/**
 * The parcels that a home can be on. A market without a parcel file knows only homes that were sold: they are
 * candidates for coordinates.
 */
export function parcelsOrSoldHomes(
  market: SoldMarket | null,
  located: Pick<Located, 'lat' | 'lon' | 'parcels' | 'matchLevel'>,
  asOf: Day,
): readonly ParcelGroup[] {
  const isKnown = located.parcels.length > 0 || located.matchLevel !== 'point';
  return isKnown || market === null || market.parcels !== null
    ? located.parcels
    : soldNear(market, located, asOf);
}

/** Homes sold by the as-of date within reach of a point, nearest first. */
function soldNear({ columns }: SoldMarket, at: LatLon, asOf: Day): ParcelGroup[] {
  const { lat, lon, parcelId } = columns;
  const reachMi = NEAR_M / METERS_PER_MILE;
  const perDegree = milesPerDegree(at.lat);
  const points: (ParcelPoint & { row: number })[] = [];
  for (let row = asOfEnd(columns, asOf) - 1; row >= 0; row--) {
    const isNear =
      Math.abs(lat[row] - at.lat) * perDegree.lat <= reachMi &&
      Math.abs(lon[row] - at.lon) * perDegree.lon <= reachMi;
    if (!isNear) continue;
    const there = { lat: lat[row], lon: lon[row] };
    const distanceMi = milesApart(at, there);
    const id = textAt(parcelId, row);
    if (distanceMi <= reachMi && id !== '') points.push({ ...there, parcelId: id, distanceMi, row });
  }
  // The newest row of a parcel says where it is.
  points.sort((a, b) => a.distanceMi - b.distanceMi || b.row - a.row);
  return groupByPoint(points);
}

/**
 * Adds a home that was never sold to candidates that were, as likely as a record without details at the usual error.
 * So a sold home is used only if the details of the request agree with its record.
 */
export function withUnsoldHome(
  candidates: readonly Candidate[],
  market: Pick<SoldMarket, 'parcels'> | null,
): readonly Candidate[] {
  const [nearest] = candidates;
  if (!nearest || market === null || market.parcels !== null || nearest.tie !== 'distance') return candidates;
  const unsold = { parcelIds: [], awayM: LOCATION_ERROR_M, tie: 'distance', records: [NO_RECORD] } as const;
  return [...candidates, unsold].sort((a, b) => a.awayM - b.awayM);
}
