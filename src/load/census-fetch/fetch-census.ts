import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dayOfInstant, formatDay } from '../../domain/day.ts';
import { PlumblineError } from '../../errors.ts';
import { parseAnswer } from '../census-values/open-answer.ts';
import type { OnProgress } from '../import-options.ts';
import { askCensusApi, NotOfferedError, type AskDeps } from './ask-census-api.ts';
import { planCalls, type CensusCall, type CensusWish, type TableCalls } from './plan-calls.ts';

export interface FetchDeps extends AskDeps {
  /** Answers go to its folder `fetched`. */
  readonly dataDir: string;
  readonly progress?: OnProgress;
}

/** What was fetched: a file a table, as the importer reads them. */
export interface FetchedCensus {
  readonly files: readonly string[];
  /** Tables that the API does not offer for these areas and this year, with its reason. */
  readonly notOffered: readonly { readonly tableId: string; readonly reason: string }[];
  /** The day of the newest file, `YYYY-MM-DD`. */
  readonly retrievedAt: string;
}

/** Between calls: the API is free and shared. */
const PAUSE_MS = 100;

/**
 * Fetches tables of the 5-year API to files, one table after another. A table whose file is there is not fetched
 * again, so that a command that was broken off goes on where it was; figures of a year do not change.
 */
export async function fetchCensus(deps: FetchDeps, wish: CensusWish): Promise<FetchedCensus> {
  const plan = planCalls(wish);
  const { year, state, county, level } = wish;
  const folder = join(deps.dataDir, 'fetched', `acs5-${year}-${state}-${county ?? 'all'}-${level}`);
  await makeFolder(folder);
  const files: string[] = [];
  const notOffered: { tableId: string; reason: string }[] = [];
  for (const [i, table] of plan.entries()) {
    deps.progress?.('Fetching census tables', i, plan.length);
    const path = join(folder, `ACSDT5Y${year}.${table.tableId}.json`);
    if (await isWhole(path)) {
      files.push(path);
      continue;
    }
    const rows = await fetchTable(deps, table);
    if (Array.isArray(rows)) {
      await writeFile(`${path}.part`, JSON.stringify(rows));
      await rename(`${path}.part`, path);
      files.push(path);
    } else {
      notOffered.push({ tableId: table.tableId, reason: rows.reason });
    }
  }
  deps.progress?.('Fetching census tables', plan.length, plan.length);
  if (files.length === 0) {
    throw new PlumblineError(
      'usage',
      `The Census API offers none of these tables for such areas and year (${notOffered[0]?.reason ?? 'no table'}). Check --state, --county, --level and --year.`,
    );
  }
  return { files, notOffered, retrievedAt: await newestDay(files) };
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new PlumblineError(
      'usage',
      `The folder ${folder} cannot be made. Is the data directory writable?`,
      {
        cause,
      },
    );
  }
}

/** Whether an earlier run left the table; a file that cannot be read as one is fetched again. */
async function isWhole(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '');
  try {
    return parseAnswer(path, text).length > 1;
  } catch (error) {
    if (error instanceof PlumblineError) return false;
    throw error;
  }
}

/** The table's portions side by side, or why there is none. */
async function fetchTable(
  deps: FetchDeps,
  { tableId, calls }: TableCalls,
): Promise<string[][] | { readonly reason: string }> {
  let whole: string[][] | null = null;
  for (const call of calls) {
    await deps.sleep(PAUSE_MS);
    try {
      const rows = await askCensusApi(deps, call);
      whole = whole === null ? rows : joinPortion(tableId, whole, rows, call);
    } catch (error) {
      if (error instanceof NotOfferedError) return { reason: error.message };
      throw error;
    }
  }
  return whole ?? { reason: 'it has no lines' };
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
    if (!other) {
      throw new PlumblineError(
        'unavailable',
        `The Census API gave different areas for parts of table ${tableId}. Run the same command again.`,
      );
    }
    return [...row, ...at.map((position) => other[position])];
  });
}

function areaOf(header: readonly string[], row: readonly string[]): string {
  return row.filter((_, i) => AREA_CODES.has(header[i])).join(' ');
}

async function newestDay(files: readonly string[]): Promise<string> {
  const times = await Promise.all(files.map(async (path) => (await stat(path)).mtime.getTime()));
  return formatDay(dayOfInstant(new Date(Math.max(...times))));
}
