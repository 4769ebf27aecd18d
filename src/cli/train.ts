import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { formatDay } from '../domain/day.ts';
import { fitInThreads } from '../operations/fit-pool.ts';
import { train } from '../operations/train.ts';
import { newId, withStore } from './compose.ts';
import { printJson, printLine } from './print.ts';
import { openProgress } from './progress.ts';
import { readDayOption, readMarketId } from './read-options.ts';

interface TrainOptions {
  readonly market: string;
  readonly asOf?: string;
  readonly json?: boolean;
}

export function registerTrain(program: Command): void {
  program
    .command('train')
    .description('fit a market’s model on its newest sales, calibrate it on blind months, put it in force')
    .requiredOption('--market <id>', 'the market to train')
    .option('--as-of <YYYY-MM-DD>', 'train on what was known on that day (default: today)')
    .option('--json', 'print JSON')
    .action(async (options: TrainOptions) => {
      const request = {
        marketId: readMarketId(options.market),
        trainedOn: readDayOption('--as-of', options.asOf),
      };
      const progress = openProgress();
      try {
        const model = await withStore((store, config) =>
          train(
            { store, clock: systemClock, newId, runJobs: fitInThreads(config.threads) },
            request,
            progress.report,
          ),
        );
        progress.close();
        if (options.json) return printJson({ ...model, trainedOn: formatDay(model.trainedOn) });
        printLine(`Model ${model.modelId} serves as-of dates from ${formatDay(model.trainedOn)} on.`);
      } finally {
        progress.close();
      }
    });
}
