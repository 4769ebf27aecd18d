import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geoidOfPrefixed, levelOfGeoid, partsOfGeoid, vintageOfYear } from './geoid.ts';

test('the level of a GEOID follows from its length', () => {
  const levels = ['53033', '5303392928', '53033000100', '530330001001'].map(levelOfGeoid);
  assert.deepEqual(levels, ['county', 'cousub', 'tract', 'block_group']);
  for (const wrong of ['', '53', '530330', '5303300010012', '53O33', ' 53033', '-53033']) {
    assert.equal(levelOfGeoid(wrong), null, wrong);
  }
});

test('a prefix is removed if it fits the digits and the area is whole', () => {
  assert.equal(geoidOfPrefixed('1500000US360050001001'), '360050001001');
  assert.equal(geoidOfPrefixed('1400000US53033000100'), '53033000100');
  assert.equal(geoidOfPrefixed('0500000US53033'), '53033');
  assert.equal(geoidOfPrefixed('0600000US5303392928'), '5303392928');
  for (const wrong of [
    '0400000US53',
    '8600000US98101',
    '1400000US53033',
    '1400001US53033000100',
    '53033000100',
  ]) {
    assert.equal(geoidOfPrefixed(wrong), null, wrong);
  }
});

test('the parts of a GEOID add up to the GEOID', () => {
  for (const geoid of ['53033', '5303392928', '53033000100', '530330001001']) {
    const { state, county, cousub = '', tract = '', blockGroup = '' } = partsOfGeoid(geoid);
    assert.equal(state + county + cousub + tract + blockGroup, geoid);
  }
});

test('years to 2019 use the areas of 2010', () => {
  assert.deepEqual([2009, 2019, 2020, 2031].map(vintageOfYear), [2010, 2010, 2020, 2020]);
});
