import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DescribedHome, ValuationInput } from '../../api/valuations.ts';
import { NOTHING_ASKED } from './asked.ts';
import { completeAsked } from './ask-value.ts';

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
  const said = { ...NOTHING_ASKED, fields: { total_bedrooms: 2 } };
  const complete = completeAsked(said, home);
  assert.deepEqual(complete.asked.fields, { total_bedrooms: 2, total_bathrooms: 2.5 });
  assert.deepEqual([...complete.taken.keys()], ['total_bathrooms']);
  assert.deepEqual(complete.missing, []);
  assert.deepEqual(completeAsked(said, null).missing, ['total_bathrooms']);
});

test('rooms of a building come only from its own record, not from nearby homes', () => {
  const asked = { ...NOTHING_ASKED, kind: 'building' as const };
  const rooms = [
    ['total_units', 8, 'record'],
    ['total_bedrooms', 15, 'record'],
    ['total_bathrooms', 10, 'comparables'],
  ] as const;
  const building = completeAsked(asked, described(['property_type', 'multifamily', 'record'], ...rooms));
  assert.deepEqual(building.asked.fields, { total_units: 8, bedrooms: 15 });
  assert.deepEqual(building.missing, ['bathrooms']);
  const house = completeAsked(asked, described(['property_type', 'houses', 'record'], ...rooms));
  assert.deepEqual(house.missing, ['bedrooms', 'bathrooms', 'total_units']);
});

test('a rent request starts with the home, an average unit of a building, or two bedrooms and one bathroom', () => {
  const asked = { ...NOTHING_ASKED, kind: 'rent' as const };
  const unitOf = (home: ReturnType<typeof described> | null) => {
    const [{ bedrooms, bathrooms }] = completeAsked(asked, home).asked.units;
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
