import { createHash } from 'node:crypto';
import type { IncidentPlace } from '../../domain/crime/incident.ts';
import { formatDay, type Day } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import { PlumblineError } from '../../errors.ts';
import type { LocationRequest } from '../../locate/located.ts';
import {
  crimeNear,
  earliestOf,
  latestOf,
  type AgencyPeriod,
  type CrimeFound,
  type CrimeSummary,
  type NearIncident,
} from '../../places/crime.ts';
import type { AddressInfo } from '../address-info.ts';
import { CREDITS } from '../credits.ts';
import type { OperationDeps } from '../deps.ts';
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

export interface CrimeData {
  readonly query: Pick<CrimeDataRequest, 'radiusMi' | 'start' | 'end' | 'categories' | 'limit'> & {
    readonly lat: number;
    readonly lon: number;
  };
  readonly incidents: readonly NearIncident[];
  readonly summary: CrimeSummary | null;
  readonly isTruncated: boolean;
  readonly nextCursor: string | null;
  readonly computeMs: number;
  readonly coverage: {
    readonly agencies: readonly AgencyPeriod[];
    readonly from: Day | null;
    readonly to: Day | null;
  };
  readonly addressInfo: AddressInfo;
  readonly warnings: readonly Warning[];
}

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
export async function crimeData(
  deps: OperationDeps,
  request: CrimeDataRequest,
): Promise<CrimeData & { readonly credits: number }> {
  return crimeDataAt(deps, await locatePlace(deps, request.location), request);
}

/** The same where the place is located already. */
export async function crimeDataAt(
  deps: OperationDeps,
  { located: { lat, lon }, addressInfo, warnings }: LocatedPlace,
  request: Omit<CrimeDataRequest, 'location'>,
): Promise<CrimeData & { readonly credits: number }> {
  const { radiusMi, start, end, categories, limit } = request;
  const searched = searchHash({ lat, lon, radiusMi, start, end, categories });
  const after = request.cursor === null ? null : placeOfCursor(request.cursor, searched);
  const startedMs = deps.clock().getTime();
  const search = { lat, lon, radiusMi, from: start, to: end, categories, after, limit };
  const found = await crimeNear(deps.places, search);
  const computeMs = deps.clock().getTime() - startedMs;
  const coverage = {
    agencies: found.agencies,
    from: earliestOf(...found.agencies.map(({ from }) => from)),
    to: latestOf(...found.agencies.map(({ to }) => to)),
  };
  return {
    query: { lat, lon, radiusMi, start, end, categories, limit },
    incidents: found.incidents.map((incident) => ({ ...incident, distanceMi: rounded(incident.distanceMi) })),
    summary: request.withSummary ? found.summary : null,
    isTruncated: found.next !== null,
    nextCursor: found.next && cursorOf(found.next, searched),
    computeMs,
    coverage,
    addressInfo,
    warnings: [...request.warnings, ...warnings, ...coverageWarnings(request, found, coverage)],
    credits: creditsOf(found.incidents.length),
  };
}

/** A block is no nearer known than five feet. */
function rounded(miles: number): number {
  return Math.round(1000 * miles) / 1000;
}

/** "No data here" is another answer than "no crime here". */
function coverageWarnings(
  { start, end }: Pick<CrimeDataRequest, 'start' | 'end'>,
  found: CrimeFound,
  { from, to }: CrimeData['coverage'],
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
      'The cursor is none of ours: send `next_cursor` as it was answered.',
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
