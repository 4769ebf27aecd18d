import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaName } from './area-name.ts';

test('areas have the names that people know, and else their place', () => {
  assert.equal(areaName({ area: 'tract:5303', name: 'Census Tract 12' }), 'Census Tract 12 · 5303');
  assert.equal(areaName({ area: 'zip:98103', name: null }), 'ZIP 98103');
  assert.equal(
    areaName({ area: 'model_area:3', name: '2.40 mi N of the center' }),
    'Area 3, 2.40 mi N of the center',
  );
});
