import type { Static } from 'typebox';
import type { AddressesBody, CensusHereBody, PlaceLayerBody } from '../../../src/api/console/map.ts';
import type { SearchBody } from '../../../src/api/console/search.ts';
import type { LocationInfo } from '../../../src/schemas/location.ts';
import type * as census from '../../../src/schemas/census.ts';
import type { CrimeDataBody, CrimeRecord } from '../../../src/schemas/crime.ts';
import type { FireRiskBody, FloodZoneBody } from '../../../src/schemas/hazards.ts';
import type { Point } from '../parts/map/map-content.ts';
import type { Place } from '../parts/map/location.ts';
import { get, post } from './request.ts';

export type PlaceInfo = Static<typeof LocationInfo>;
export type CensusData = Static<typeof census.CensusDataBody>;
export type CensusEntry = Static<typeof census.CensusDataEntry>;
export type CensusFigure = Static<typeof census.CensusVariable>;
export type CensusVariables = Static<typeof census.CensusVariablesBody>;
export type CrimeData = Static<typeof CrimeDataBody>;
export type Incident = Static<typeof CrimeRecord>;
type FireRisk = Static<typeof FireRiskBody>;
export type FloodZone = Static<typeof FloodZoneBody>;

export const CENSUS_LEVELS = ['block_group', 'tract', 'cousub', 'county'] as const;

/** Which figures to read: by their keys, or all of a category. */
type CensusChoice = { readonly census_keys: readonly string[] } | { readonly categories: readonly string[] };

/** Loaded addresses that start with the text, best first. */
export const completeAddress = async (query: string, signal: AbortSignal) =>
  (await get<Static<typeof AddressesBody>>('/addresses', { query: { query, limit: 8 }, signal })).addresses;

export type SearchResult = Static<typeof SearchBody>['results'][number];

/** Addresses, parcels, valuations and batches that begin with the text. */
export const search = async (query: string, signal?: AbortSignal): Promise<readonly SearchResult[]> =>
  (await get<Static<typeof SearchBody>>('/search', { query: { query }, signal })).results;

export function readCensus(
  location: Place,
  choice: CensusChoice,
  year: number | null,
  signal: AbortSignal,
): Promise<CensusData> {
  const years = year === null ? {} : { years: [year] };
  return post('/census-data', {
    body: { location, geographies: CENSUS_LEVELS, ...choice, ...years },
    signal,
  });
}

export const readCensusVariables = (signal: AbortSignal) =>
  get<CensusVariables>('/census-data/variables', { signal });

/** The county of a point, and the years of its loaded census figures. */
export const readCensusHere = ({ latitude, longitude }: Point, signal: AbortSignal) =>
  get<Static<typeof CensusHereBody>>('/census-here', { query: { latitude, longitude }, signal });

export type PlaceLayer = Static<typeof PlaceLayerBody>;
export const PLACE_LAYERS = ['flood', 'fire', 'crime', 'census'] as const;
export type PlaceLayerName = (typeof PLACE_LAYERS)[number];

/** Areas around a point in classes, to color the map. */
export const readPlaceLayer = (
  { latitude, longitude }: Point,
  layer: PlaceLayerName,
  censusKey: string | null,
  signal: AbortSignal,
): Promise<PlaceLayer> =>
  get('/place-layer', {
    query: { latitude, longitude, layer, ...(censusKey !== null && { census_key: censusKey }) },
    signal,
  });

export interface CrimeSearch {
  readonly radius_mi: number;
  /** null = all that is loaded */
  readonly start: string | null;
  readonly end: string | null;
}

export function readCrime(
  location: Place,
  search: CrimeSearch,
  cursor: string | null,
  signal: AbortSignal,
): Promise<CrimeData> {
  const body = { location, ...search, cursor, include_crime_summary: true, limit: 100 };
  return post('/crime-data', { body, signal });
}

export const readFireRisk = (location: Place, signal: AbortSignal) =>
  post<FireRisk>('/fire-risk', { body: { location }, signal });
export const readFloodZone = (location: Place, signal: AbortSignal) =>
  post<FloodZone>('/flood-zone', { body: { location }, signal });
