import { isWithin, runsOf, type PlanePoint } from './metres.ts';

/**
 * Points in groups: those of a group are joined by steps of at most `reach`, those of different groups by none. Each
 * group in the order given, the groups in the order of their first points. Points that follow each other closely, as
 * houses do, are one run from the start: only the runs are compared.
 */
export function connectedWithin<P extends PlanePoint>(points: readonly P[], reach: number): P[][] {
  const runs = runsOf(points, reach);
  if (runs.length === 1) return runs;
  const runOf = runs.flatMap((run, i) => run.map(() => i));
  const root = runs.map((_, i) => i);
  const rootOf = (run: number): number => {
    let at = run;
    while (root[at] !== at) at = root[at] = root[root[at]];
    return at;
  };
  const inCell = new Map<number, number[]>();
  for (const [i, point] of points.entries()) {
    const own = Math.floor(point.x / reach) * ROW + Math.floor(point.y / reach);
    for (const step of AROUND) {
      for (const other of inCell.get(own + step) ?? []) {
        const [a, b] = [rootOf(runOf[i]), rootOf(runOf[other])];
        if (a !== b && isWithin(point, points[other], reach)) root[Math.max(a, b)] = Math.min(a, b);
      }
    }
    const cell = inCell.get(own);
    if (cell) cell.push(i);
    else inCell.set(own, [i]);
  }
  const groups = Map.groupBy(points.keys(), (i) => rootOf(runOf[i]));
  return [...groups.values()].map((group) => group.map((i) => points[i]));
}

/** Cells are numbered through, a column after the other; there are fewer in a column than this however small they are. */
const ROW = 2 ** 26;
const AROUND = [-1, 0, 1].flatMap((east) => [-1, 0, 1].map((north) => east * ROW + north));
