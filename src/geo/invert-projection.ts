import type { ProjectedPoint } from './albers.ts';

/** Newton's method doubles the digits each time: from a quarter of the globe away, six steps come to a nanometre. */
const STEPS = 12;
/** Degrees over which the slope is taken. */
const NUDGE = 1e-5;

/**
 * From metres back to degrees for any smooth projection, by Newton's method from a starting point. For describing a
 * map, not for the hot path: each point takes some 36 projections.
 */
export function invertProjection(
  project: (lat: number, lon: number) => ProjectedPoint,
  startLat: number,
  startLon: number,
): (x: number, y: number) => { readonly lat: number; readonly lon: number } {
  return (x, y) => {
    let lat = startLat;
    let lon = startLon;
    for (let step = 0; step < STEPS; step++) {
      const here = project(lat, lon);
      const north = project(lat + NUDGE, lon);
      const east = project(lat, lon + NUDGE);
      const xByLat = (north.x - here.x) / NUDGE;
      const yByLat = (north.y - here.y) / NUDGE;
      const xByLon = (east.x - here.x) / NUDGE;
      const yByLon = (east.y - here.y) / NUDGE;
      const determinant = xByLon * yByLat - xByLat * yByLon;
      lat += (xByLon * (y - here.y) - yByLon * (x - here.x)) / determinant;
      lon += (yByLat * (x - here.x) - xByLat * (y - here.y)) / determinant;
      // A step may overshoot a pole, beyond which the projection is none.
      lat = Math.max(-89, Math.min(89, lat));
    }
    return { lat, lon };
  };
}
