import type { Static } from 'typebox';
import type { LocationInfo } from '../../../src/schemas/location.ts';
import type {
  CensusDataBody,
  CensusDataEntry,
  CensusVariable,
  CensusVariablesBody,
} from '../../../src/schemas/census.ts';
import type { CensusHereBody } from '../../../src/api/console/map.ts';
import type { CrimeDataBody, CrimeRecord } from '../../../src/schemas/crime.ts';
import type { FireRiskBody, FloodZoneBody } from '../../../src/schemas/hazards.ts';
import type { Point } from '../parts/map/map-content.ts';
import type { Where } from '../parts/map/where.ts';
import { request } from './request.ts';

/** Bodies as the server's own schemas say them; only their types reach the browser. */
export type PlaceInfo = Static<typeof LocationInfo>;
export type CensusData = Static<typeof CensusDataBody>;
export type CensusEntry = Static<typeof CensusDataEntry>;
export type CensusFigure = Static<typeof CensusVariable>;
export type CensusVariables = Static<typeof CensusVariablesBody>;
export type CensusHere = Static<typeof CensusHereBody>;
export type CrimeData = Static<typeof CrimeDataBody>;
export type Incident = Static<typeof CrimeRecord>;
export type FireRisk = Static<typeof FireRiskBody>;
export type FloodZone = Static<typeof FloodZoneBody>;

export const CENSUS_LEVELS = ['block_group', 'tract', 'cousub', 'county'] as const;

/** Which figures to ask for: by their keys, or all of a category. */
export type CensusChoice =
  { readonly census_keys: readonly string[] } | { readonly categories: readonly string[] };

export function readCensus(
  where: Where,
  choice: CensusChoice,
  year: number | null,
  signal: AbortSignal,
): Promise<CensusData> {
  const body = {
    location: where,
    geographies: CENSUS_LEVELS,
    ...choice,
    ...(year === null ? {} : { years: [year] }),
  };
  return request('POST', '/census-data', { body, signal });
}

export function readCensusVariables(signal: AbortSignal): Promise<CensusVariables> {
  return request('GET', '/census-data/variables', { signal });
}

/** Which county a place lies in, and which years of census figures are loaded for it. */
export function readCensusHere(point: Point, signal: AbortSignal): Promise<CensusHere> {
  return request('GET', '/census-here', { query: { ...point }, signal });
}

export interface CrimeSearch {
  readonly radius_mi: number;
  /** null = whatever is loaded */
  readonly start: string | null;
  readonly end: string | null;
}

export function readCrime(
  where: Where,
  search: CrimeSearch,
  cursor: string | null,
  signal: AbortSignal,
): Promise<CrimeData> {
  const body = { location: where, ...search, cursor, include_crime_summary: true, limit: 100 };
  return request('POST', '/crime-data', { body, signal });
}

export function readFireRisk(where: Where, signal: AbortSignal): Promise<FireRisk> {
  return request('POST', '/fire-risk', { body: { location: where }, signal });
}

export function readFloodZone(where: Where, signal: AbortSignal): Promise<FloodZone> {
  return request('POST', '/flood-zone', { body: { location: where }, signal });
}
