import type { Command } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import { FIRST_ACS_YEAR, LAST_ACS_YEAR } from '../domain/census/acs-years.ts';
import { CENSUS_LEVELS, type CensusLevel } from '../domain/census/geoid.ts';
import { dayOfInstant, formatDay } from '../domain/day.ts';
import { createOutbound } from '../egress/outbound.ts';
import type { Outbound } from '../egress/outbound-call.ts';
import { fetchCensus } from '../load/census-fetch/fetch-census.ts';
import { importCensusValues } from '../load/census-values/import-census-values.ts';
import { fetchIndex } from '../load/index/fetch-index.ts';
import { importIndex } from '../load/index/import-index.ts';
import { withStore } from './configured-store.ts';
import { readProcessConfig, type FhfaSetting } from '../config.ts';
import { describeImport } from './import.ts';
import { choiceOption, listArgument, MARKET_OPTION, wholeArgument, type JsonOption } from './options.ts';
import { printResult } from './print.ts';
import { withProgress } from './progress.ts';

interface CommandOptions extends JsonOption {
  readonly market: string;
  readonly state: string;
  readonly county?: string;
  readonly level: CensusLevel;
  readonly year: number;
  readonly tables?: readonly string[];
}

export function registerFetch(program: Command): void {
  const fetch = program.command('fetch');
  fetch
    .command('index')
    .description('a price index of the Federal Housing Finance Agency')
    .requiredOption(...MARKET_OPTION)
    .requiredOption('--cbsa <code>', 'five digits of the metro or metropolitan division, such as 33340')
    .action(fetchIndexAndImport);
  fetch
    .command('census')
    .description('5-year estimates from the Census API, with CENSUS_API_KEY')
    .requiredOption(...MARKET_OPTION)
    .requiredOption('--state <digits>', 'two digits, such as 53 for Washington')
    .option('--county <digits>', 'three digits, such as 033 for King County (default: every county)')
    .addOption(choiceOption('--level <level>', 'level of the areas', CENSUS_LEVELS).makeOptionMandatory())
    .requiredOption(
      '--year <year>',
      'the last of the five years',
      wholeArgument(FIRST_ACS_YEAR, LAST_ACS_YEAR),
    )
    .option(
      '--tables <ids...>',
      'such as B19013 B25077; repeat or separate by commas (default: all built-in)',
      listArgument,
    )
    .action(fetchAndImport);
}

async function fetchIndexAndImport(options: JsonOption & { market: string; cbsa: string }): Promise<void> {
  const { market: marketId, cbsa } = options;
  const { fhfa, dataDir } = readProcessConfig();
  const outbound = outboundOf(fhfa);
  const report = await withProgress(async (progress) => {
    const file = await fetchIndex({ fhfa, outbound, dataDir, progress }, cbsa);
    const wanted = {
      marketId,
      cbsa,
      files: [file],
      sourceName: 'Federal Housing Finance Agency',
      license: 'public domain',
      retrievedAt: formatDay(dayOfInstant(systemClock())),
    };
    return withStore((store) => importIndex({ store, clock: systemClock, dataDir, progress }, wanted));
  });
  printResult(options, report, describeImport(report));
}

/** A client for a publisher, or for the operator's own mirror of it. */
function outboundOf({ url, allowCidrs }: FhfaSetting): Outbound {
  return createOutbound({ allowCidrs, allowHttp: url.startsWith('http:') });
}

async function fetchAndImport(options: CommandOptions): Promise<void> {
  const { market: marketId, year, level, state, county = null } = options;
  const tables = options.tables?.map((id) => id.toUpperCase()) ?? null;
  const { censusApi, dataDir } = readProcessConfig();
  const outbound = outboundOf(censusApi);
  const { report, notOffered } = await withProgress(async (progress) => {
    const deps = { api: censusApi, outbound, clock: systemClock, sleep, dataDir, progress };
    const { files, retrievedAt, notOffered } = await fetchCensus(deps, {
      year,
      level,
      state,
      county,
      tables,
    });
    const sourceName = 'U.S. Census Bureau, American Community Survey 5-year estimates';
    const wanted = { marketId, files, sourceName, license: 'public domain', retrievedAt };
    const report = await withStore((store) =>
      importCensusValues({ store, clock: systemClock, dataDir, progress }, wanted),
    );
    return { report, notOffered };
  });
  const lines = notOffered.map(({ tableId, reason }) => `Not offered: ${tableId} (${reason})`);
  printResult(options, { ...report, notOffered }, [...lines, describeImport(report)].join('\n'));
}
