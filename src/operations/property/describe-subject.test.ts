import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributesOf, type Attributes, type PropertyType } from '../../domain/property.ts';
import { NO_RECORD, type SubjectRecord } from './subject-record.ts';
import { withTotalRooms } from './find-record.ts';
import { describeSubject, recordedTypeWarnings } from './gather-property-inputs.ts';

const place = { lat: 43, lon: -88, parcelId: 'P1' };

function describe(
  given: Partial<Attributes>,
  propertyType: PropertyType | null,
  record: SubjectRecord = NO_RECORD,
) {
  return describeSubject({ propertyType, attributes: attributesOf(given) }, record, place);
}

test('the request takes precedence over the record, and each field has its source', () => {
  const record = {
    ...NO_RECORD,
    type: 'condos' as const,
    attributes: attributesOf({ bedrooms: 2, yearBuilt: 1950 }),
  };
  const subject = describe({ bedrooms: 3 }, null, record);
  assert.equal(subject.home.type, 'condos');
  assert.equal(subject.typeSource, 'record');
  assert.equal(subject.home.attributes.bedrooms, 3);
  assert.equal(subject.home.attributes.yearBuilt, 1950);
  assert.equal(subject.sources.bedrooms, 'request');
  assert.equal(subject.sources.yearBuilt, 'record');
  assert.equal(subject.sources.livingAreaSqft, undefined);
});

test('without a type from anywhere the subject is a house, and a warning says so', () => {
  const subject = describe({}, null);
  assert.equal(subject.home.type, 'houses');
  assert.deepEqual(
    subject.warnings.map((warning) => warning.code),
    ['property_type_assumed'],
  );
});

test('a type that contradicts the record, or one of its sources, is a warning, and the range covers it', () => {
  const attributes = attributesOf({ totalUnits: 2, bedrooms: 4 });
  const record = { ...NO_RECORD, type: 'small_multifamily' as const, attributes };
  const disputed = { ...NO_RECORD, type: 'houses' as const, otherSource: record };
  const recordedType = (subject: ReturnType<typeof describe>) => ({
    codes: recordedTypeWarnings(subject).map(({ code }) => code),
    recorded: subject.home.recorded,
  });
  const codes = ['type_differs_from_record'];
  const recorded = { type: 'small_multifamily', attributes: { totalUnits: 2 } };
  assert.deepEqual(recordedType(describe({ bedrooms: 4 }, 'houses', record)), { codes, recorded });
  assert.deepEqual(recordedType(describe({ bedrooms: 4 }, null, disputed)), { codes, recorded });
  const withRooms = { type: 'small_multifamily', attributes: { totalUnits: 2, bedrooms: 4 } };
  assert.deepEqual(recordedType(describe({ bedrooms: 3 }, 'houses', record)).recorded, withRooms);
  const agreed = [
    describe({ bedrooms: 4 }, null, record),
    describe({ bedrooms: 4 }, 'houses', disputed),
    describe({ bedrooms: 4 }, 'houses'),
  ];
  for (const subject of agreed) assert.deepEqual(recordedType(subject), { codes: [], recorded: undefined });
});

test('a record with fewer rooms than units says nothing about the rooms of the building', () => {
  const roomsOf = (given: Partial<Attributes>) => {
    const record = withTotalRooms({ ...NO_RECORD, attributes: attributesOf(given) });
    return [record.attributes.bedrooms, record.attributes.bathrooms];
  };
  assert.deepEqual(roomsOf({ totalUnits: 8, bedrooms: 2, bathrooms: 8 }), [null, 8]);
  assert.deepEqual(roomsOf({ totalUnits: 8, bedrooms: 0, bathrooms: 1 }), [0, null]);
  assert.deepEqual(roomsOf({ totalUnits: 1, bedrooms: 3, bathrooms: 0.5 }), [3, 0.5]);
  assert.deepEqual(roomsOf({ bedrooms: 3, bathrooms: 1 }), [3, 1]);
});

test('a record gives the unit count only for the type it was recorded with', () => {
  const record = { ...NO_RECORD, type: 'multifamily' as const, attributes: attributesOf({ totalUnits: 12 }) };
  assert.equal(describe({}, 'multifamily', record).home.attributes.totalUnits, 12);
  assert.equal(describe({}, 'small_multifamily', record).home.attributes.totalUnits, null);
  assert.equal(describe({}, null, record).home.attributes.totalUnits, 12);
});

test('a building of five units and more whose count is unknown is valued with a warning', () => {
  const codes = describe({}, 'multifamily').warnings.map((warning) => warning.code);
  assert.deepEqual(codes, ['units_unknown']);
});

test('an area of 0 is unknown: it comes from the record or is imputed, with a warning', () => {
  const record = { ...NO_RECORD, attributes: attributesOf({ livingAreaSqft: 1500 }) };
  const subject = describe({ livingAreaSqft: 0, lotSizeSqft: 0 }, 'houses', record);
  assert.equal(subject.home.attributes.livingAreaSqft, 1500);
  assert.equal(subject.sources.livingAreaSqft, 'record');
  assert.equal(subject.home.attributes.lotSizeSqft, null);
  assert.deepEqual(
    subject.warnings.map((warning) => warning.field),
    ['living_area', 'lot_size'],
  );
});
