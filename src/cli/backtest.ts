import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { VALUATION_KINDS, type ValuationKind } from '../domain/valuation-kind.ts';
import { PlumblineError } from '../errors.ts';
import {
  formatBacktestTable,
  readProtocol,
  runBacktest,
  salesCsv,
  type Backtest,
  type BacktestDeps,
} from '../operations/studies/backtest.ts';
import { findStudyRents, readStudyColumns, readStudyRents } from '../operations/studies/study-columns.ts';
import type { Store } from '../store/store.ts';
import { withStore } from './compose.ts';
import { noteRun } from './note-run.ts';
import { printJson, printLine } from './print.ts';
import { openProgress } from './progress.ts';
import { optionsLine, queueAndPrint } from './queue-model-job.ts';
import { readMarketId, readWholeOption } from './read-options.ts';

/** Days from closing until a sale is known where the publisher gives no recording date: what service assumes. */
const DEFAULT_RECORDING_LAG = '14';

interface BacktestOptions {
  readonly market: string;
  readonly kind: string;
  readonly trainBefore?: string;
  readonly from?: string;
  readonly to?: string;
  readonly every?: string;
  readonly folds?: string;
  readonly foldCount?: string;
  readonly recordingLag?: string;
  readonly rents: boolean;
  readonly baselines: boolean;
  readonly out?: string;
  readonly queue?: boolean;
  readonly json?: boolean;
}

export function registerBacktest(program: Command): void {
  program
    .command('backtest')
    .description('value past sales, or rents, without knowing them and measure the values against the prices')
    .requiredOption('--market <id>', 'the market to measure')
    .option('--kind <kind>', `what is valued: ${VALUATION_KINDS.join(', ')}`, 'property')
    .option('--train-before <YYYY-MM-DD>', 'frozen: train once on what was known before that day')
    .option('--from <YYYY-MM-DD>', 'walk forward: first closing day to value')
    .option('--to <YYYY-MM-DD>', 'last closing day to value (default: the newest sale)')
    .option('--every <step>', 'walk forward: train again every 14d, 1mo, 3mo, … (default: 1mo)')
    .option(
      '--folds <row|point|cell>',
      'instead of by date: rows, buildings, or cells of 220 m, left out in turn',
    )
    .option('--fold-count <n>', 'into how many folds they are dealt (default: 5)')
    .option(
      '--recording-lag <days>',
      `days from closing until a sale is known (default: ${DEFAULT_RECORDING_LAG})`,
    )
    .option('--no-rents', 'buildings by their sales alone, though the market has rents')
    .option('--no-baselines', 'leave out nearest-10, hedonic regression, plain trees and the like')
    .option('--out <folder>', 'also write report.json and sales.csv (of rents rents.csv) there')
    .option(
      '--queue',
      'leave it to a process that serves or works; "plumbline jobs show" then prints the report',
    )
    .option('--json', 'print the report as JSON')
    .action((options: BacktestOptions) => backtest(options));
}

async function backtest(options: BacktestOptions): Promise<void> {
  const kind = readKind(options.kind);
  const market = readMarketId(options.market);
  const protocol = readProtocol(options);
  const readMarket = marketReader(kind, market, options);
  if (options.queue) return queueBacktest(options);
  const progress = openProgress();
  try {
    const { baselines } = options;
    const run = { task: 'backtest', marketId: market, kind } as const;
    const done = await withStore(async (store, { threads }) => {
      const columns = await readMarket(store);
      return noteRun(store, run, progress.report, (onProgress) =>
        runBacktest({ ...columns, threads, onProgress }, { market, kind, protocol, baselines }),
      );
    });
    progress.close();
    if (options.out !== undefined) await writeReport(options.out, done);
    if (options.json) printJson(done.report);
    else printLine(formatBacktestTable(done.report));
  } finally {
    progress.close();
  }
}

/** The report is kept with the job; files would be written wherever the work is done. */
function queueBacktest(options: BacktestOptions): Promise<void> {
  if (options.out !== undefined) {
    throw new PlumblineError('usage', '--out writes files here and --queue works elsewhere: leave one out.');
  }
  const line = optionsLine({
    '--market': options.market,
    '--kind': options.kind,
    '--train-before': options.trainBefore,
    '--from': options.from,
    '--to': options.to,
    '--every': options.every,
    '--folds': options.folds,
    '--fold-count': options.foldCount,
    '--recording-lag': options.recordingLag,
    '--no-rents': !options.rents,
    '--no-baselines': !options.baselines,
  });
  return queueAndPrint({ task: 'backtest', options: line }, options.json ?? false);
}

function readKind(text: string): ValuationKind {
  const kind = VALUATION_KINDS.find((known) => known === text);
  if (kind === undefined) {
    throw new PlumblineError('usage', `--kind is "${text}"; it takes ${VALUATION_KINDS.join(', ')}.`);
  }
  return kind;
}

/** What a study of the kind reads of the market: its listings, its sales, or of buildings both where there are rents. */
function marketReader(
  kind: ValuationKind,
  market: string,
  { recordingLag, rents }: BacktestOptions,
): (store: Store) => Promise<Pick<BacktestDeps, 'columns' | 'rents'>> {
  if (kind === 'rental' && recordingLag !== undefined) {
    throw new PlumblineError(
      'usage',
      '--recording-lag is for sales: a listing is known on the day it is listed. Leave it out.',
    );
  }
  if (kind === 'rental') return async (store) => ({ columns: await readStudyRents(store, market) });
  const lag = readWholeOption('--recording-lag', recordingLag ?? DEFAULT_RECORDING_LAG, 0, 365);
  return async (store) => ({
    columns: await readStudyColumns(store, market, lag),
    rents: kind === 'multifamily' && rents ? await findStudyRents(store, market) : null,
  });
}

async function writeReport(folder: string, done: Backtest): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(done.report, null, 2)}\n`);
  const rows = done.report.kind === 'rental' ? 'rents.csv' : 'sales.csv';
  await pipeline(Readable.from(salesCsv(done.tested)), createWriteStream(join(folder, rows)));
}
