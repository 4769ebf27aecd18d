import { fireRiskOf } from '../../domain/fire-risk.ts';
import { floodHazardOf } from '../../domain/flood-zone.ts';
import type { Warning } from '../../domain/warning.ts';
import { burnProbabilityAt } from '../../places/fire.ts';
import { openFloodAreas } from '../../places/flood.ts';
import type { FireRiskBody, FloodZoneBody } from '../../schemas/hazards.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { CREDITS, type OperationDeps, type Priced } from '../deps.ts';
import { atRequestedPlace, locationInfoOf, type LocatedPlace, type PlaceRequest } from '../locate-place.ts';

/** The cost of either operation. A dry run returns this number. */
export function hazardCreditsMax(): number {
  return CREDITS.hazard;
}

/** Publisher of the rasters if the operator named no source at import. */
const DEFAULT_SOURCE = 'USDA Forest Service';

/** The annual burn probability of a place. */
export async function fireRiskAt(
  deps: OperationDeps,
  { located, addressInfo }: LocatedPlace,
  request: Pick<PlaceRequest, 'warnings'>,
): Promise<Priced<ResponseOf<typeof FireRiskBody>>> {
  const { lat, lon, warnings } = located;
  const found = await burnProbabilityAt(deps.places, lat, lon);
  const probability = found?.probability ?? null;
  const risk = fireRiskOf(probability);
  const response = {
    locationInfo: locationInfoOf(addressInfo),
    fireRisk: {
      hasFireRisk: probability !== null,
      riskValue: probability,
      riskLevel: risk.level,
      riskCategory: risk.category,
      riskCategoryDisplay: risk.categoryDisplay,
      description: risk.description,
      dataSource: found?.dataset.source.name ?? DEFAULT_SOURCE,
      annualChance: risk.annualChance,
      returnPeriodYears: risk.returnPeriodYears,
      location: { latitude: lat, longitude: lon },
    },
    warnings: [...request.warnings, ...warnings],
  };
  return { response, credits: CREDITS.hazard };
}

export const fireRisk = atRequestedPlace(fireRiskAt);

/** A row of nulls reads like a place without risk, so this warning is added. */
const OUTSIDE_THE_MAP: Warning = {
  code: 'no_flood_data',
  field: 'location',
  message:
    'No data here: no loaded flood map covers this place. This does not mean that there is no flood risk.',
};

/** `sfhaTf` of a special flood hazard area, as FEMA writes it. */
const SFHA_LETTERS = { true: 'T', false: 'F', null: null } as const;

/** The flood zone of a place. */
export async function floodZoneAt(
  deps: OperationDeps,
  { located, addressInfo }: LocatedPlace,
  request: Pick<PlaceRequest, 'warnings'>,
): Promise<Priced<ResponseOf<typeof FloodZoneBody>>> {
  const area = (await openFloodAreas(deps.places, [located]))(located);
  const hazard = area && floodHazardOf(area.zone, area.zoneSubtype);
  const response = {
    locationInfo: locationInfoOf(addressInfo),
    femaFloodZone: {
      versionId: area?.versionId ?? null,
      fldArId: area?.areaId ?? null,
      studyTyp: area?.studyType ?? null,
      fldZone: area?.zone ?? null,
      zoneSubty: area?.zoneSubtype ?? null,
      sfhaTf: hazard && SFHA_LETTERS[`${hazard.isSfha}`],
      staticBfe: area?.staticBfe ?? null,
      vDatum: area?.verticalDatum ?? null,
      lenUnit: area?.lengthUnit ?? null,
      sourceCit: area?.sourceCitation ?? null,
      userLabel: hazard?.label ?? null,
      annualRisk: hazard?.annualRisk ?? null,
      sfha: hazard?.isSfha ?? null,
    },
    warnings: [...request.warnings, ...located.warnings, ...(area ? [] : [OUTSIDE_THE_MAP])],
  };
  return { response, credits: CREDITS.hazard };
}

export const floodZone = atRequestedPlace(floodZoneAt);
