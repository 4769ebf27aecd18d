import { packArchive, takeArray, unpackArchive } from '../../array-archive.ts';
import { compareIncidentOrder, placeOfIncident, type Incident } from '../../domain/crime/incident.ts';
import { offenseOfCode } from '../../domain/crime/nibrs-offenses.ts';
import type { Day } from '../../domain/day.ts';
import { buildPointIndex, type PointIndex } from '../point-index.ts';

/** The period and area of an agency's incidents, to distinguish "nothing happened" from "no data". */
export interface AgencyCoverage {
  readonly name: string;
  readonly incidents: number;
  /** First and last local date; null if no incident has a time. */
  readonly from: Day | null;
  readonly to: Day | null;
}

/**
 * The fields that a search needs, 55 bytes per incident; the database has the others. Rows are incidents,
 * newest first, numbered as in the database. Places are the same incidents ordered by location, which halves
 * the time of a search: it reads adjacent memory.
 */
export interface IncidentColumns {
  readonly n: number;
  /** By row; −Infinity if the time is unknown. */
  readonly utcMs: Float64Array;
  /** By row. */
  readonly id: Float64Array;
  /** By place: its row. */
  readonly rowAt: Int32Array;
  /** By place: local date; NO_DAY if the time is unknown. */
  readonly day: Int32Array;
  /** By place: number of the NIBRS offense; NO_OFFENSE if it is unknown. */
  readonly offense: Uint8Array;
  /** By place: index into `agencies`. */
  readonly agency: Uint16Array;
  readonly agencies: readonly AgencyCoverage[];
  readonly index: PointIndex;
}

/** Before every date that a search can use. */
const NO_DAY = -0x80000000;
export const NO_OFFENSE = 255;
const MAX_AGENCIES = 0x10000;

export function newestFirst<I extends Incident>(incidents: readonly I[]): I[] {
  return [...incidents].sort((a, b) => compareIncidentOrder(placeOfIncident(a), placeOfIncident(b)));
}

/** Columns of incidents that are in the order of `newestFirst`. */
export function buildIncidentColumns(incidents: readonly Incident[]): IncidentColumns {
  const n = incidents.length;
  const lat = new Float64Array(n);
  const lon = new Float64Array(n);
  const utcMs = new Float64Array(n);
  const id = new Float64Array(n);
  const names = new Set<string>();
  incidents.forEach((incident, row) => {
    lat[row] = incident.lat;
    lon[row] = incident.lon;
    utcMs[row] = placeOfIncident(incident).utcMs;
    id[row] = incident.id;
    names.add(incident.agency);
  });
  if (names.size > MAX_AGENCIES) throw new RangeError(`${names.size} agencies are too many.`);
  const agencyNo = new Map([...names].sort().map((name, no) => [name, no]));
  const index = buildPointIndex(lat, lon);
  const rowAt = index.rows;
  const day = new Int32Array(n);
  const offense = new Uint8Array(n);
  const agency = new Uint16Array(n);
  rowAt.forEach((row, place) => {
    const incident = incidents[row];
    day[place] = incident.occurred?.day ?? NO_DAY;
    offense[place] = offenseNo(incident.offenseCode);
    agency[place] = agencyNo.get(incident.agency) ?? 0;
  });
  const agencies = [...agencyNo].map(([name, no]) => coverageOf(name, no, agency, day));
  return {
    n,
    utcMs,
    id,
    rowAt,
    day,
    offense,
    agency,
    agencies,
    index: { ...index, rows: rowAt.map((_, i) => i) },
  };
}

function offenseNo(code: string | null): number {
  return (code === null ? null : offenseOfCode(code)?.no) ?? NO_OFFENSE;
}

function coverageOf(name: string, no: number, agency: Uint16Array, day: Int32Array): AgencyCoverage {
  let incidents = 0;
  let from: Day | null = null;
  let to: Day | null = null;
  for (let place = 0; place < agency.length; place++) {
    if (agency[place] !== no) continue;
    incidents++;
    if (day[place] === NO_DAY) continue;
    from = Math.min(from ?? day[place], day[place]);
    to = Math.max(to ?? day[place], day[place]);
  }
  return { name, incidents, from, to };
}

const KIND = 'incident-columns';

interface Meta {
  readonly kind: string;
  readonly firstBand: number;
  readonly agencies: readonly AgencyCoverage[];
}

/** Encodes the columns and their index. Equal columns give equal bytes. */
export function encodeIncidentColumns(columns: IncidentColumns): Uint8Array {
  const { n: _n, agencies, index, ...arrays } = columns;
  const meta = {
    kind: KIND,
    firstBand: index.firstBand,
    agencies: agencies.map(({ name, incidents, from, to }) => ({ name, incidents, from, to })),
  };
  return packArchive(meta, {
    ...arrays,
    'index.lat': index.lat,
    'index.lon': index.lon,
    'index.cosine': index.cosine,
    'index.bandStart': index.bandStart,
  });
}

/** Columns as views of the bytes. */
export function decodeIncidentColumns(bytes: Uint8Array): IncidentColumns {
  const archive = unpackArchive<Meta>(bytes);
  const { meta } = archive;
  if (meta?.kind !== KIND) throw new Error('The archive is not a snapshot of incidents.');
  const rowAt = takeArray(archive, 'rowAt', Int32Array);
  const n = rowAt.length;
  return {
    n,
    utcMs: takeArray(archive, 'utcMs', Float64Array),
    id: takeArray(archive, 'id', Float64Array),
    rowAt,
    day: takeArray(archive, 'day', Int32Array),
    offense: takeArray(archive, 'offense', Uint8Array),
    agency: takeArray(archive, 'agency', Uint16Array),
    agencies: meta.agencies,
    index: {
      n,
      rows: rowAt.map((_, place) => place),
      lat: takeArray(archive, 'index.lat', Float64Array),
      lon: takeArray(archive, 'index.lon', Float64Array),
      cosine: takeArray(archive, 'index.cosine', Float64Array),
      firstBand: meta.firstBand,
      bandStart: takeArray(archive, 'index.bandStart', Int32Array),
    },
  };
}
