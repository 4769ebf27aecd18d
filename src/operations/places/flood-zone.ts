import { floodHazardOf, type FloodArea, type FloodHazard } from '../../domain/flood-zone.ts';
import type { Warning } from '../../domain/warning.ts';
import { floodAreaAt } from '../../places/flood.ts';
import type { AddressInfo } from '../address-info.ts';
import { CREDITS } from '../credits.ts';
import type { OperationDeps } from '../deps.ts';
import type { HazardRequest } from './hazard-request.ts';
import { locatePlace, type LocatedPlace } from '../locate-place.ts';

export interface FloodZoneAnswer {
  readonly addressInfo: AddressInfo;
  /** Null outside the map. */
  readonly zone: { readonly area: FloodArea; readonly hazard: FloodHazard } | null;
  readonly warnings: readonly Warning[];
  readonly credits: number;
}

/** A row of nulls reads like a place without risk: said, so that nobody takes it for one. */
const OUTSIDE_THE_MAP: Warning = {
  code: 'no_flood_data',
  field: 'location',
  message: 'No data here: no flood map that is loaded covers this place, so nothing can be said of floods.',
};

/**
 * The flood zone of a place.
 *
 * @throws PlumblineError `address_not_found`
 */
export async function floodZone(deps: OperationDeps, request: HazardRequest): Promise<FloodZoneAnswer> {
  return floodZoneAt(deps, await locatePlace(deps, request.location), request);
}

/** The same where the place is located already. */
export async function floodZoneAt(
  deps: OperationDeps,
  { located, addressInfo, warnings }: LocatedPlace,
  request: Omit<HazardRequest, 'location'>,
): Promise<FloodZoneAnswer> {
  const area = await floodAreaAt(deps.places, located.lat, located.lon);
  const hazard = area && floodHazardOf(area.zone, area.zoneSubtype);
  return {
    addressInfo,
    zone: area && hazard && { area, hazard },
    warnings: [...request.warnings, ...warnings, ...(area ? [] : [OUTSIDE_THE_MAP])],
    credits: CREDITS.hazard,
  };
}
