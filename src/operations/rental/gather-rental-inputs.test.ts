import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { attributesOf, PROPERTY_TYPES, type PropertyType } from '../../domain/property.ts';
import type { RentalUnit } from '../../valuation/rental/value-units.ts';
import { testListings, TEST_RENTS } from '../../../test/harness/valuation/rents.ts';
import { buildRentColumns } from '../../valuation/columns/build-columns.ts';
import { rentFeatureWarnings } from '../valuation/own-features.ts';
import { describeBuilding } from './gather-rental-inputs.ts';
import type { RentalValuationRequest } from '../valuation-types.ts';
import { NO_RECORD, type SubjectRecord } from '../property/subject-record.ts';

const PLACE = { lat: 43, lon: -88, parcelId: null };
const FLAT: RentalUnit = { bedrooms: 2, bathrooms: 1, sizeSqft: null, isFurnished: false };

function rentalRequest(members: Partial<RentalValuationRequest> = {}): RentalValuationRequest {
  return {
    location: { address: null, lat: PLACE.lat, lon: PLACE.lon, mapsPlace: null },
    search: { radiusMi: 5, lookbackMonths: null, numComps: 0 },
    asOf: 20_000,
    units: [FLAT],
    propertyType: null,
    totalUnits: null,
    condition: null,
    hasCentralAir: null,
    hasLaundry: null,
    hasParking: null,
    warnings: [],
    ...members,
  };
}

const flats = (count: number): RentalUnit[] => Array.from({ length: count }, () => FLAT);

function recordOf(type: PropertyType | null, known: Parameters<typeof attributesOf>[0] = {}): SubjectRecord {
  return { ...NO_RECORD, type, attributes: attributesOf(known) };
}

/** Type, number of units and warning codes. */
function summarize(request: RentalValuationRequest, record = NO_RECORD): [string, number | null, string[]] {
  const { home, warnings } = describeBuilding(request, record, PLACE);
  return [home.type, home.attributes.totalUnits, warnings.map(({ code }) => code)];
}

test('without type and record, one unit is a condo, and several units are a building of that many units', () => {
  assert.deepEqual(summarize(rentalRequest()), ['condos', 1, ['property_type_assumed']]);
  const assumed = 'property_type_assumed';
  assert.deepEqual(summarize(rentalRequest({ units: flats(2) })), ['small_multifamily', 2, [assumed]]);
  assert.deepEqual(summarize(rentalRequest({ units: flats(3), totalUnits: 12 })), [
    'multifamily',
    12,
    [assumed],
  ]);
  assert.deepEqual(summarize(rentalRequest({ units: flats(9) })), [
    'multifamily',
    9,
    [assumed, 'units_assumed'],
  ]);
});

test('default unit counts apply where neither the request nor the record has one', () => {
  const counts = PROPERTY_TYPES.map((propertyType) => summarize(rentalRequest({ propertyType }))[1]);
  assert.deepEqual(Object.fromEntries(PROPERTY_TYPES.map((type, i) => [type, counts[i]])), {
    houses: 1,
    townhomes: 1,
    condos: 1,
    small_multifamily: 2,
    multifamily: 5,
    mobile: 1,
  });
});

test('a record fills what the request leaves out, but not the unit count of another type', () => {
  const record = recordOf('multifamily', { totalUnits: 24, yearBuilt: 1931, hasLaundry: 0 });
  assert.deepEqual(summarize(rentalRequest(), record), ['multifamily', 24, []]);
  assert.deepEqual(summarize(rentalRequest({ propertyType: 'small_multifamily' }), record)[1], 2);
  const { home, sources } = describeBuilding(
    rentalRequest({ hasLaundry: true, condition: 4 }),
    record,
    PLACE,
  );
  assert.deepEqual(
    [home.attributes.hasLaundry, home.attributes.condition, home.attributes.yearBuilt],
    [1, 4, 1931],
  );
  const { hasLaundry, condition, yearBuilt, totalUnits } = sources;
  assert.deepEqual(
    [hasLaundry, condition, yearBuilt, totalUnits],
    ['request', 'request', 'record', 'record'],
  );
});

test('the recorded area is the unit’s size only in a home that is rented as a whole', () => {
  const sizes = (type: PropertyType, units: RentalUnit[], totalUnits: number | null = null) =>
    describeBuilding(rentalRequest({ units, totalUnits }), recordOf(type, { livingAreaSqft: 1400 }), PLACE);
  const whole = sizes('houses', flats(1));
  assert.deepEqual([whole.units[0].sizeSqft, whole.sources.livingAreaSqft], [1400, 'record']);
  assert.equal(sizes('small_multifamily', flats(1)).units[0].sizeSqft, null);
  assert.deepEqual(
    sizes('houses', flats(2)).units.map(({ sizeSqft }) => sizeSqft),
    [null, null],
  );
  const given = sizes('houses', [{ ...FLAT, sizeSqft: 900 }]);
  assert.deepEqual([given.units[0].sizeSqft, given.sources.livingAreaSqft], [900, 'request']);
});

test('a size of 0 is unknown, with a warning; more units than the building has get one too', () => {
  const zero = describeBuilding(rentalRequest({ units: [{ ...FLAT, sizeSqft: 0 }] }), NO_RECORD, PLACE);
  assert.equal(zero.units[0].sizeSqft, null);
  assert.ok(zero.warnings.some(({ code, field }) => code === 'zero_taken_as_unknown' && field === 'size'));
  const codes = summarize(rentalRequest({ units: flats(3), propertyType: 'houses' }))[2];
  assert.deepEqual(codes, ['units_exceed_building']);
});

test('for any request, a building has at least one unit and says where its count came from', () => {
  const type = fc.option(fc.constantFrom(...PROPERTY_TYPES));
  const count = fc.option(fc.integer({ min: 1, max: 400 }));
  fc.assert(
    fc.property(
      type,
      type,
      count,
      count,
      fc.integer({ min: 1, max: 60 }),
      (given, recorded, total, had, n) => {
        const request = rentalRequest({ units: flats(n), propertyType: given, totalUnits: total });
        const record = recordOf(recorded, { totalUnits: had });
        const { home, sources } = describeBuilding(request, record, PLACE);
        const units = home.attributes.totalUnits ?? 0;
        assert.ok(units >= 1);
        if (total !== null) assert.deepEqual([units, sources.totalUnits], [total, 'request']);
        else assert.ok(sources.totalUnits === 'record' ? units === had : sources.totalUnits === 'default');
        assert.equal(home.type, given ?? recorded ?? home.type);
      },
    ),
  );
});

test('furniture or parking that no listing reports is a warning if the request states it', () => {
  const listings = testListings(40);
  const silent = listings.map((listing) => ({ ...listing, isFurnished: null, hasParking: null }));
  const fieldsOf = (known: typeof listings, members: Partial<RentalValuationRequest>) => {
    const market = { columns: buildRentColumns(known), model: { trainedOn: TEST_RENTS.listedOn + 1 } };
    const building = describeBuilding(rentalRequest(members), NO_RECORD, PLACE);
    return rentFeatureWarnings(market, building).map(({ code, field }) => `${code} ${field}`);
  };
  const stated = { units: [{ ...FLAT, isFurnished: true }, FLAT], hasParking: false };
  assert.deepEqual(fieldsOf(listings, stated), []);
  assert.deepEqual(fieldsOf(silent, stated), [
    'not_in_training_sales is_furnished',
    'not_in_training_sales has_parking',
  ]);
  assert.deepEqual(fieldsOf(silent, {}), []);
});
