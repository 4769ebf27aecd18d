import assert from 'node:assert/strict';
import { test } from 'node:test';
import proj4 from 'proj4';
import { seededRandom } from '../valuation/random.ts';
import { albersOf, CONUS_ALBERS, type AlbersParams } from './albers.ts';

/** As epsg.io prints it for EPSG:5070. */
const EPSG_5070 =
  '+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +x_0=0 +y_0=0 +ellps=GRS80 +units=m +no_defs';

/** The greatest distance in metres between our answer and proj4's over 10,000 points of a box. */
function worstAgainstProj4(params: AlbersParams, definition: string, box: readonly number[]): number {
  const random = seededRandom(5070);
  const project = albersOf(params);
  const [south, west, north, east] = box;
  let worst = 0;
  for (let i = 0; i < 10_000; i++) {
    const lat = south + random() * (north - south);
    const lon = west + random() * (east - west);
    const [x, y] = proj4('+proj=longlat +ellps=GRS80 +no_defs', definition, [lon, lat]);
    const ours = project(lat, lon);
    worst = Math.max(worst, Math.hypot(ours.x - x, ours.y - y));
  }
  return worst;
}

test('the projection agrees with the worked example of Snyder 1987', () => {
  // Page 292: Clarke 1866, the standard parallels and origin of EPSG:5070, 35° N 75° W.
  const { x, y } = albersOf({
    ...CONUS_ALBERS,
    equatorialRadiusM: 6_378_206.4,
    inverseFlattening: 294.978698,
  })(35, -75);
  assert.ok(Math.abs(x - 1_885_472.7) < 0.1, `x ${x}`);
  assert.ok(Math.abs(y - 1_535_925.0) < 0.1, `y ${y}`);
});

test('EPSG:5070 agrees with proj4 within a millimetre at 10,000 points of the conterminous states', () => {
  const worst = worstAgainstProj4(CONUS_ALBERS, EPSG_5070, [24.4, -125, 49.4, -66.9]);
  assert.ok(worst < 0.001, `${worst} m`);
});

test('other parallels, origins and offsets agree too, across the antimeridian and on a sphere', () => {
  const alaska: AlbersParams = {
    ...CONUS_ALBERS,
    standardParallels: [55, 65],
    originLat: 50,
    originLon: -154,
    falseEastingM: 1000,
    falseNorthingM: -500,
  };
  const definition = '+proj=aea +lat_0=50 +lon_0=-154 +lat_1=55 +lat_2=65 +x_0=1000 +y_0=-500 +ellps=GRS80';
  assert.ok(worstAgainstProj4(alaska, definition, [51, 172, 72, 180]) < 0.001);
  assert.ok(worstAgainstProj4(alaska, definition, [51, -180, 72, -130]) < 0.001);
  // One parallel of a sphere: Snyder's (14-6) gives n = sin φ₁, and the origin lies at 0, 0.
  const sphere = albersOf({ ...CONUS_ALBERS, inverseFlattening: Infinity, standardParallels: [40, 40] });
  assert.deepEqual(sphere(23, -96), { x: 0, y: 0 });
  assert.ok(Math.abs(sphere(40, -95).x - 6_378_137 * Math.cos((40 * Math.PI) / 180) * (Math.PI / 180)) < 5);
});
