import type { Day } from '../../domain/day.ts';
import { compareIncidentOrder, type IncidentPosition } from '../../domain/crime/incident.ts';
import { forEachInside } from '../point-index.ts';
import type { IncidentColumns } from './incident-columns.ts';

export interface IncidentQuery {
  readonly lat: number;
  readonly lon: number;
  readonly radiusMi: number;
  /** Local days, both included; incidents without a time are left out where one is given. */
  readonly from: Day | null;
  readonly to: Day | null;
  /** 1 at the number of each offense to include; null includes all, also an unknown offense. */
  readonly offenses: Uint8Array | null;
  /** The page to list: at most `limit` incidents that sort after this one. */
  readonly after: IncidentPosition | null;
  readonly limit: number;
}

export interface FoundIncident extends IncidentPosition {
  /** Which of the columns that were searched, and the row there. */
  readonly source: number;
  readonly row: number;
}

/**
 * An agency covers a place if one of its incidents, of any time and kind, is this near or within the radius.
 * A box around its incidents would contain suburbs that a city's police never patrols.
 */
export const COVERS_WITHIN_MI = 1;

/**
 * The incidents around a point. One that several markets contain counts once. `countOfOffense` counts all that
 * match by number of the offense, listed or not. `coveringAgencies[i][agency]` is 1 if an agency of columns i
 * covers the place.
 */
export function searchIncidents(sources: readonly IncidentColumns[], query: IncidentQuery) {
  const countOfOffense = new Uint32Array(256);
  const seen = sources.length > 1 ? new Set<number>() : null;
  const found: FoundIncident[] = [];
  const coveringAgencies = sources.map((columns, source) => {
    const newest = createNewestRows(query.limit + 1);
    const covering = searchColumns(columns, query, seen, countOfOffense, newest);
    for (const row of newest.rows()) {
      found.push({ source, row, utcMs: columns.utcMs[row], id: columns.id[row] });
    }
    return covering;
  });
  found.sort(compareIncidentOrder);
  return {
    listed: found.slice(0, query.limit),
    hasMore: found.length > query.limit,
    countOfOffense,
    coveringAgencies,
  };
}

function searchColumns(
  columns: IncidentColumns,
  query: IncidentQuery,
  seen: Set<number> | null,
  countOfOffense: Uint32Array,
  newest: ReturnType<typeof createNewestRows>,
): Uint8Array {
  const { id, rowAt, day, offense, agency, agencies, index } = columns;
  const { lat, lon, radiusMi, from, to, offenses } = query;
  const firstRow = query.after === null ? 0 : rowAfter(columns, query.after);
  const isDated = from !== null || to !== null;
  const covering = new Uint8Array(agencies.length);
  const earliest = from ?? -0x7fffffff;
  const latest = to ?? 0x7fffffff;
  forEachInside(index, lat, lon, radiusMi, (place) => {
    covering[agency[place]] = 1;
    if (isDated && (day[place] < earliest || day[place] > latest)) return;
    if (offenses !== null && offenses[offense[place]] === 0) return;
    const row = rowAt[place];
    if (seen !== null) {
      if (seen.has(id[row])) return;
      seen.add(id[row]);
    }
    countOfOffense[offense[place]]++;
    if (row >= firstRow) newest.offer(row);
  });
  if (radiusMi < COVERS_WITHIN_MI && covering.includes(0)) {
    forEachInside(index, lat, lon, COVERS_WITHIN_MI, (place) => {
      covering[agency[place]] = 1;
    });
  }
  return covering;
}

/** The first row that comes after a place: rows are sorted. */
function rowAfter(columns: IncidentColumns, after: IncidentPosition): number {
  let low = 0;
  let high = columns.n;
  while (low < high) {
    const middle = (low + high) >> 1;
    const place = { utcMs: columns.utcMs[middle], id: columns.id[middle] };
    if (compareIncidentOrder(place, after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Keeps the smallest row numbers (the newest). The buffer is sorted and cut in half whenever it is full. */
function createNewestRows(most: number) {
  const buffer = new Int32Array(most * 2);
  let n = 0;
  let last = Infinity;
  const cut = (): void => {
    buffer.subarray(0, n).sort();
    n = Math.min(n, most);
    if (n === most) last = buffer[most - 1];
  };
  return {
    offer: (row: number): void => {
      if (row > last) return;
      buffer[n++] = row;
      if (n === buffer.length) cut();
    },
    rows: (): Int32Array => {
      cut();
      return buffer.slice(0, n);
    },
  };
}
