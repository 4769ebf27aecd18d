/** A place on the plane around a street, in metres. */
export interface PlanePoint {
  readonly x: number;
  readonly y: number;
}

/** Whether two places are at most so far apart. Squares are compared: Math.hypot takes ten times as long. */
export function isWithin(a: PlanePoint, b: PlanePoint, reach: number): boolean {
  const x = a.x - b.x;
  const y = a.y - b.y;
  return x * x + y * y <= reach * reach;
}

/** Points in their order, broken where the next one is too far away. */
export function runsOf<Point extends PlanePoint>(points: readonly Point[], reach: number): Point[][] {
  const runs: Point[][] = [];
  for (const [i, point] of points.entries()) {
    if (i > 0 && isWithin(points[i - 1], point, reach)) runs[runs.length - 1].push(point);
    else runs.push([point]);
  }
  return runs;
}
