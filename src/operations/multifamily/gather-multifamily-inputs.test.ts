import type { DescribedSubject } from '../valuation-types.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributesOf, PROPERTY_TYPES, type PropertyType } from '../../domain/property.ts';
import { NO_RECORD, type SubjectRecord } from '../property/subject-record.ts';
import { describeMultifamily } from './gather-multifamily-inputs.ts';

const PLACE = { lat: 43, lon: -88, parcelId: null };

function described(
  totalUnits: number,
  known: Parameters<typeof attributesOf>[0] = {},
  record: SubjectRecord = NO_RECORD,
): DescribedSubject {
  const request = {
    location: { address: null, lat: PLACE.lat, lon: PLACE.lon, mapsPlace: null },
    search: { radiusMi: 5, lookbackMonths: null, numComps: 0 },
    asOf: 20_000,
    propertyType: null,
    totalUnits,
    attributes: attributesOf({ totalUnits, bedrooms: 2 * totalUnits, bathrooms: totalUnits, ...known }),
    warnings: [],
  };
  return describeMultifamily(request, record, PLACE);
}

test('more stories than any building has count as those of the tallest, so that differences stay finite', () => {
  assert.equal(described(40, { stories: 1e308 }).home.attributes.stories, 120);
  assert.equal(described(40, { stories: 3.5 }).home.attributes.stories, 3.5);
  assert.equal(described(40).home.attributes.stories, null);
});

test('a building of five or more units uses nothing of the record of a single home; a smaller one may, but not of a condo', () => {
  const recordOf = (type: PropertyType | null): SubjectRecord => ({
    ...NO_RECORD,
    type,
    attributes: attributesOf({ livingAreaSqft: 1240 }),
  });
  const buildings: readonly (PropertyType | null)[] = [null, 'small_multifamily', 'multifamily'];
  for (const type of [null, ...PROPERTY_TYPES]) {
    const { home, warnings } = described(12, {}, recordOf(type));
    assert.equal(home.attributes.livingAreaSqft, buildings.includes(type) ? 1240 : null);
    const codes = warnings.map(({ code }) => code);
    assert.deepEqual(codes, buildings.includes(type) ? [] : ['record_of_another_building']);
    const small = described(3, {}, recordOf(type)).home.attributes.livingAreaSqft;
    assert.equal(small, type === 'condos' ? null : 1240);
  }
});

test('a record with twice or half as many units is of another building; a difference of one may be an error', () => {
  const record: SubjectRecord = {
    ...NO_RECORD,
    type: 'multifamily',
    attributes: attributesOf({ totalUnits: 10, livingAreaSqft: 6610 }),
  };
  for (const [units, isOther] of [
    [2, true],
    [5, true],
    [6, false],
    [10, false],
    [19, false],
    [20, true],
  ] as const) {
    const { home, warnings } = described(units, {}, record);
    assert.equal(home.attributes.livingAreaSqft, isOther ? null : 6610, `${units} units`);
    assert.equal(home.attributes.totalUnits, units);
    assert.equal(
      warnings.some(({ code }) => code === 'record_of_another_building'),
      isOther,
    );
  }
});
