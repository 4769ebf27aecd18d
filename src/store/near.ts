import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { cellRangesWithin } from '../geo/cells.ts';
import { distanceMi } from '../geo/distance.ts';

export interface Placed {
  readonly lat: number;
  readonly lon: number;
}

export type Near<Row> = Row & { readonly distanceMi: number };

/** The row's `cell` is one of the circle's: true for every row within the radius, and for some beyond it. */
export function cellInCircle(at: Placed, radiusMi: number): RawBuilder<SqlBool> {
  const ranges = cellRangesWithin(at.lat, at.lon, radiusMi);
  const conditions = ranges.map(({ from, to }) => sql`cell between ${from} and ${to}`);
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

/** Rows within the radius with their distance, nearest first; `tie` orders rows at the same distance. */
export function within<Row extends Placed>(
  rows: readonly Row[],
  at: Placed,
  radiusMi: number,
  tie: (a: Row, b: Row) => number,
): Near<Row>[] {
  return rows
    .map((row) => ({ ...row, distanceMi: distanceMi(at.lat, at.lon, row.lat, row.lon) }))
    .filter((row) => row.distanceMi <= radiusMi)
    .sort((a, b) => a.distanceMi - b.distanceMi || tie(a, b));
}
