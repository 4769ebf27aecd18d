import { fireRiskOf, type FireRisk } from '../../domain/fire-risk.ts';
import type { Warning } from '../../domain/warning.ts';
import { burnProbabilityAt } from '../../places/fire.ts';
import type { AddressInfo } from '../address-info.ts';
import { CREDITS } from '../credits.ts';
import type { OperationDeps } from '../deps.ts';
import type { HazardRequest } from './hazard-request.ts';
import { locatePlace, type LocatedPlace } from '../locate-place.ts';

/** Who publishes the rasters, where the operator has named no source at import. */
const DEFAULT_SOURCE = 'USDA Forest Service';

export interface FireRiskAnswer {
  readonly addressInfo: AddressInfo;
  /** As the raster says; null where none has data. */
  readonly probability: number | null;
  readonly risk: FireRisk;
  readonly dataSource: string;
  readonly lat: number;
  readonly lon: number;
  readonly warnings: readonly Warning[];
  readonly credits: number;
}

/**
 * How likely the place is to burn in a year.
 *
 * @throws PlumblineError `address_not_found`
 */
export async function fireRisk(deps: OperationDeps, request: HazardRequest): Promise<FireRiskAnswer> {
  return fireRiskAt(deps, await locatePlace(deps, request.location), request);
}

/** The same where the place is located already. */
export async function fireRiskAt(
  deps: OperationDeps,
  { located: { lat, lon }, addressInfo, warnings }: LocatedPlace,
  request: Omit<HazardRequest, 'location'>,
): Promise<FireRiskAnswer> {
  const found = await burnProbabilityAt(deps.places, lat, lon);
  const probability = found?.probability ?? null;
  return {
    addressInfo,
    probability,
    risk: fireRiskOf(probability),
    dataSource: found?.dataset.source.name ?? DEFAULT_SOURCE,
    lat,
    lon,
    warnings: [...request.warnings, ...warnings],
    credits: CREDITS.hazard,
  };
}
