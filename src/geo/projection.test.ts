import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONUS_ALBERS, openProjection } from './projection.ts';

test('the projection agrees with the worked example of Snyder 1987', () => {
  // Page 292: Clarke 1866, the standard parallels and origin of EPSG:5070, 35° N 75° W.
  const definition = CONUS_ALBERS.replace('+ellps=GRS80', '+a=6378206.4 +rf=294.978698');
  const { x, y } = openProjection(definition).project(35, -75);
  assert.ok(Math.abs(x - 1_885_472.7) < 0.1, `x ${x}`);
  assert.ok(Math.abs(y - 1_535_925.0) < 0.1, `y ${y}`);
});

test('points beyond the antimeridian lie west of Alaska, not around the globe', () => {
  const { project } = openProjection(CONUS_ALBERS.replace('+lon_0=-96', '+lon_0=-154'));
  assert.ok(project(52, 179).x < 0);
  assert.ok(Math.abs(project(52, 179).x - project(52, -181).x) < 1e-6);
});
