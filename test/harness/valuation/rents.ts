import { attributesOf } from '../../../src/domain/property.ts';
import type { RentListing } from '../../../src/domain/rent.ts';
import { buildRentColumns } from '../../../src/valuation/columns/build-columns.ts';
import { type SaleColumns, homeOfSale } from '../../../src/valuation/columns/sale-columns.ts';
import type { Predictor } from '../../../src/valuation/model/predictor.ts';
import { seededRandom } from '../../../src/valuation/random.ts';
import { flatIndex } from './market.ts';
import type { Home } from '../../../src/valuation/subject.ts';
import type { ModelBuilder } from '../../../src/valuation/train-job.ts';

/** A made-up town of rented buildings with known true rents. */
export const TEST_RENTS = {
  listedOn: 17_000,
  lat: 41,
  lon: -93,
  /** Standard deviations in ln USD of a building's offset and of a unit around it: ρ = 0.64. */
  buildingSd: 0.12,
  unitSd: 0.09,
} as const;

/** The monthly rent in ln USD of a unit in a building without an offset. */
export function trueLogRent(home: Home): number {
  const { bedrooms, bathrooms } = home.attributes;
  return 7 + 0.2 * (bedrooms ?? 1) + 0.1 * (bathrooms ?? 1) + 2 * (home.lat - TEST_RENTS.lat);
}

/** Listings of buildings with 1 to 8 units. With `spanDays` 0 all are listed on one day. */
export function testListings(buildings: number, { seed = 1, spanDays = 0 } = {}): RentListing[] {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: buildings }, (_, b) => {
    const place = { lat: TEST_RENTS.lat + random() * 0.05, lon: TEST_RENTS.lon + random() * 0.05 };
    const level = TEST_RENTS.buildingSd * normal();
    return Array.from({ length: 1 + Math.floor(8 * random()) }, (__, u): RentListing => {
      const attributes = attributesOf({
        bedrooms: Math.floor(4 * random()),
        bathrooms: 1 + Math.floor(2 * random()),
      });
      const home: Home = { ...place, type: 'condos', attributes, features: {}, parcelId: null };
      return {
        recordId: `R${b}-${u}`,
        parcelId: null,
        listedOn: TEST_RENTS.listedOn + Math.floor(spanDays * random()),
        lastSeenOn: null,
        datePrecision: spanDays === 0 ? 'none' : 'day',
        rentUsd: Math.round(Math.exp(trueLogRent(home) + level + TEST_RENTS.unitSd * normal())),
        address: { street: `${b} MAIN ST #${u}`, city: '', stateCode: '', postalCode: '' },
        ...place,
        type: 'condos',
        attributes,
        isFurnished: random() < 0.1,
        hasParking: random() < 0.5 ? null : random() < 0.5,
        features: {},
      };
    });
  }).flat();
}

export function testRentColumns(
  buildings: number,
  options: Parameters<typeof testListings>[1] = {},
): SaleColumns {
  return buildRentColumns(testListings(buildings, options));
}

/** Knows the true function but not the offset of each building, which is left to learn. */
export const testRentBuilder: ModelBuilder = {
  fit: (_, trainedOn) => new Uint8Array(Float64Array.of(trainedOn).buffer),
  bind: (model, columns) => testRentPredictor(columns, new Float64Array(model.slice().buffer)[0]),
};

export function testRentPredictor(columns: SaleColumns, trainedOn: number): Predictor {
  return {
    trainedOn,
    windowsEnd: trainedOn,
    coveredUntil: trainedOn,
    index: flatIndex(trainedOn),
    columns,
    predict: (homes) =>
      homes.map((home) => ({
        logValue: trueLogRent(home),
        logValueAtTraining: trueLogRent(home),
        difficulty: Float64Array.of(home.lat - TEST_RENTS.lat),
        members: Float64Array.of(trueLogRent(home)),
      })),
    valuesBetween: (_, __, homes) => Float64Array.from(homes, ({ home }) => trueLogRent(home)),
    logValueOfSale: (row) => trueLogRent(homeOfSale(columns, row)),
    foldOfSale: () => -1,
    indexChange: () => 0,
    changeSinceTraining: () => 0,
    indexVariance: () => 0,
    attributeScale: (attribute) => (attribute === 'bedrooms' ? 0.2 : 0),
  };
}
