import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { PlumblineError } from '../errors.ts';
import {
  formatBacktestTable,
  readProtocol,
  runBacktest,
  salesCsv,
  type Backtest,
} from '../operations/backtest.ts';
import { readStudyColumns } from '../operations/study-columns.ts';
import { withStore } from './compose.ts';
import { printJson, printLine } from './print.ts';
import { openProgress } from './progress.ts';
import { readMarketId, readWholeOption } from './read-options.ts';

interface BacktestOptions {
  readonly market: string;
  readonly kind: string;
  readonly trainBefore?: string;
  readonly from?: string;
  readonly to?: string;
  readonly every?: string;
  readonly recordingLag: string;
  readonly baselines: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

export function registerBacktest(program: Command): void {
  program
    .command('backtest')
    .description('value past sales without knowing them and measure the values against the prices')
    .requiredOption('--market <id>', 'the market to measure')
    .option('--kind <kind>', 'property', 'property')
    .option('--train-before <YYYY-MM-DD>', 'frozen: train once on what was known before that day')
    .option('--from <YYYY-MM-DD>', 'walk forward: first closing day to value')
    .option('--to <YYYY-MM-DD>', 'last closing day to value (default: the newest sale)')
    .option('--every <step>', 'walk forward: train anew every 14d, 1mo, 3mo, … (default: 1mo)')
    .option('--recording-lag <days>', 'days from closing until a sale is known', '14')
    .option('--no-baselines', 'leave out nearest-10, hedonic regression and plain trees')
    .option('--out <folder>', 'also write report.json and sales.csv there')
    .option('--json', 'print the report as JSON')
    .action((options: BacktestOptions) => backtest(options));
}

async function backtest(options: BacktestOptions): Promise<void> {
  if (options.kind !== 'property') {
    throw new PlumblineError('usage', `--kind is "${options.kind}"; this version measures property values.`);
  }
  const market = readMarketId(options.market);
  const protocol = readProtocol(options);
  const lag = readWholeOption('--recording-lag', options.recordingLag, 0, 365);
  const progress = openProgress();
  try {
    const done = await withStore(async (store, config) =>
      runBacktest(
        {
          columns: await readStudyColumns(store, market, lag),
          threads: config.threads,
          onProgress: progress.report,
        },
        { market, protocol, baselines: options.baselines },
      ),
    );
    progress.close();
    if (options.out !== undefined) await writeReport(options.out, done);
    if (options.json) printJson(done.report);
    else printLine(formatBacktestTable(done.report));
  } finally {
    progress.close();
  }
}

async function writeReport(folder: string, done: Backtest): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(done.report, null, 2)}\n`);
  await pipeline(Readable.from(salesCsv(done.tested)), createWriteStream(join(folder, 'sales.csv')));
}
