import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { isValuationKind, VALUATION_KINDS, type ValuationKind } from '../domain/valuation-kind.ts';
import { PlumblineError } from '../errors.ts';
import { formatDay } from '../domain/day.ts';
import { fitInThreads } from '../operations/training/fit-pool.ts';
import { train, type TrainRequest } from '../operations/training/train.ts';
import { newId, withStore } from './compose.ts';
import { noteRun } from './note-run.ts';
import { printJson, printLine } from './print.ts';
import { openProgress } from './progress.ts';
import { optionsLine, queueAndPrint } from './queue-model-job.ts';
import { readDayOption, readMarketId } from './read-options.ts';

interface TrainOptions {
  readonly market: string;
  readonly asOf?: string;
  readonly kind?: string;
  readonly queue?: boolean;
  readonly json?: boolean;
}

export function registerTrain(program: Command): void {
  program
    .command('train')
    .description(
      'fit a market’s models on its newest sales and rents, calibrate them on holdout months, put them in force',
    )
    .requiredOption('--market <id>', 'the market to train')
    .option('--as-of <YYYY-MM-DD>', 'train on what was known on that day (default: today)')
    .option(
      '--kind <kind>',
      `one of ${VALUATION_KINDS.join(', ')} (default: all that the market has rows for)`,
    )
    .option('--queue', 'leave it to a process that serves or works')
    .option('--json', 'print JSON')
    .action(async (options: TrainOptions) => {
      const request = {
        marketId: readMarketId(options.market),
        trainedOn: readDayOption('--as-of', options.asOf),
        kind: readKind(options.kind),
      };
      if (options.queue) return queueTraining(request, options.json ?? false);
      const progress = openProgress();
      try {
        const { marketId, kind } = request;
        const { models, untrained } = await withStore((store, { threads }) => {
          const deps = { store, clock: systemClock, newId, runJobs: fitInThreads(threads) };
          const run = { task: 'train', marketId, kind } as const;
          return noteRun(store, run, progress.report, (tell) => train(deps, request, tell));
        });
        progress.close();
        if (options.json) {
          const dated = models.map((model) => ({ ...model, trainedOn: formatDay(model.trainedOn) }));
          return printJson({ models: dated, untrained });
        }
        for (const { kind, reason } of untrained) printLine(`No ${kind} model: ${reason}`);
        for (const model of models) {
          printLine(`Model ${model.modelId} serves as-of dates from ${formatDay(model.trainedOn)} on.`);
        }
      } finally {
        progress.close();
      }
    });
}

function queueTraining({ marketId, trainedOn, kind }: TrainRequest, isJson: boolean): Promise<void> {
  const options = optionsLine({ '--market': marketId, '--as-of': formatDay(trainedOn), '--kind': kind });
  return queueAndPrint({ task: 'train', options }, isJson);
}

function readKind(text: string | undefined): ValuationKind | null {
  if (text === undefined) return null;
  if (isValuationKind(text)) return text;
  throw new PlumblineError('usage', `--kind is "${text}"; there is ${VALUATION_KINDS.join(', ')}.`);
}
