import type { BoundMarket } from '../../valuation/train-market.ts';
import { valueBuilding, type RentApproachModels } from '../../valuation/multifamily/value-building.ts';
import { homeAsRecorded, possiblePriceUsd } from './as-imported.ts';
import { checkValue, FROM_RECORD, type TruthCheck } from './compare-with-truth.ts';
import type { SampleCounty, SampleParcel } from './sample-county.ts';
import { trueValueUsd } from './true-value.ts';

/** One building valued by sales alone and by three approaches, beside what it is truly worth. */
export interface BuildingTruthCheck {
  readonly bySales: TruthCheck;
  readonly reconciled: TruthCheck;
}

/** Values buildings of two units and more from the assessor's record, as the service would today. */
export function compareBuildingsWithTruth(
  county: SampleCounty,
  property: BoundMarket,
  approaches: RentApproachModels,
  parcels: readonly SampleParcel[],
): BuildingTruthCheck[] {
  const moment = { asOf: county.asOf, knownBy: county.asOf };
  return parcels.map((parcel) => {
    const home = homeAsRecorded(county, parcel);
    const valued = valueBuilding(property, approaches, home, FROM_RECORD, moment);
    const truth = {
      trueUsd: trueValueUsd(parcel, county.asOf),
      possibleUsd: possiblePriceUsd(county, parcel),
    };
    const { estimate, distribution } = valued.property;
    return {
      bySales: { parcel, ...checkValue({ pointUsd: estimate.pointUsd, distribution }, truth) },
      reconciled: { parcel, ...checkValue(valued, truth) },
    };
  });
}
