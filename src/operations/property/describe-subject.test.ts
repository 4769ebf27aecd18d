import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributesOf, type Attributes, type PropertyType } from '../../domain/property.ts';
import { NO_RECORD, type SubjectRecord } from './subject-record.ts';
import { describeSubject } from './gather-property-inputs.ts';

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
