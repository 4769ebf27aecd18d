import { createHash } from 'node:crypto';
import type { IncidentPlace } from '../../domain/crime/incident.ts';
import { offenseOfCode } from '../../domain/crime/nibrs-offenses.ts';
import { formatDay, type Day } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import { PlumblineError } from '../../errors.ts';
import type { LocationRequest } from '../../locate/located.ts';
import { crimeNear, earliestOf, latestOf, type CrimeFound, type NearIncident } from '../../places/crime.ts';
import type { CrimeDataBody } from '../../schemas/crime.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { locationInfoOf } from '../address-info.ts';
import { CREDITS } from '../credits.ts';
import type { OperationDeps, Priced } from '../deps.ts';
import { locatePlace, type LocatedPlace } from '../locate-place.ts';

export interface CrimeDataRequest {
  readonly location: LocationRequest;
  readonly radiusMi: number;
  /** Local days of the incidents, both included. */
  readonly start: Day | null;
  readonly end: Day | null;
  /** Names of categories; null for all incidents. */
  readonly categories: readonly string[] | null;
  readonly withSummary: boolean;
  readonly limit: number;
  readonly cursor: string | null;
  readonly warnings: readonly Warning[];
}

export type CrimeData = ResponseOf<typeof CrimeDataBody>;

/** Ten, and one for every hundred records begun. */
function creditsOf(records: number): number {
  return CREDITS.crime + CREDITS.crimeRecords * Math.ceil(records / 100);
}

/** The most that a search can cost: what a dry run answers. */
export function crimeDataCreditsMax({ limit }: Pick<CrimeDataRequest, 'limit'>): number {
  return creditsOf(limit);
}

/**
 * What happened around a place, newest first.
 *
 * @throws PlumblineError `address_not_found`, `invalid_cursor`
 */
export async function crimeData(deps: OperationDeps, request: CrimeDataRequest): Promise<Priced<CrimeData>> {
  return crimeDataAt(deps, await locatePlace(deps, request.location), request);
}

/** The same where the place is located already. */
export async function crimeDataAt(
  deps: OperationDeps,
  { located: { lat, lon }, addressInfo, warnings }: LocatedPlace,
  request: Omit<CrimeDataRequest, 'location'>,
): Promise<Priced<CrimeData>> {
  const { radiusMi, start, end, categories, limit } = request;
  const searched = searchHash({ lat, lon, radiusMi, start, end, categories });
  const after = request.cursor === null ? null : placeOfCursor(request.cursor, searched);
  const startedMs = deps.clock().getTime();
  const search = { lat, lon, radiusMi, from: start, to: end, categories, after, limit };
  const found = await crimeNear(deps.places, search);
  const computeMs = deps.clock().getTime() - startedMs;
  const from = earliestOf(...found.agencies.map((agency) => agency.from));
  const to = latestOf(...found.agencies.map((agency) => agency.to));
  const coverage = {
    agencies: found.agencies.map(({ name }) => name),
    from: dayText(from),
    to: dayText(to),
    periods: found.agencies.map((agency) => ({
      agency: agency.name,
      from: dayText(agency.from),
      to: dayText(agency.to),
    })),
  };
  const response: CrimeData = {
    query: {
      latitude: lat,
      longitude: lon,
      radiusMi,
      start: dayText(start),
      end: dayText(end),
      categories,
      limit,
    },
    crimeInstances: found.incidents.map(incidentMembers),
    summary: request.withSummary ? found.summary : null,
    meta: {
      count: found.incidents.length,
      truncated: found.next !== null,
      nextCursor: found.next && cursorOf(found.next, searched),
      computeMs,
      coverage,
    },
    locationInfo: locationInfoOf(addressInfo),
    warnings: [...request.warnings, ...warnings, ...coverageWarnings(request, { from, to }, found)],
  };
  return { response, credits: creditsOf(found.incidents.length) };
}

function dayText(day: Day | null): string | null {
  return day === null ? null : formatDay(day);
}

function incidentMembers(incident: NearIncident): CrimeData['crimeInstances'][number] {
  const { persons } = incident;
  const offense = incident.offenseCode === null ? null : offenseOfCode(incident.offenseCode);
  return {
    id: incident.id,
    datetime: incident.occurred?.text ?? null,
    lat: incident.lat,
    lon: incident.lon,
    distanceMi: rounded(incident.distanceMi),
    offenseCode: incident.offenseCode,
    offenseCategory: offense?.category ?? null,
    offenseDescription: offense?.description ?? incident.offenseText,
    severity: offense?.severity ?? null,
    crimeType: offense?.type ?? null,
    address: incident.address,
    agency: incident.agency,
    victimSex: persons?.victimSex ?? null,
    victimRace: persons?.victimRace ?? null,
    victimAgeGroup: persons?.victimAgeGroup ?? null,
    offenderSex: persons?.offenderSex ?? null,
    offenderRace: persons?.offenderRace ?? null,
    offenderAgeGroup: persons?.offenderAgeGroup ?? null,
    crimeAgainst: offense?.crimeAgainst ?? null,
    referenceId: incident.referenceId,
  };
}

/** A block is no nearer known than five feet. */
function rounded(miles: number): number {
  return Math.round(1000 * miles) / 1000;
}

/** "No data here" is another answer than "no crime here". */
function coverageWarnings(
  { start, end }: Pick<CrimeDataRequest, 'start' | 'end'>,
  { from, to }: { readonly from: Day | null; readonly to: Day | null },
  found: CrimeFound,
): Warning[] {
  if (found.agencies.length === 0) {
    const message =
      'No data here: no agency whose incidents are loaded has ever recorded one near this place, so nothing can be said of crime.';
    return [{ code: 'no_crime_data', field: 'location', message }];
  }
  if (from === null || to === null) return [];
  const isBefore = start !== null && start < from;
  const isAfter = end !== null && end > to;
  if (!isBefore && !isAfter) return [];
  const message = `The incidents loaded for this place are of ${formatDay(from)} to ${formatDay(to)}; nothing is known of other days.`;
  return [{ code: 'outside_crime_period', field: isBefore ? 'start' : 'end', message }];
}

/** Of what a cursor belongs to: pages of one search, not of another. */
function searchHash(search: object): string {
  return createHash('sha256').update(JSON.stringify(search)).digest('base64url').slice(0, 12);
}

/**
 * A cursor names the last incident listed by its time and id, which an import does not change: the next page goes
 * on after it whatever was imported meanwhile. The time of incidents without one is written as null.
 */
function cursorOf({ utcMs, id }: IncidentPlace, searched: string): string {
  const text = JSON.stringify([searched, Number.isFinite(utcMs) ? utcMs : null, id]);
  return Buffer.from(text).toString('base64url');
}

function placeOfCursor(cursor: string, searched: string): IncidentPlace {
  const parts = parseCursor(cursor);
  if (parts === null) {
    throw new PlumblineError(
      'invalid_cursor',
      'This cursor is not valid: send `next_cursor` exactly as it was returned.',
    );
  }
  if (parts.searched === searched) return parts.place;
  throw new PlumblineError(
    'invalid_cursor',
    'The cursor belongs to another search, or the address is placed elsewhere since then. Keep the request as it was, or begin without a cursor.',
  );
}

function parseCursor(cursor: string): { searched: string; place: IncidentPlace } | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (!Array.isArray(parts) || parts.length !== 3) return null;
  const [searched, utcMs, id]: unknown[] = parts;
  if (typeof searched !== 'string' || typeof id !== 'number') return null;
  if (utcMs !== null && typeof utcMs !== 'number') return null;
  return { searched, place: { utcMs: utcMs ?? -Infinity, id } };
}
