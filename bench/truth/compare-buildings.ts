import type { BoundMarket } from '../../src/valuation/train-market.ts';
import { valueBuilding, type RentApproachModels } from '../../src/valuation/multifamily/value-building.ts';
import { homeAsRecorded, possiblePriceUsd } from '../../test/harness/sample/as-imported.ts';
import { checkValue, FROM_RECORD, type TruthCheck } from './compare-homes.ts';
import type { SampleCounty } from '../../src/load/sample-county/generate-sample-county.ts';
import type { SampleParcel } from '../../src/load/sample-county/homes.ts';
import { trueValueUsd } from '../../src/load/sample-county/true-value.ts';

/** One building valued by sales alone and by three approaches, beside what it is truly worth. */
interface BuildingTruthCheck {
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
