import { percentageOf, unknownCell, type CensusCell } from '../../domain/census/cell.ts';
import type { CensusTable } from '../../domain/census/census-table.ts';
import { BUILT_IN_VARIABLES, type CensusVariable } from '../../domain/census/describe-table.ts';
import type { CensusLevel } from '../../domain/census/geoid.ts';
import { parseVariableKey } from '../../domain/census/variable-key.ts';
import type { Warning } from '../../domain/warning.ts';
import { PlumblineError } from '../../errors.ts';
import { censusFiguresOf, censusYearsOf, type CensusFigures } from '../../places/census-values.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import { CREDITS } from '../credits.ts';

/** The requested figures: those of these keys and of these categories, or all if both are null. */
export interface CensusSelection {
  /** null: the newest loaded year of each area. */
  readonly years: readonly number[] | null;
  readonly keys: readonly string[] | null;
  readonly categories: readonly string[] | null;
}

/**
 * A requested area. A place can lie in different areas in different censuses, so its GEOID depends on the
 * year; null means none.
 */
export interface RequestedArea {
  readonly level: CensusLevel;
  readonly geoids: readonly string[];
  readonly geoidIn: (year: number) => string | null;
}

/** One area in one year: a CensusDataEntry of the API. */
export interface CensusEntry {
  readonly year: number;
  readonly level: CensusLevel;
  readonly geoid: string;
  readonly name: string;
  readonly variables: readonly { readonly variable: CensusVariable; readonly cell: CensusCell }[];
}

export interface CensusAnswer {
  readonly entries: readonly CensusEntry[];
  readonly warnings: readonly Warning[];
  readonly credits: number;
}

/** This many figures take about 8 MB of JSON and block the HTTP thread for 0.2 s. */
const MOST_FIGURES = 50_000;

/**
 * The figures of some areas: one entry for each area and year that has loaded data. Areas keep the requested
 * order. If no years are requested, the newest comes first.
 *
 * @throws PlumblineError `bad_request` if the figures exceed the limit of one response
 */
export async function censusFigures(
  deps: PlaceDeps,
  areas: readonly RequestedArea[],
  selection: CensusSelection,
): Promise<CensusAnswer> {
  const tableIds = requestedTables(selection);
  const geoids = [...new Set(areas.flatMap((area) => area.geoids))];
  const yearsOf = await requestedYears(deps, geoids, tableIds, selection.years);
  const requested = areas.map((area) => ({ area, years: yearsOf(area) }));
  const years = [...new Set(requested.flatMap((each) => each.years))];
  const figures = await censusFiguresOf(deps, { geoids, years, tableIds });
  const entries: CensusEntry[] = [];
  const missing: RequestedArea[] = [];
  let count = 0;
  for (const { area, years } of requested) {
    const found = years
      .map((year) => entryOf(figures, area, year, selection))
      .filter((entry) => entry !== null);
    entries.push(...found);
    if (found.length === 0) missing.push(area);
    count += found.reduce((sum, { variables }) => sum + variables.length, 0);
    if (count > MOST_FIGURES) throw tooManyFigures();
  }
  return { entries, warnings: missingWarnings(missing), credits: creditsOf(entries) };
}

/** null: any table may hold a requested figure. */
function requestedTables({ keys, categories }: CensusSelection): readonly string[] | null {
  return keys && categories === null ? [...new Set(keys.flatMap(tableOfKey))] : null;
}

function tooManyFigures(): PlumblineError {
  return new PlumblineError(
    'bad_request',
    `The response would exceed ${MOST_FIGURES} figures. Request fewer areas or years, or specify census_keys or categories.`,
  );
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
  area: RequestedArea,
  year: number,
  { keys, categories }: CensusSelection,
): CensusEntry | null {
  const geoid = area.geoidIn(year);
  if (geoid === null) return null;
  const tables = new Map(figures.tablesOf(geoid, year).map((table) => [table.tableId, table]));
  const [first] = tables.values();
  if (!first) return null;
  const loaded = [...tables.keys()].flatMap((tableId) => figures.variablesOf(year, tableId));
  const variables = new Map<string, CensusVariable>();
  for (const key of keys ?? []) {
    const variable = figures.variableOf(year, key) ?? BUILT_IN_VARIABLES.get(key);
    if (variable) variables.set(key, variable);
  }
  for (const variable of loaded) {
    const isSelected = categories ? categories.includes(variable.category) : keys === null;
    if (isSelected) variables.set(variable.key, variable);
  }
  return {
    year,
    level: area.level,
    geoid,
    name: first.name,
    variables: [...variables.values()].map((variable) => ({
      variable,
      cell: cellOf(tables.get(variable.tableId), variable),
    })),
  };
}

/** A figure of one area, or a share computed from two figures. */
function cellOf(table: CensusTable | undefined, { suffix, shareOf }: CensusVariable): CensusCell {
  const cell = table?.cells.get(suffix) ?? unknownCell('not_loaded');
  if (shareOf === null) return cell;
  return percentageOf(cell, table?.cells.get(shareOf) ?? unknownCell('not_loaded'));
}

/** Each key, area and year costs 1 credit. Figures that are not loaded cost nothing. */
function creditsOf(entries: readonly CensusEntry[]): number {
  const known = entries
    .flatMap(({ variables }) => variables)
    .filter(({ cell }) => cell.nullReason !== 'not_loaded');
  return known.length * CREDITS.censusValue;
}

const MOST_NAMED = 20;

function missingWarnings(missing: readonly RequestedArea[]): Warning[] {
  if (missing.length === 0) return [];
  const named = missing.slice(0, MOST_NAMED).map(({ geoids }) => [...new Set(geoids)].join(' or '));
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
  const message = `None of the requested figures are loaded for ${named.join(', ')}${more}.`;
  return [{ code: 'no_census_data', field: null, message }];
}
