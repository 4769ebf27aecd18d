import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATE_CODES } from './us-states.ts';
import { statesOfZip } from './zip-states.ts';

test('a ZIP code names its states, also where two share a prefix, and each state has some', () => {
  assert.deepEqual(
    ['53202', '99999', '10001', '06390', '96799', '82001', '88510', '20001', '00042', '09001', '21300'].map(
      (zip) => statesOfZip(zip).join(' '),
    ),
    ['WI', 'AK', 'NY', 'CT NY', 'AS HI', 'WY', 'TX', 'DC', '', '', ''],
  );
  const all = Array.from({ length: 1000 }, (_, i) => statesOfZip(String(i).padStart(3, '0'))).flat();
  assert.deepEqual([...new Set(all)].sort(), STATE_CODES.toSorted());
});
