import type { Command } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import { readProcessConfig } from '../config.ts';
import { FIRST_ACS_YEAR, LAST_ACS_YEAR } from '../domain/census/acs-years.ts';
import { CENSUS_LEVELS, type CensusLevel } from '../domain/census/geoid.ts';
import { createOutbound } from '../egress/outbound.ts';
import { PlumblineError } from '../errors.ts';
import { fetchCensus, type CensusRequest, type FetchedCensus } from '../load/census-fetch/fetch-census.ts';
import { importCensusValues } from '../load/census-values/import-census-values.ts';
import { withStore } from './compose.ts';
import { describeImport } from './import.ts';
import { printJson, printLine } from './print.ts';
import { openProgress } from './progress.ts';
import { readMarketId, readWholeOption } from './read-options.ts';

interface CommandOptions {
  readonly market: string;
  readonly state: string;
  readonly county?: string;
  readonly level: string;
  readonly year: string;
  readonly tables?: readonly string[];
  readonly json?: boolean;
}

export function registerFetch(program: Command): void {
  program
    .command('fetch')
    .description('fetch public data from its publisher and import it (docs/operations/import-places.md)')
    .argument('<source>', 'census: 5-year estimates from the Census API, with CENSUS_API_KEY')
    .requiredOption('--market <id>', 'the market that it belongs to')
    .requiredOption('--state <digits>', 'two digits, such as 53 for Washington')
    .option('--county <digits>', 'three digits, such as 033 for King County (default: every county)')
    .requiredOption('--level <level>', CENSUS_LEVELS.join(', '))
    .requiredOption('--year <year>', 'the last of the five years')
    .option(
      '--tables <ids...>',
      'such as B19013 B25077; repeat or separate by commas (default: all built-in)',
    )
    .option('--json', 'print the report as JSON')
    .action((source: string, options: CommandOptions) => fetchSource(source, options));
}

async function fetchSource(source: string, options: CommandOptions): Promise<void> {
  if (source !== 'census') {
    throw new PlumblineError('usage', `"${source}" cannot be fetched; there is census.`);
  }
  const marketId = readMarketId(options.market);
  const request = readRequest(options);
  const { censusApi, dataDir } = readProcessConfig();
  const outbound = createOutbound({
    allowCidrs: censusApi.allowCidrs,
    allowHttp: censusApi.url.startsWith('http:'),
  });
  const progress = openProgress();
  const deps = { api: censusApi, outbound, clock: systemClock, sleep, dataDir, progress: progress.report };
  try {
    const fetched = await fetchCensus(deps, request);
    const report = await withStore((store) =>
      importCensusValues(
        { store, clock: systemClock, dataDir, progress: progress.report },
        {
          marketId,
          files: fetched.files,
          sourceName: 'U.S. Census Bureau, American Community Survey 5-year estimates',
          license: 'public domain',
          retrievedAt: fetched.retrievedAt,
        },
      ),
    );
    progress.close();
    if (options.json) printJson({ ...report, notOffered: fetched.notOffered });
    else for (const line of [...describeFetch(fetched), ...describeImport(report)]) printLine(line);
  } finally {
    progress.close();
  }
}

function describeFetch({ notOffered }: FetchedCensus): string[] {
  return notOffered.map(({ tableId, reason }) => `Not offered: ${tableId} (${reason})`);
}

function readRequest(options: CommandOptions): CensusRequest {
  const tables = (options.tables ?? []).flatMap((list) => list.split(',')).filter((id) => id !== '');
  return {
    year: readWholeOption('--year', options.year, FIRST_ACS_YEAR, LAST_ACS_YEAR),
    level: readLevel(options.level),
    state: options.state,
    county: options.county ?? null,
    tables: tables.length > 0 ? tables.map((id) => id.toUpperCase()) : null,
  };
}

function readLevel(text: string): CensusLevel {
  const level = CENSUS_LEVELS.find((candidate) => candidate === text);
  if (level) return level;
  throw new PlumblineError('usage', `--level is "${text}"; there is ${CENSUS_LEVELS.join(', ')}.`);
}
