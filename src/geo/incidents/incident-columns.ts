import type { Day } from '../../domain/day.ts';
import { compareIncidentPlaces, placeOfIncident, type Incident } from '../../domain/crime/incident.ts';
import { offenceOfCode } from '../../domain/crime/nibrs-offences.ts';
import { buildPointIndex, type PointIndex } from '../point-index.ts';

/** What an agency's incidents span, for telling "nothing happened" from "nobody told". */
export interface AgencyCoverage {
  readonly name: string;
  readonly incidents: number;
  /** First and last local day; null where no incident has a time. */
  readonly from: Day | null;
  readonly to: Day | null;
}

/**
 * What a search looks at, newest incident first: row i is incident i of its dataset. 51 bytes an incident; what an
 * answer shows stands in the database.
 */
export interface IncidentColumns {
  readonly n: number;
  /** −Infinity where the time is not known. */
  readonly utcMs: Float64Array;
  readonly id: Float64Array;
  /** Local day; NO_DAY where the time is not known. */
  readonly day: Int32Array;
  /** Number of the NIBRS offence; NO_OFFENCE where it is not known. */
  readonly offence: Uint8Array;
  /** Its place in `agencies`. */
  readonly agency: Uint16Array;
  readonly agencies: readonly AgencyCoverage[];
  readonly index: PointIndex;
}

/** Before every day that a search can name. */
export const NO_DAY = -0x80000000;
export const NO_OFFENCE = 255;
const MOST_AGENCIES = 0x10000;

/** The incidents in the order of their rows. */
export function newestFirst<I extends Incident>(incidents: readonly I[]): I[] {
  return [...incidents].sort((a, b) => compareIncidentPlaces(placeOfIncident(a), placeOfIncident(b)));
}

/** Columns of incidents that are in the order of `newestFirst`. */
export function buildIncidentColumns(incidents: readonly Incident[]): IncidentColumns {
  const n = incidents.length;
  const names = [...new Set(incidents.map(({ agency }) => agency))].sort();
  if (names.length > MOST_AGENCIES) throw new RangeError(`${names.length} agencies are too many.`);
  const agencyNo = new Map(names.map((name, no) => [name, no]));
  const lat = Float64Array.from(incidents, (incident) => incident.lat);
  const lon = Float64Array.from(incidents, (incident) => incident.lon);
  const day = Int32Array.from(incidents, ({ occurred }) => occurred?.day ?? NO_DAY);
  const agency = Uint16Array.from(incidents, (incident) => agencyNo.get(incident.agency) ?? 0);
  return {
    n,
    utcMs: Float64Array.from(incidents, (incident) => placeOfIncident(incident).utcMs),
    id: Float64Array.from(incidents, ({ id }) => id),
    day,
    offence: Uint8Array.from(incidents, ({ offenceCode }) =>
      offenceCode === null ? NO_OFFENCE : (offenceOfCode(offenceCode)?.no ?? NO_OFFENCE),
    ),
    agency,
    agencies: names.map((name, no) => coverageOf(name, no, agency, day)),
    index: buildPointIndex(lat, lon),
  };
}

function coverageOf(name: string, no: number, agency: Uint16Array, day: Int32Array): AgencyCoverage {
  let incidents = 0;
  let from: Day | null = null;
  let to: Day | null = null;
  for (let row = 0; row < agency.length; row++) {
    if (agency[row] !== no) continue;
    incidents++;
    if (day[row] === NO_DAY) continue;
    from = Math.min(from ?? day[row], day[row]);
    to = Math.max(to ?? day[row], day[row]);
  }
  return { name, incidents, from, to };
}
