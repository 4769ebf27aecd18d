import type { Incident } from '../domain/crime/incident.ts';
import { NIBRS_OFFENSES, SEVERITIES } from '../domain/crime/nibrs-offenses.ts';
import type { Day } from '../domain/day.ts';
import { mayReach } from '../geo/bounds.ts';
import { milesApart, type LatLon } from '../geo/distance.ts';
import type { AgencyCoverage } from '../geo/incidents/incident-columns.ts';
import {
  COVERS_WITHIN_MI,
  searchIncidents,
  type FoundIncident,
  type IncidentQuery,
} from '../geo/incidents/search-incidents.ts';
import { incidentsByNo } from '../store/incidents.ts';
import { openDatasets, type PlaceDeps } from './deps.ts';

/** A search around a point. Categories by name; null for all, including incidents without one. */
export interface CrimeSearch extends Omit<IncidentQuery, 'offenses'> {
  readonly categories: readonly string[] | null;
}

export type NearIncident = Incident & { readonly distanceMi: number };

export type CrimeFound = Awaited<ReturnType<typeof crimeNear>>;

/** The period of an agency's incidents, anywhere and of any kind. */
type AgencyPeriod = Pick<AgencyCoverage, 'name' | 'from' | 'to'>;

/**
 * The incidents around a point in all markets, newest first, and the agencies that cover the place. Both lists
 * are empty without data.
 */
export async function crimeNear(deps: PlaceDeps, search: CrimeSearch) {
  const reachMi = Math.max(search.radiusMi, COVERS_WITHIN_MI);
  const sources = await openDatasets(deps, 'crime', deps.incidentColumns, (bounds) =>
    mayReach(bounds, search.lat, search.lon, reachMi),
  );
  const columns = sources.map(({ data }) => data);
  const datasetIds = sources.map(({ dataset }) => dataset.datasetId);
  const found = searchIncidents(columns, { ...search, offenses: offensesOf(search.categories) });
  return {
    incidents: await readFound(deps, datasetIds, found.listed, search),
    /** The incident after which the next page starts; null on the last page. */
    next: found.hasMore ? (found.listed.at(-1) ?? null) : null,
    summary: summaryOf(found.countOfOffense),
    agencies: periodsOf(
      columns.flatMap(({ agencies }, i) => agencies.filter((_, no) => found.coveringAgencies[i][no] === 1)),
    ),
  };
}

function offensesOf(categories: readonly string[] | null): Uint8Array | null {
  if (categories === null) return null;
  const wanted = new Uint8Array(256);
  for (const { no, category } of NIBRS_OFFENSES) if (categories.includes(category)) wanted[no] = 1;
  return wanted;
}

async function readFound(
  deps: PlaceDeps,
  datasetIds: readonly number[],
  listed: readonly FoundIncident[],
  at: LatLon,
): Promise<NearIncident[]> {
  const records = await Promise.all(
    datasetIds.map((datasetId, source) => {
      const ofDataset = listed.filter((each) => each.source === source);
      return incidentsByNo(
        deps.store,
        datasetId,
        ofDataset.map(({ row }) => row),
      );
    }),
  );
  return listed.map(({ source, row }) => {
    const incident = records[source].get(row);
    if (!incident)
      throw new Error(`dataset ${datasetIds[source]} has no incident ${row}, which its snapshot names`);
    return { ...incident, distanceMi: milesApart(at, incident) };
  });
}

/** The summary label of incidents with an unknown offense or without a severity. */
const UNKNOWN = 'Unknown';

/** Counts of all matching incidents, listed or not; the most frequent category first. */
function summaryOf(countOfOffense: Uint32Array) {
  const byCategory = new Map<string, number>();
  const bySeverity = new Map<string, number>([...SEVERITIES, UNKNOWN].map((severity) => [severity, 0]));
  let total = 0;
  countOfOffense.forEach((count, no) => {
    if (count === 0) return;
    const offense = no < NIBRS_OFFENSES.length ? NIBRS_OFFENSES[no] : null;
    const category = offense?.category ?? UNKNOWN;
    const severity = offense?.severity ?? UNKNOWN;
    byCategory.set(category, (byCategory.get(category) ?? 0) + count);
    bySeverity.set(severity, (bySeverity.get(severity) ?? 0) + count);
    total += count;
  });
  const sorted = [...byCategory].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return { total, byCategory: Object.fromEntries(sorted), bySeverity: Object.fromEntries(bySeverity) };
}

/** Agencies by name. The period of an agency in several markets covers all of them. */
function periodsOf(agencies: readonly AgencyCoverage[]): AgencyPeriod[] {
  const periods = new Map<string, AgencyPeriod>();
  for (const { name, from, to } of agencies) {
    const known = periods.get(name);
    periods.set(name, { name, ...periodOf([known?.from, known?.to, from, to]) });
  }
  return [...periods.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The first and the last of days, some of which may be unknown. */
export function periodOf(days: readonly (Day | null | undefined)[]): Pick<AgencyPeriod, 'from' | 'to'> {
  const known = days.filter((day) => day !== null && day !== undefined);
  return known.length === 0 ? { from: null, to: null } : { from: Math.min(...known), to: Math.max(...known) };
}
