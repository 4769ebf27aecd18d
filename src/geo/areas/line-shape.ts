import { MAX_POINTS, readPath, type AreaShape, type ShapeFault } from './area-shape.ts';

/**
 * Untrusted lines as a shape whose polygons are one path each, which is not closed: the `coordinates` of a GeoJSON
 * MultiLineString, or paths of Float64Array (lon, lat, lon, lat, …). Paths of less than two points are left out.
 */
export function repairLines(lines: readonly unknown[]): (AreaShape & { readonly isLine: true }) | ShapeFault {
  const paths: Float64Array[] = [];
  let points = 0;
  for (const line of lines) {
    if (!Array.isArray(line) && !(line instanceof Float64Array)) return { fault: 'malformed' };
    points += line instanceof Float64Array ? line.length / 2 : line.length;
    if (points > MAX_POINTS) return { fault: 'too_many_points' };
    const path = readPath(line);
    if (typeof path === 'string') return { fault: path };
    if (path.length >= 4) paths.push(path);
  }
  return paths.length === 0 ? { fault: 'empty' } : { polygons: paths.map((path) => [path]), isLine: true };
}
