import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { CensusApiSetting } from '../../config.ts';
import { ACS_TABLES } from '../../domain/census/acs-tables.ts';
import { FIRST_ACS_YEAR } from '../../domain/census/acs-years.ts';
import type { CensusLevel } from '../../domain/census/geoid.ts';
import { dayOfInstant, formatDay } from '../../domain/day.ts';
import type { Outbound, OutboundResponse } from '../../egress/outbound-call.ts';
import { retryAfterMs } from '../../egress/retry-after.ts';
import { PlumblineError, usageError } from '../../errors.ts';
import { parseResponse } from '../census-values/census-file.ts';
import type { OnProgress } from '../import-options.ts';

export interface FetchDeps {
  readonly api: CensusApiSetting;
  readonly outbound: Pick<Outbound, 'request'>;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
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

interface FetchedCensus {
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
    throw usageError(
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
    const detail = `The folder ${folder} cannot be created. Is the data directory writable?`;
    throw usageError(detail, cause);
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

interface CensusCall {
  /** Path and query below the API's URL, without the key. */
  readonly target: string;
  readonly variables: readonly string[];
}

/** The API accepts 50 variables per call; one of them is NAME. */
const VARIABLES_PER_CALL = 49;

/** The calls for each table. Throws `usage` for areas or tables that cannot be fetched. */
export function planCalls(request: CensusRequest) {
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
  if (!Number.isInteger(year) || year < FIRST_ACS_YEAR) {
    throw usageError(`--year is ${year}; 5-year estimates begin with ${FIRST_ACS_YEAR}.`);
  }
  if (!/^\d{2}$/.test(state))
    throw usageError(`--state is "${state}"; write its two digits, such as 53 for Washington.`);
  if (county !== null && !/^\d{3}$/.test(county)) {
    throw usageError(
      `--county is "${county}"; write its three digits, such as 033 for King County, or leave it out for all.`,
    );
  }
}

/** Estimates and margins of error of every line. */
function variablesOf(tableId: string): string[] {
  const table = ACS_TABLES.get(tableId);
  if (!table) {
    throw usageError(
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
async function fetchTable(
  deps: FetchDeps,
  { tableId, calls }: ReturnType<typeof planCalls>[number],
): Promise<string[][]> {
  let whole: string[][] | null = null;
  for (const call of calls) {
    await deps.sleep(PAUSE_MS);
    const rows = await requestCensusApi(deps, call);
    whole = whole === null ? rows : joinPortion(tableId, whole, rows, call);
  }
  if (whole === null) throw new NotOfferedError('it has no variables');
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

/** The API has no such table for these areas or this year, however often it is called. */
class NotOfferedError extends Error {
  override readonly name = 'NotOfferedError';
}

const TIMEOUT_MS = 120_000;
/** A state's block groups with 50 variables are 3 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
const TRIES = 5;
const FIRST_WAIT_MS = 1000;
/** For a longer wait the command ends: the operator can run it again. */
const LONGEST_WAIT_MS = 120_000;

/** Rows, or why to try again, with the wait that the API wants. */
type Attempt = { readonly rows: string[][] } | { readonly trouble: string; readonly waitMs: number | null };

/**
 * The rows of one call, the header first. If the API is busy, fails or ends its response early, the call is repeated
 * after 1, 2, 4 and 8 s, or when the API says. Errors never contain the key.
 *
 * @throws NotOfferedError if the API has no such figures
 */
async function requestCensusApi(deps: FetchDeps, call: CensusCall): Promise<string[][]> {
  let trouble = '';
  for (let tried = 0; tried < TRIES; tried++) {
    const attempt = await tryCall(deps, call);
    if ('rows' in attempt) return attempt.rows;
    trouble = attempt.trouble;
    const waitMs = attempt.waitMs ?? FIRST_WAIT_MS * 2 ** tried;
    if (waitMs > LONGEST_WAIT_MS) {
      trouble += ` and asks to wait ${Math.ceil(waitMs / 1000)} s`;
      break;
    }
    if (tried < TRIES - 1) await deps.sleep(waitMs);
  }
  throw new PlumblineError(
    'unavailable',
    `The Census API ${trouble}. What was fetched before is kept: run the same command again later.`,
  );
}

async function tryCall({ api, outbound, clock }: FetchDeps, call: CensusCall): Promise<Attempt> {
  const key = api.key === null ? '' : `&key=${encodeURIComponent(api.key)}`;
  const response = await outbound.request(`${api.url}${call.target}${key}`, {
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  if (response.outcome === 'responded') return readResponse(response, call, clock);
  const { outcome, detail } = response;
  if (outcome !== 'rejected') {
    return { trouble: `does not answer (${detail.replace(/\.$/, '')})`, waitMs: null };
  }
  throw usageError(
    `CENSUS_API_URL may not be called: ${detail} A mirror in your own network needs CENSUS_API_ALLOW_CIDRS.`,
  );
}

function readResponse(response: OutboundResponse, { variables }: CensusCall, clock: Clock): Attempt {
  const { status, isTruncated } = response;
  const text = Buffer.from(response.body).toString('utf8');
  if (status === 429 || status >= 500) {
    return {
      trouble: `answers ${status}`,
      waitMs: retryAfterMs(response.headers['retry-after'], clock().getTime()),
    };
  }
  if (isAboutKey(response, text)) {
    throw usageError(
      'The Census API wants a valid key. Ask for one at https://api.census.gov/data/key_signup.html and set CENSUS_API_KEY.',
    );
  }
  if (status === 204) throw new NotOfferedError('nothing for such areas');
  if (status === 400 || status === 404) throw new NotOfferedError(sentenceOf(text) || `status ${status}`);
  if (status !== 200)
    throw usageError(`CENSUS_API_URL answers with status ${status}: it is not the Census API.`);
  if (text.trimStart().startsWith('<')) return { trouble: 'answers with a web page', waitMs: null };
  if (isTruncated) throw usageError(`A response is larger than ${MAX_BYTES >> 20} MB.`);
  let rows: string[][];
  try {
    rows = parseResponse('The response', text);
  } catch (cause) {
    if (!(cause instanceof PlumblineError)) throw cause;
    return { trouble: 'ends its response early', waitMs: null };
  }
  const missing = variables.find((variable) => !rows[0].includes(variable));
  if (missing !== undefined) throw new NotOfferedError(`the response lacks ${missing}`);
  return { rows };
}

/** The API reports a missing or wrong key by an HTML page, or by a redirect to one. */
function isAboutKey({ status, headers }: OutboundResponse, text: string): boolean {
  if (status >= 300 && status < 400) return /key/i.test(String(headers.location ?? ''));
  return /^\s*</.test(text) && /(missing|invalid|valid)[^]{0,40}key/i.test(text);
}

/** The API's own words, which are plain text; '' for a web page. */
function sentenceOf(text: string): string {
  return /^\s*</.test(text) ? '' : text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}
