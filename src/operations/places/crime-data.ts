import { createHash } from 'node:crypto';
import type { IncidentPosition } from '../../domain/crime/incident.ts';
import { offenseOfCode } from '../../domain/crime/nibrs-offenses.ts';
import { formatDay, formatDayOrNull, type Day } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import { PlumblineError } from '../../errors.ts';
import { crimeNear, periodOf, type CrimeFound, type NearIncident } from '../../places/crime.ts';
import type { CrimeDataBody } from '../../schemas/crime.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { atRequestedPlace, locationInfoOf, type LocatedPlace, type PlaceRequest } from '../locate-place.ts';
import { CREDITS, type OperationDeps, type Priced } from '../deps.ts';
import { decodeCursor, encodeCursor } from '../../store/pages.ts';

export interface CrimeDataRequest extends PlaceRequest {
  readonly radiusMi: number;
  /** Local days of the incidents, both included. */
  readonly start: Day | null;
  readonly end: Day | null;
  /** Names of categories; null for all incidents. */
  readonly categories: readonly string[] | null;
  readonly withSummary: boolean;
  readonly limit: number;
  readonly cursor: string | null;
}

type CrimeData = ResponseOf<typeof CrimeDataBody>;

/** The most that a search can cost. A dry run returns this number. */
export function crimeDataCreditsMax({ limit }: Pick<CrimeDataRequest, 'limit'>): number {
  return creditsOf(limit);
}

function creditsOf(records: number): number {
  return CREDITS.crime + CREDITS.crimeRecords * Math.ceil(records / 100);
}

/**
 * Crime incidents around a place, newest first.
 *
 * @throws PlumblineError `invalid_cursor`
 */
export async function crimeDataAt(
  deps: OperationDeps,
  { located: { lat, lon, warnings }, addressInfo }: LocatedPlace,
  request: Omit<CrimeDataRequest, 'location'>,
): Promise<Priced<CrimeData>> {
  const { radiusMi, start, end, categories, limit } = request;
  const searched = searchHash({ lat, lon, radiusMi, start, end, categories });
  const after = request.cursor === null ? null : placeOfCursor(request.cursor, searched);
  const startedMs = deps.clock().getTime();
  const search = { lat, lon, radiusMi, from: start, to: end, categories, after, limit };
  const found = await crimeNear(deps.places, search);
  const computeMs = deps.clock().getTime() - startedMs;
  const { from, to } = periodOf(found.agencies.flatMap((agency) => [agency.from, agency.to]));
  const coverage = {
    agencies: found.agencies.map(({ name }) => name),
    from: formatDayOrNull(from),
    to: formatDayOrNull(to),
    periods: found.agencies.map((agency) => ({
      agency: agency.name,
      from: formatDayOrNull(agency.from),
      to: formatDayOrNull(agency.to),
    })),
  };
  const response: CrimeData = {
    query: {
      latitude: lat,
      longitude: lon,
      radiusMi,
      start: formatDayOrNull(start),
      end: formatDayOrNull(end),
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

export const crimeData = atRequestedPlace<CrimeDataRequest, CrimeData>(crimeDataAt);

function incidentMembers(incident: NearIncident): CrimeData['crimeInstances'][number] {
  const { persons } = incident;
  const offense = incident.offenseCode === null ? null : offenseOfCode(incident.offenseCode);
  return {
    id: incident.id,
    datetime: incident.occurred?.text ?? null,
    lat: incident.lat,
    lon: incident.lon,
    // Publishers locate incidents by block, so further digits would mean nothing.
    distanceMi: Math.round(1000 * incident.distanceMi) / 1000,
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

/** "No data here" differs from "no crime here". */
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

/** Identifies the search that a cursor belongs to. */
function searchHash(search: object): string {
  return createHash('sha256').update(JSON.stringify(search)).digest('base64url').slice(0, 12);
}

/**
 * A cursor names the last listed incident by its time and id. An import does not change these, so the next page
 * continues after it whatever was imported meanwhile. Null is the time of an incident without one.
 */
function cursorOf({ utcMs, id }: IncidentPosition, searched: string): string {
  const text = JSON.stringify([searched, Number.isFinite(utcMs) ? utcMs : null, id]);
  return encodeCursor(text);
}

function placeOfCursor(cursor: string, searched: string): IncidentPosition {
  const parts = parseCursor(cursor);
  if (parts?.searched === searched) return parts.place;
  throw new PlumblineError(
    'invalid_cursor',
    parts === null
      ? 'This cursor is not valid: send `next_cursor` exactly as it was returned.'
      : 'The cursor belongs to another search, or the address is placed elsewhere since then. Keep the request as it was, or begin without a cursor.',
  );
}

function parseCursor(cursor: string): { searched: string; place: IncidentPosition } | null {
  let parts: unknown;
  try {
    parts = JSON.parse(decodeCursor(cursor) ?? '');
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
