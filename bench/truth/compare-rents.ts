import { attributesOf } from '../../src/domain/property.ts';
import { valueUnits } from '../../src/valuation/rental/value-units.ts';
import type { Home } from '../../src/valuation/subject.ts';
import type { BoundMarket } from '../../src/valuation/train-market.ts';
import { homeAsRecorded } from '../../test/harness/sample/as-imported.ts';
import { checkValue, FROM_RECORD, type TruthCheck } from './compare-homes.ts';
import { normal, streamOf } from '../../src/load/sample-county/random-draws.ts';
import {
  RENT_NOISE_SD,
  trueMonthlyRentUsd,
  unitsOf,
  type RentUnit,
} from '../../src/load/sample-county/sales-and-rents.ts';
import type { SampleCounty } from '../../src/load/sample-county/generate-sample-county.ts';
import type { SampleParcel } from '../../src/load/sample-county/homes.ts';

/** The rents of one building beside what its units truly let for. */
interface RentTruthCheck {
  /** In the order of its units. */
  readonly units: readonly TruthCheck[];
  /** Of all units together. */
  readonly total: TruthCheck;
}

/**
 * Values every unit of some buildings, as of the county's day, as an owner would ask: the building by the assessor's
 * record, bedrooms, bathrooms, size and furnishing of each unit, nothing of parking.
 */
export function compareRentsWithTruth(
  county: SampleCounty,
  market: BoundMarket,
  parcels: readonly SampleParcel[],
): RentTruthCheck[] {
  const moment = { asOf: county.asOf, knownBy: county.asOf };
  return parcels.map((parcel) => {
    const { units } = unitsOf(county.seed, parcel);
    const valued = valueUnits(market, buildingOf(county, parcel), units, FROM_RECORD, moment);
    const truths = units.map((unit) => truthOf(county, parcel, unit));
    return {
      units: valued.units.map((each, u) => ({
        parcel,
        ...checkValue(
          { pointUsd: each.valued.estimate.pointUsd, distribution: each.valued.distribution },
          truths[u],
        ),
      })),
      total: {
        parcel,
        ...checkValue(valued.total, {
          trueUsd: truths.reduce((sum, { trueUsd }) => sum + trueUsd, 0),
          possibleUsd: truths.reduce((sum, { possibleUsd }) => sum + possibleUsd, 0),
        }),
      },
    };
  });
}

/** Parcels that are let, drawn at random; the same for the same county. */
export function drawBuildings(county: SampleCounty, count: number): SampleParcel[] {
  const random = streamOf(county.seed, 'buildings to check');
  return county.parcels
    .filter((parcel) => unitsOf(county.seed, parcel).isRented)
    .map((parcel) => ({ parcel, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ parcel }) => parcel);
}

/** What the record says of the building; rooms and area of the whole are no unit's. */
function buildingOf(county: SampleCounty, parcel: SampleParcel): Home {
  const home = homeAsRecorded(county, parcel);
  const none = { bedrooms: null, bathrooms: null, livingAreaSqft: null };
  return { ...home, attributes: attributesOf({ ...home.attributes, ...none }) };
}

/** What a unit truly lets for, and what may be asked for it: that with the noise of a listing. */
function truthOf(county: SampleCounty, parcel: SampleParcel, unit: RentUnit) {
  const trueUsd = trueMonthlyRentUsd(parcel, unit, county.asOf);
  const random = streamOf(county.seed, `possible rent ${parcel.index} ${unit.unit}`);
  return { trueUsd, possibleUsd: trueUsd * Math.exp(RENT_NOISE_SD * normal(random)) };
}
