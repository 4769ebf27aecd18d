import { floodHazardOf, type FloodHazard } from '../../domain/flood-zone.ts';
import type { Warning } from '../../domain/warning.ts';
import { floodAreaAt } from '../../places/flood.ts';
import type { FloodZoneBody } from '../../schemas/hazards.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { locationInfoOf } from '../address-info.ts';
import { CREDITS } from '../credits.ts';
import type { OperationDeps, Priced } from '../deps.ts';
import type { HazardRequest } from './hazard-request.ts';
import { locatePlace, type LocatedPlace } from '../locate-place.ts';

type FloodZone = ResponseOf<typeof FloodZoneBody>;

/** A row of nulls reads like a place without risk, so this warning is added. */
const OUTSIDE_THE_MAP: Warning = {
  code: 'no_flood_data',
  field: 'location',
  message:
    'No data here: no loaded flood map covers this place. This does not mean that there is no flood risk.',
};

/**
 * The flood zone of a place.
 *
 * @throws PlumblineError `address_not_found`
 */
export async function floodZone(deps: OperationDeps, request: HazardRequest): Promise<Priced<FloodZone>> {
  return floodZoneAt(deps, await locatePlace(deps, request.location), request);
}

/** The same for a place that is already located. */
export async function floodZoneAt(
  deps: OperationDeps,
  { located, addressInfo, warnings }: LocatedPlace,
  request: Omit<HazardRequest, 'location'>,
): Promise<Priced<FloodZone>> {
  const area = await floodAreaAt(deps.places, located.lat, located.lon);
  const hazard = area && floodHazardOf(area.zone, area.zoneSubtype);
  const response: FloodZone = {
    locationInfo: locationInfoOf(addressInfo),
    femaFloodZone: {
      versionId: area?.versionId ?? null,
      fldArId: area?.areaId ?? null,
      studyTyp: area?.studyType ?? null,
      fldZone: area?.zone ?? null,
      zoneSubty: area?.zoneSubtype ?? null,
      sfhaTf: hazard && sfhaLetter(hazard),
      staticBfe: area?.staticBfe ?? null,
      vDatum: area?.verticalDatum ?? null,
      lenUnit: area?.lengthUnit ?? null,
      sourceCit: area?.sourceCitation ?? null,
      userLabel: hazard?.label ?? null,
      annualRisk: hazard?.annualRisk ?? null,
      sfha: hazard?.isSfha ?? null,
    },
    warnings: [...request.warnings, ...warnings, ...(area ? [] : [OUTSIDE_THE_MAP])],
  };
  return { response, credits: CREDITS.hazard };
}

/** Special flood hazard area, as FEMA writes it. */
function sfhaLetter({ isSfha }: FloodHazard): string | null {
  return isSfha === null ? null : isSfha ? 'T' : 'F';
}
