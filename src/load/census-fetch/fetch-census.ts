import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ACS_TABLES } from '../../domain/census/acs-tables.ts';
import { FIRST_ACS_YEAR } from '../../domain/census/acs-years.ts';
import type { CensusLevel } from '../../domain/census/geoid.ts';
import { dayOfInstant, formatDay } from '../../domain/day.ts';
import { PlumblineError } from '../../errors.ts';
import { parseResponse } from '../census-values/census-file.ts';
import type { OnProgress } from '../import-options.ts';
import {
  NotOfferedError,
  requestCensusApi,
  type CensusApiDeps,
  type CensusCall,
} from './request-census-api.ts';

export interface FetchDeps extends CensusApiDeps {
  /** Responses go to its folder `fetched`. */
  readonly dataDir: string;
  readonly progress?: OnProgress;
}

/** Which areas and tables to fetch. */
export interface CensusRequest {
  readonly year: number;
  readonly level: CensusLevel;
  /** Two digits. */
  readonly state: string;
  /** Three digits; null for every county of the state. */
  readonly county: string | null;
  /** null for every built-in table. */
  readonly tables: readonly string[] | null;
}

export interface FetchedCensus {
  /** One for each table, as the importer reads them. */
  readonly files: readonly string[];
  /** Tables that the API does not offer for these areas and this year, with its reason. */
  readonly notOffered: readonly { readonly tableId: string; readonly reason: string }[];
  /** The day of the newest file, `YYYY-MM-DD`. */
  readonly retrievedAt: string;
}

/** Between calls: the API is free and shared. */
const PAUSE_MS = 100;

/**
 * Fetches tables of the 5-year API to files, one table after another. A table whose file exists is not fetched again,
 * so that an interrupted command resumes; figures of a year do not change.
 */
export async function fetchCensus(deps: FetchDeps, request: CensusRequest): Promise<FetchedCensus> {
  const plan = planCalls(request);
  const { year, state, county, level } = request;
  const folder = join(deps.dataDir, 'fetched', `acs5-${year}-${state}-${county ?? 'all'}-${level}`);
  await createFolder(folder);
  const files: string[] = [];
  const notOffered: { tableId: string; reason: string }[] = [];
  for (const [i, table] of plan.entries()) {
    deps.progress?.('Fetching census tables', i, plan.length);
    const path = join(folder, `ACSDT5Y${year}.${table.tableId}.json`);
    try {
      if (!(await isComplete(path))) {
        await writeFile(`${path}.part`, JSON.stringify(await fetchTable(deps, table)));
        await rename(`${path}.part`, path);
      }
      files.push(path);
    } catch (error) {
      if (!(error instanceof NotOfferedError)) throw error;
      notOffered.push({ tableId: table.tableId, reason: error.message });
    }
  }
  deps.progress?.('Fetching census tables', plan.length, plan.length);
  if (files.length === 0) {
    throw new PlumblineError(
      'usage',
      `The Census API offers none of these tables for such areas and year (${notOffered[0]?.reason ?? 'no table'}). Check --state, --county, --level and --year.`,
    );
  }
  const times = await Promise.all(files.map(async (path) => (await stat(path)).mtime.getTime()));
  return { files, notOffered, retrievedAt: formatDay(dayOfInstant(new Date(Math.max(...times)))) };
}

async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    const detail = `The folder ${folder} cannot be made. Is the data directory writable?`;
    throw new PlumblineError('usage', detail, { cause });
  }
}

/** Whether an earlier run left the whole table. A damaged file is fetched again. */
async function isComplete(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '');
  try {
    return parseResponse(path, text).length > 1;
  } catch (error) {
    if (error instanceof PlumblineError) return false;
    throw error;
  }
}

/** The calls for one table: its variables in portions that the API accepts. */
interface TableCalls {
  readonly tableId: string;
  readonly calls: readonly CensusCall[];
}

/** The API accepts 50 variables per call; one of them is NAME. */
const VARIABLES_PER_CALL = 49;

/** Throws `usage` for areas or tables that cannot be fetched. */
export function planCalls(request: CensusRequest): TableCalls[] {
  checkRequest(request);
  return (request.tables ?? [...ACS_TABLES.keys()]).map((tableId) => {
    const variables = variablesOf(tableId);
    const calls: CensusCall[] = [];
    for (let start = 0; start < variables.length; start += VARIABLES_PER_CALL) {
      const portion = variables.slice(start, start + VARIABLES_PER_CALL);
      calls.push({ target: targetOf(request, portion), variables: portion });
    }
    return { tableId, calls };
  });
}

function checkRequest({ year, state, county }: CensusRequest): void {
  const fail = (detail: string): never => {
    throw new PlumblineError('usage', detail);
  };
  if (!Number.isInteger(year) || year < FIRST_ACS_YEAR) {
    fail(`--year is ${year}; 5-year estimates begin with ${FIRST_ACS_YEAR}.`);
  }
  if (!/^\d{2}$/.test(state)) fail(`--state is "${state}"; write its two digits, such as 53 for Washington.`);
  if (county !== null && !/^\d{3}$/.test(county)) {
    fail(
      `--county is "${county}"; write its three digits, such as 033 for King County, or leave it out for all.`,
    );
  }
}

/** Estimates and margins of error of every line. */
function variablesOf(tableId: string): string[] {
  const table = ACS_TABLES.get(tableId);
  if (!table) {
    throw new PlumblineError(
      'usage',
      `Table "${tableId}" is not built in; there is ${[...ACS_TABLES.keys()].join(', ')}. ` +
        'Download others from data.census.gov and import them.',
    );
  }
  return Object.keys(table.labels)
    .map((suffix) => `${tableId}_${suffix}`)
    .flatMap((estimate) => [estimate, estimate.replace(/E$/, 'M')]);
}

function targetOf({ year, level, state, county }: CensusRequest, variables: readonly string[]): string {
  const area = county ?? '*';
  const within = level === 'county' ? [`state:${state}`] : [`state:${state}`, `county:${area}`];
  const names: Readonly<Record<CensusLevel, string>> = {
    county: `county:${area}`,
    cousub: 'county subdivision:*',
    tract: 'tract:*',
    block_group: 'block group:*',
  };
  if (level === 'block_group') within.push('tract:*');
  const query = [
    ['get', ['NAME', ...variables].join(',')],
    ['for', names[level]],
    ...within.map((text) => ['in', text]),
  ];
  // URLSearchParams would write a space as "+". The API reads %20.
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`);
  return `/data/${year}/acs/acs5?${text.join('&')}`;
}

/** Fetches a table's portions and joins them by area. */
async function fetchTable(deps: FetchDeps, { tableId, calls }: TableCalls): Promise<string[][]> {
  let whole: string[][] | null = null;
  for (const call of calls) {
    await deps.sleep(PAUSE_MS);
    const rows = await requestCensusApi(deps, call);
    whole = whole === null ? rows : joinPortion(tableId, whole, rows, call);
  }
  if (whole === null) throw new NotOfferedError('it has no lines');
  return whole;
}

const AREA_CODES = new Set(['state', 'county', 'county subdivision', 'tract', 'block group']);

/** Adds the variables of a further portion to the rows of the same areas. */
function joinPortion(
  tableId: string,
  whole: readonly string[][],
  portion: readonly string[][],
  { variables }: CensusCall,
): string[][] {
  const [header] = portion;
  const at = variables.map((variable) => header.indexOf(variable));
  const byArea = new Map(portion.slice(1).map((row) => [areaOf(header, row), row]));
  return whole.map((row, i) => {
    if (i === 0) return [...row, ...variables];
    const other = byArea.get(areaOf(whole[0], row));
    if (other) return [...row, ...at.map((position) => other[position])];
    throw new PlumblineError(
      'unavailable',
      `The Census API gave different areas for parts of table ${tableId}. Run the same command again.`,
    );
  });
}

function areaOf(header: readonly string[], row: readonly string[]): string {
  return row.filter((_, i) => AREA_CODES.has(header[i])).join(' ');
}
