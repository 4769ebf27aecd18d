import { percentageOf, unknownCell } from '../../domain/census/cell.ts';
import type { CensusTable } from '../../domain/census/census-table.ts';
import { BUILT_IN_VARIABLES, type CensusVariable } from '../../domain/census/describe-table.ts';
import {
  CENSUS_LEVELS,
  levelOfGeoid,
  partsOfGeoid,
  vintageOfYear,
  type CensusLevel,
} from '../../domain/census/geoid.ts';
import { parseVariableKey } from '../../domain/census/variable-key.ts';
import type { Warning } from '../../domain/warning.ts';
import { PlumblineError } from '../../errors.ts';
import { censusAreasAt } from '../../places/census-areas.ts';
import { censusFiguresOf, censusYearsOf, type CensusFigures } from '../../places/census-values.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { CensusDataBody } from '../../schemas/census.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { CREDITS, type OperationDeps, type Priced } from '../deps.ts';
import { atRequestedPlace, locationInfoOf, type LocatedPlace, type PlaceRequest } from '../locate-place.ts';

/** The requested figures: those of these keys and of these categories, or all if both are null. */
export interface CensusSelection {
  /** null: the newest loaded year of each area. */
  readonly years: readonly number[] | null;
  readonly keys: readonly string[] | null;
  readonly categories: readonly string[] | null;
}

/** A request for census data at a place. */
export interface CensusAtPlaceRequest extends CensusSelection, PlaceRequest {
  readonly levels: readonly CensusLevel[];
}

/** A request for census data of areas by GEOID. */
export interface CensusOfAreasRequest extends CensusSelection {
  readonly geoids: readonly string[];
  readonly warnings: readonly Warning[];
}

type CensusData = ResponseOf<typeof CensusDataBody>;
/** One area in one year. */
type CensusEntry = CensusData['acsData'][number];
type Figure = CensusEntry['variables'][string];

/**
 * A requested area. A place can lie in different areas in different censuses, so its GEOID depends on the
 * year; null means none.
 */
interface RequestedArea {
  readonly level: CensusLevel;
  readonly geoids: readonly string[];
  readonly geoidIn: (year: number) => string | null;
}

interface FoundFigures {
  readonly entries: readonly CensusEntry[];
  readonly warnings: readonly Warning[];
  readonly credits: number;
}

/**
 * The census figures of the areas that contain a place. Years to 2019 use areas of the 2010 census; later years
 * use those of 2020.
 */
export async function censusAtLocated(
  { places }: Pick<OperationDeps, 'places'>,
  { located: { lat, lon, warnings }, addressInfo }: LocatedPlace,
  request: Omit<CensusAtPlaceRequest, 'location'>,
): Promise<Priced<CensusData>> {
  const { state_fips: state, county_fips: county } = addressInfo.censusGeoids ?? {};
  // The county is known even without imported areas.
  const atlasCounty = state !== undefined && county !== undefined ? state + county : null;
  const areasOf2010 = await censusAreasAt(places, lat, lon, 2010);
  const areasOf2020 = await censusAreasAt(places, lat, lon, 2020);
  const areas: RequestedArea[] = [];
  const unknown: CensusLevel[] = [];
  for (const level of new Set(request.levels)) {
    const geoidIn = (year: number): string | null => {
      const found = (vintageOfYear(year) === 2010 ? areasOf2010 : areasOf2020)[level]?.geoid ?? null;
      return found ?? (level === 'county' ? atlasCounty : null);
    };
    const geoids = [geoidIn(2010), geoidIn(2020)].filter((geoid) => geoid !== null);
    if (geoids.length > 0) areas.push({ level, geoids: [...new Set(geoids)], geoidIn });
    else unknown.push(level);
  }
  const found = await censusFigures(places, areas, request);
  const known = CENSUS_LEVELS.filter(
    (level) => areasOf2010[level] ?? areasOf2020[level] ?? (level === 'county' && atlasCounty),
  );
  return censusData(found, {
    locationInfo: locationInfoOf(addressInfo),
    censusGeoids: addressInfo.censusGeoids,
    warnings: [...request.warnings, ...warnings, ...found.warnings, ...noAreaWarnings(unknown, known)],
  });
}

/**
 * The same where the place is not located yet.
 *
 * @throws PlumblineError `address_not_found` with `candidates`
 */
export const censusAtPlace = atRequestedPlace<CensusAtPlaceRequest, CensusData>(censusAtLocated);

function noAreaWarnings(unknown: readonly CensusLevel[], known: readonly CensusLevel[]): Warning[] {
  if (unknown.length === 0) return [];
  const here =
    known.length > 0 ? `; its ${known.join(' and ')} ${known.length > 1 ? 'are' : 'is'} known` : '';
  const message = `No ${unknown.join(' or ')} area is loaded for this place${here}.`;
  return [{ code: 'no_census_area', field: null, message }];
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
    warnings: [...request.warnings, ...found.warnings],
  });
}

function censusData(
  { entries, credits }: FoundFigures,
  { locationInfo, censusGeoids, warnings }: Omit<CensusData, 'acsData'>,
): Priced<CensusData> {
  return { response: { locationInfo, censusGeoids, acsData: entries, warnings }, credits };
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

/** This many figures take about 8 MB of JSON and block the HTTP thread for 0.2 s. */
const MAX_FIGURES = 50_000;

/**
 * The figures of some areas: one entry for each area and year that has loaded data. Areas keep the requested
 * order. If no years are requested, the newest comes first. Each key, area and year costs 1 credit. Figures that
 * are not loaded cost nothing.
 *
 * @throws PlumblineError `bad_request` if the figures exceed the limit of one response
 */
export async function censusFigures(
  deps: PlaceDeps,
  areas: readonly RequestedArea[],
  selection: CensusSelection,
): Promise<FoundFigures> {
  const { keys, categories } = selection;
  // null: any table may hold a requested figure.
  const tableIds = keys && categories === null ? [...new Set(keys.flatMap(tableOfKey))] : null;
  const geoids = [...new Set(areas.flatMap((area) => area.geoids))];
  const yearsOf = await requestedYears(deps, geoids, tableIds, selection.years);
  const requested = areas.map((area) => ({ area, years: yearsOf(area) }));
  const years = [...new Set(requested.flatMap((each) => each.years))];
  const figures = await censusFiguresOf(deps, { geoids, years, tableIds });
  const entries: CensusEntry[] = [];
  const missing: RequestedArea[] = [];
  let count = 0;
  let credits = 0;
  for (const { area, years } of requested) {
    const found = years
      .map((year) => entryOf(figures, area, year, selection))
      .filter((entry) => entry !== null);
    entries.push(...found);
    if (found.length === 0) missing.push(area);
    for (const { nullReason } of found.flatMap(({ variables }) => Object.values(variables))) {
      count++;
      if (nullReason !== 'not_loaded') credits += CREDITS.censusValue;
    }
    if (count > MAX_FIGURES) {
      throw new PlumblineError(
        'bad_request',
        `The response would exceed ${MAX_FIGURES} figures. Request fewer areas or years, or specify census_keys or categories.`,
      );
    }
  }
  return { entries, warnings: missingWarnings(missing), credits };
}

function tableOfKey(key: string): string[] {
  const parsed = parseVariableKey(key);
  return parsed ? [parsed.tableId] : [];
}

/** The years to read for an area: the requested years, or else the newest loaded one. */
async function requestedYears(
  deps: PlaceDeps,
  geoids: readonly string[],
  tableIds: readonly string[] | null,
  named: readonly number[] | null,
): Promise<(area: RequestedArea) => readonly number[]> {
  if (named) return () => [...new Set(named)];
  const loaded = await censusYearsOf(deps, geoids, tableIds);
  return ({ geoids, geoidIn }) => {
    const years = geoids.flatMap((geoid) =>
      (loaded.get(geoid) ?? []).filter((year) => geoidIn(year) === geoid),
    );
    return years.length === 0 ? [] : [Math.max(...years)];
  };
}

function entryOf(
  figures: CensusFigures,
  { level, geoidIn }: RequestedArea,
  year: number,
  { keys, categories }: CensusSelection,
): CensusEntry | null {
  const geoid = geoidIn(year);
  if (geoid === null) return null;
  const tables = new Map(figures.tablesOf(geoid, year).map((table) => [table.tableId, table]));
  const [first] = tables.values();
  if (!first) return null;
  const variables: Record<string, Figure> = {};
  const add = (variable: CensusVariable): void => {
    variables[variable.key] = figureOf(tables.get(variable.tableId), variable);
  };
  for (const key of keys ?? []) {
    const variable = figures.variableOf(year, key) ?? BUILT_IN_VARIABLES.get(key);
    if (variable) add(variable);
  }
  for (const variable of [...tables.keys()].flatMap((tableId) => figures.variablesOf(year, tableId))) {
    const isSelected = categories ? categories.includes(variable.category) : keys === null;
    if (isSelected) add(variable);
  }
  return { year, geographyLevel: level, geoid, name: first.name, variables };
}

/** A figure of one area, or a share computed from two figures. */
export function figureOf(table: CensusTable | undefined, variable: CensusVariable): Figure {
  const cellOf = (suffix: string) => table?.cells.get(suffix) ?? unknownCell('not_loaded');
  const own = cellOf(variable.suffix);
  const cell = variable.shareOf === null ? own : percentageOf(own, cellOf(variable.shareOf));
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

const MAX_NAMED = 20;

function missingWarnings(missing: readonly RequestedArea[]): Warning[] {
  if (missing.length === 0) return [];
  const named = missing.slice(0, MAX_NAMED).map(({ geoids }) => [...new Set(geoids)].join(' or '));
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
  const message = `None of the requested figures are loaded for ${named.join(', ')}${more}.`;
  return [{ code: 'no_census_data', field: null, message }];
}
