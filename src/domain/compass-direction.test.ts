import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProximity } from './compass-direction.ts';

test('a distance names the nearest of eight directions, and none at the same place', () => {
  const from = { latitude: 43, longitude: -88 };
  const to = (north: number, east: number) => ({ latitude: 43 + north, longitude: -88 + east });
  // A degree of longitude is shorter than one of latitude: 0.01 east is 0.0073 north.
  const places = [
    [to(0.01, 0), 'N'],
    [to(0.0073, 0.01), 'NE'],
    [to(0, 0.01), 'E'],
    [to(-0.0073, 0.01), 'SE'],
    [to(-0.01, 0.001), 'S'],
    [to(-0.0073, -0.01), 'SW'],
    [to(0.0001, -0.01), 'W'],
    [to(0.0073, -0.01), 'NW'],
  ] as const;
  for (const [place, direction] of places)
    assert.equal(formatProximity(0.4, from, place), `0.40 mi ${direction}`);
  assert.equal(formatProximity(0.001, from, to(0, 0)), '0.00 mi');
  assert.equal(formatProximity(0.4, null, to(1, 0)), '0.40 mi');
});
