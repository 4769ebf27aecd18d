import {
  CENSUS_LEVELS,
  levelOfGeoid,
  partsOfGeoid,
  vintageOfYear,
  type CensusLevel,
} from '../../domain/census/geoid.ts';
import type { Warning } from '../../domain/warning.ts';
import type { LocationRequest } from '../../locate/located.ts';
import { censusAreasAt } from '../../places/census-areas.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { CensusDataBody } from '../../schemas/census.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { locationInfoOf, type AddressInfo } from '../address-info.ts';
import {
  censusFigures,
  type RequestedArea,
  type CensusAnswer,
  type CensusEntry,
  type CensusSelection,
} from './census-figures.ts';
import type { OperationDeps, Priced } from '../deps.ts';
import { locatePlace, type LocatedPlace } from '../locate-place.ts';

/** A request for census data at a place. */
export interface CensusAtPlaceRequest extends CensusSelection {
  readonly location: LocationRequest;
  readonly levels: readonly CensusLevel[];
  readonly warnings: readonly Warning[];
}

/** A request for census data of areas by GEOID. */
export interface CensusOfAreasRequest extends CensusSelection {
  readonly geoids: readonly string[];
  readonly warnings: readonly Warning[];
}

export type CensusData = ResponseOf<typeof CensusDataBody>;

/**
 * The census figures of the areas that contain a place.
 *
 * @throws PlumblineError `address_not_found` with `candidates`
 */
export async function censusAtPlace(
  deps: Parameters<typeof locatePlace>[0],
  request: CensusAtPlaceRequest,
): Promise<Priced<CensusData>> {
  return censusAtLocated(deps, await locatePlace(deps, request.location), request);
}

/** The same for a place that is already located. */
export async function censusAtLocated(
  deps: Pick<OperationDeps, 'places'>,
  { located, addressInfo, warnings }: LocatedPlace,
  request: Omit<CensusAtPlaceRequest, 'location'>,
): Promise<Priced<CensusData>> {
  const point = { lat: located.lat, lon: located.lon, county: countyOf(addressInfo) };
  const found = await censusAtPoint(deps.places, point, request.levels, request);
  return censusData(found, {
    locationInfo: locationInfoOf(addressInfo),
    censusGeoids: addressInfo.censusGeoids,
    warnings: [...request.warnings, ...warnings],
  });
}

/** A located point, with the GEOID of its county if that is known without imported areas. */
interface CensusPoint {
  readonly lat: number;
  readonly lon: number;
  readonly county: string | null;
}

function countyOf({ censusGeoids }: Pick<AddressInfo, 'censusGeoids'>): string | null {
  const { state_fips: state, county_fips: county } = censusGeoids ?? {};
  return state !== undefined && county !== undefined ? state + county : null;
}

/**
 * The figures of the areas that contain a point. Years to 2019 use areas of the 2010 census; later years use
 * those of 2020.
 */
async function censusAtPoint(
  deps: PlaceDeps,
  point: CensusPoint,
  levels: readonly CensusLevel[],
  selection: CensusSelection,
): Promise<CensusAnswer> {
  const areasOf2010 = await censusAreasAt(deps, point.lat, point.lon, 2010);
  const areasOf2020 = await censusAreasAt(deps, point.lat, point.lon, 2020);
  const areas: RequestedArea[] = [];
  const unknown: CensusLevel[] = [];
  for (const level of new Set(levels)) {
    const geoidIn = (year: number): string | null => {
      const found = (vintageOfYear(year) === 2010 ? areasOf2010 : areasOf2020)[level]?.geoid ?? null;
      return found ?? (level === 'county' ? point.county : null);
    };
    const geoids = [geoidIn(2010), geoidIn(2020)].filter((geoid) => geoid !== null);
    if (geoids.length > 0) areas.push({ level, geoids: [...new Set(geoids)], geoidIn });
    else unknown.push(level);
  }
  const answer = await censusFigures(deps, areas, selection);
  if (unknown.length === 0) return answer;
  const known = CENSUS_LEVELS.filter(
    (level) => areasOf2010[level] ?? areasOf2020[level] ?? (level === 'county' && point.county),
  );
  const here =
    known.length > 0 ? `; its ${known.join(' and ')} ${known.length > 1 ? 'are' : 'is'} known` : '';
  const message = `No ${unknown.join(' or ')} area is loaded for this place${here}.`;
  return { ...answer, warnings: [...answer.warnings, { code: 'no_census_area', field: null, message }] };
}

/** The figures of areas by GEOID. Duplicate GEOIDs count once. */
export async function censusOfAreas(
  deps: PlaceDeps,
  request: CensusOfAreasRequest,
): Promise<Priced<CensusData>> {
  const geoids = [...new Set(request.geoids)];
  const areas: RequestedArea[] = geoids.flatMap((geoid) => {
    const level = levelOfGeoid(geoid);
    return level ? [{ level, geoids: [geoid], geoidIn: () => geoid }] : [];
  });
  const found = await censusFigures(deps, areas, request);
  return censusData(found, {
    locationInfo: null,
    censusGeoids: geoids.length === 1 ? codesOf(geoids[0]) : null,
    warnings: request.warnings,
  });
}

function censusData(
  { entries, warnings, credits }: CensusAnswer,
  place: Pick<CensusData, 'locationInfo' | 'censusGeoids' | 'warnings'>,
): Priced<CensusData> {
  const { locationInfo, censusGeoids } = place;
  const acsData = entries.map(entryMembers);
  return {
    response: { locationInfo, censusGeoids, acsData, warnings: [...place.warnings, ...warnings] },
    credits,
  };
}

function entryMembers({ year, level, geoid, name, variables }: CensusEntry): CensusData['acsData'][number] {
  const figures = variables.map((figure) => [figure.variable.key, figureMembers(figure)]);
  return { year, geographyLevel: level, geoid, name, variables: Object.fromEntries(figures) };
}

type Figure = CensusData['acsData'][number]['variables'][string];

function figureMembers({ variable, cell }: CensusEntry['variables'][number]): Figure {
  return {
    category: variable.category,
    subcategory: variable.subcategory,
    valueType: variable.valueType,
    value: cell.value,
    baseVariable: variable.baseVariable,
    marginOfError: cell.marginOfError,
    nullReason: cell.nullReason,
    valueBound: cell.bound,
  };
}

function codesOf(geoid: string): Record<string, string> {
  const { state, county, cousub, tract, blockGroup } = partsOfGeoid(geoid);
  return {
    state_fips: state,
    county_fips: county,
    ...(cousub && { cousub_fips: cousub }),
    ...(tract && { tract_fips: tract }),
    ...(blockGroup && { block_fips: blockGroup, geoid }),
  };
}
