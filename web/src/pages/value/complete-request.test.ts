import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DescribedHome, ValuationInput } from '../../api/valuations.ts';
import { EMPTY_REQUEST } from './value-request.ts';
import { completeRequest } from './request-value.ts';

function described(
  ...inputs: readonly (readonly [string, ValuationInput['value'], ValuationInput['source']])[]
) {
  const home: Pick<DescribedHome, 'inputs'> = {
    inputs: inputs.map(([field, value, source]) => ({ field, value, source, support: null })),
  };
  return home;
}

test('missing rooms of a home come from its record or nearby homes, and entered values stay', () => {
  const home = described(['total_bedrooms', 4, 'record'], ['total_bathrooms', 2.5, 'comparables']);
  const said = { ...EMPTY_REQUEST, fields: { total_bedrooms: 2 } };
  const complete = completeRequest(said, home);
  assert.deepEqual(complete.request.fields, { total_bedrooms: 2, total_bathrooms: 2.5 });
  assert.deepEqual([...complete.taken.keys()], ['total_bathrooms']);
  assert.deepEqual(complete.missing, []);
  assert.deepEqual(completeRequest(said, null).missing, ['total_bathrooms']);
});

test('a record with more rooms than a request may have leaves them missing', () => {
  const home = described(['total_bedrooms', 51, 'record'], ['total_bathrooms', 50, 'record']);
  const { request, missing } = completeRequest(EMPTY_REQUEST, home);
  assert.deepEqual(request.fields, { total_bathrooms: 50 });
  assert.deepEqual(missing, ['total_bedrooms']);
});

test('rooms of a building come only from its own record, not from nearby homes', () => {
  const request = { ...EMPTY_REQUEST, kind: 'building' as const };
  const rooms = [
    ['total_units', 8, 'record'],
    ['total_bedrooms', 15, 'record'],
    ['total_bathrooms', 10, 'comparables'],
  ] as const;
  const building = completeRequest(request, described(['property_type', 'multifamily', 'record'], ...rooms));
  assert.deepEqual(building.request.fields, { total_units: 8, bedrooms: 15 });
  assert.deepEqual(building.missing, ['bathrooms']);
  const house = completeRequest(request, described(['property_type', 'houses', 'record'], ...rooms));
  assert.deepEqual(house.missing, ['bedrooms', 'bathrooms', 'total_units']);
});

test('a rent request starts with the home, an average unit of a building, or two bedrooms and one bathroom', () => {
  const request = { ...EMPTY_REQUEST, kind: 'rent' as const };
  const unitOf = (home: ReturnType<typeof described> | null) => {
    const [{ bedrooms, bathrooms }] = completeRequest(request, home).request.units;
    return [bedrooms, bathrooms];
  };
  const rooms = [
    ['total_units', 8, 'record'],
    ['total_bedrooms', 15, 'record'],
    ['total_bathrooms', 10, 'record'],
  ] as const;
  assert.deepEqual(unitOf(described(['property_type', 'multifamily', 'record'], ...rooms)), [2, 1.5]);
  assert.deepEqual(unitOf(described(['property_type', 'houses', 'record'], ...rooms)), [10, 10]);
  assert.deepEqual(unitOf(null), [2, 1]);
});
