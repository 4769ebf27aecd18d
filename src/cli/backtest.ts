import { accessSync, constants, createWriteStream, mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { VALUATION_KINDS, type ValuationKind } from '../domain/valuation-kind.ts';
import { PlumblineError, systemCodeOf, usageError } from '../errors.ts';
import { readProtocol } from '../operations/studies/backtest/protocol.ts';
import { formatBacktestTable } from '../operations/studies/backtest/report-table.ts';
import { salesCsv } from '../operations/studies/backtest/tested-sales.ts';
import { runBacktest, type BacktestDeps } from '../operations/studies/backtest.ts';
import { saveBacktest } from '../operations/studies/saved-backtests.ts';
import { findSnapshot, readStudyColumns, readStudyRents } from '../operations/studies/study-columns.ts';
import type { Store } from '../store/store.ts';
import { choiceOption, MARKET_OPTION, wholeArgument, type JsonOption } from './options.ts';
import { printResult } from './print.ts';
import { queueTask, runTask } from './run-task.ts';

/** Days from closing until a sale is known if the publisher gives no recording date. Valuations assume the same. */
const DEFAULT_RECORDING_LAG_DAYS = 14;

interface BacktestOptions extends JsonOption {
  readonly market: string;
  readonly kind: ValuationKind;
  readonly trainBefore?: string;
  readonly from?: string;
  readonly to?: string;
  readonly every?: string;
  readonly folds?: string;
  readonly foldCount?: string;
  readonly recordingLag?: number;
  readonly rents: boolean;
  readonly baselines: boolean;
  readonly out?: string;
  readonly save?: boolean;
  readonly queue?: boolean;
}

export function registerBacktest(program: Command): void {
  program
    .command('backtest')
    .requiredOption(...MARKET_OPTION)
    .addOption(choiceOption('--kind <kind>', 'what to value', VALUATION_KINDS).default('property'))
    .option('--train-before <YYYY-MM-DD>', 'frozen: train once on what was known before that day')
    .option('--from <YYYY-MM-DD>', 'walk forward: first closing day to value')
    .option('--to <YYYY-MM-DD>', 'last closing day to value (default: the newest sale)')
    .option('--every <step>', 'walk forward: train again every 14d, 1mo, 3mo, … (default: 1mo)')
    .option(
      '--folds <row|point|cell>',
      'cross-validation instead of dates: hold out rows, buildings, or cells of 220 m in turn',
    )
    .option('--fold-count <n>', 'number of folds (default: 5)')
    .option(
      '--recording-lag <days>',
      `days from closing until a sale is known (default: ${DEFAULT_RECORDING_LAG_DAYS})`,
      wholeArgument(0, 365),
    )
    .option('--no-rents', 'value buildings by sales only, even if the market has rents')
    .option('--no-baselines', 'leave out the baselines, such as nearest-10 and hedonic regression')
    .option('--out <folder>', 'also write report.json and sales.csv (for rents: rents.csv) there')
    .option('--save', 'keep the result with the market: its page in the console shows it by year')
    .option(
      '--queue',
      'queue it for a "serve" or "work" process; then "plumbline jobs show" prints the report',
    )
    .action(backtest);
}

async function backtest(options: BacktestOptions): Promise<void> {
  const { market, kind, baselines, out, save } = options;
  const protocol = readProtocol(options);
  const readMarket = marketReader(options);
  if (options.queue) return queueBacktest(options);
  if (out !== undefined) createReportFolder(out);
  const task = { task: 'backtest', marketId: market, kind } as const;
  const { report, tested } = await runTask(task, async (store, { threads }, onProgress) => {
    const begunAt = store.clock().getTime();
    const columns = await readMarket(store);
    const made = await runBacktest(
      { ...columns, threads, onProgress },
      { market, kind, protocol, baselines },
    );
    if (save) await saveBacktest(store, made, begunAt);
    return made;
  });
  if (out !== undefined) {
    await writeReport(out, report, kind === 'rental' ? 'rents.csv' : 'sales.csv', salesCsv(tested));
  }
  printResult(options, report, formatBacktestTable(report));
}

/** The report is stored with the job. Files would be written on the machine that runs it. */
function queueBacktest(options: BacktestOptions): Promise<void> {
  if (options.out !== undefined) {
    throw usageError('--out writes files here and --queue works elsewhere: leave one out.');
  }
  return queueTask(options, 'backtest', {
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
    '--save': options.save,
  });
}

/** Reads what a backtest of the kind needs: listings, sales, or for buildings both if there are rents. */
function marketReader({
  kind,
  market,
  recordingLag,
  rents,
}: BacktestOptions): (store: Store) => Promise<Pick<BacktestDeps, 'columns' | 'rents' | 'sales'>> {
  if (kind === 'rental' && recordingLag !== undefined) {
    throw new PlumblineError(
      'usage',
      '--recording-lag is for sales: a listing is known on the day it is listed. Leave it out.',
    );
  }
  if (kind === 'rental') {
    return async (store) => ({
      columns: await readStudyRents(store, market),
      sales: await findSnapshot(store, market, 'sales'),
    });
  }
  return async (store) => ({
    columns: await readStudyColumns(store, market, recordingLag ?? DEFAULT_RECORDING_LAG_DAYS),
    rents: kind === 'multifamily' && rents ? await findSnapshot(store, market, 'rents') : null,
  });
}

/** Creates the folder of `--out`, before work that takes minutes. */
export function createReportFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const code = systemCodeOf(error) ?? 'unknown error';
    throw usageError(
      `--out: the folder ${folder} cannot be created or written (${code}). Name another one.`,
      error,
    );
  }
}

/** Writes report.json and a CSV file into a folder. */
export async function writeReport(
  folder: string,
  report: object,
  csvName: string,
  csv: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  await pipeline(Readable.from(csv), createWriteStream(join(folder, csvName)));
}
