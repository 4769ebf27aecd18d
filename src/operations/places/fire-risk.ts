import { fireRiskOf } from '../../domain/fire-risk.ts';
import { burnProbabilityAt } from '../../places/fire.ts';
import type { FireRiskBody } from '../../schemas/hazards.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { locationInfoOf } from '../address-info.ts';
import { CREDITS } from '../credits.ts';
import type { OperationDeps, Priced } from '../deps.ts';
import type { HazardRequest } from './hazard-request.ts';
import { locatePlace, type LocatedPlace } from '../locate-place.ts';

/** Publisher of the rasters if the operator named no source at import. */
const DEFAULT_SOURCE = 'USDA Forest Service';

type FireRisk = ResponseOf<typeof FireRiskBody>;

/**
 * The annual burn probability of a place.
 *
 * @throws PlumblineError `address_not_found`
 */
export async function fireRisk(deps: OperationDeps, request: HazardRequest): Promise<Priced<FireRisk>> {
  return fireRiskAt(deps, await locatePlace(deps, request.location), request);
}

/** The same for a place that is already located. */
export async function fireRiskAt(
  deps: OperationDeps,
  { located: { lat, lon }, addressInfo, warnings }: LocatedPlace,
  request: Omit<HazardRequest, 'location'>,
): Promise<Priced<FireRisk>> {
  const found = await burnProbabilityAt(deps.places, lat, lon);
  const probability = found?.probability ?? null;
  const risk = fireRiskOf(probability);
  const response: FireRisk = {
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
