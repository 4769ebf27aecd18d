import { ACS_TABLES } from '../../domain/census/acs-tables.ts';
import { FIRST_ACS_YEAR } from '../../domain/census/acs-years.ts';
import type { CensusLevel } from '../../domain/census/geoid.ts';
import { PlumblineError } from '../../errors.ts';

/** Which areas and tables to fetch. */
export interface CensusWish {
  readonly year: number;
  readonly level: CensusLevel;
  /** Two digits. */
  readonly state: string;
  /** Three digits; null for every county of the state. */
  readonly county: string | null;
  /** null for every built-in table. */
  readonly tables: readonly string[] | null;
}

/** The calls that make up one table: its variables in portions that the API takes. */
export interface TableCalls {
  readonly tableId: string;
  readonly calls: readonly CensusCall[];
}

export interface CensusCall {
  /** Path and query below the API's address, without the key. */
  readonly target: string;
  readonly variables: readonly string[];
}

/** The API takes 50 variables a call; one of them is NAME. */
const VARIABLES_A_CALL = 49;

/** What to ask for, table by table. Throws `usage` for a wish that cannot be asked. */
export function planCalls(wish: CensusWish): TableCalls[] {
  checkWish(wish);
  return (wish.tables ?? [...ACS_TABLES.keys()]).map((tableId) => {
    const variables = variablesOf(tableId);
    const calls: CensusCall[] = [];
    for (let start = 0; start < variables.length; start += VARIABLES_A_CALL) {
      const portion = variables.slice(start, start + VARIABLES_A_CALL);
      calls.push({ target: targetOf(wish, portion), variables: portion });
    }
    return { tableId, calls };
  });
}

function checkWish({ year, state, county }: CensusWish): void {
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

function targetOf({ year, level, state, county }: CensusWish, variables: readonly string[]): string {
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
  // Not a form: a space is %20, which the API reads, rather than "+".
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`);
  return `/data/${year}/acs/acs5?${text.join('&')}`;
}
