import { Option, type Command } from 'commander';
import { formatCount } from '../domain/display-format.ts';
import { systemClock } from '../clock.ts';
import { dayOfInstant, formatDay, type Day } from '../domain/day.ts';
import { VALUATION_KINDS, type ValuationKind } from '../domain/valuation-kind.ts';
import { listCoverage, newestOf } from '../operations/market/coverage.ts';
import { openMarkets } from '../operations/market-data/markets.ts';
import { requesterOf } from '../jobs/model-jobs.ts';
import { BY_COMMAND_LINE } from '../store/audit-log.ts';
import type { Store } from '../store/store.ts';
import { fitInThreads } from '../operations/training/fit-pool.ts';
import { train, type TrainedModel } from '../operations/training/train.ts';
import { accuracyOfModel } from '../operations/valuation/value-members.ts';
import type { ModelRecord } from '../store/tables/datasets.ts';
import { choiceOption, dayArgument, MARKET_OPTION, type JsonOption } from './options.ts';
import { printResult } from './print.ts';
import { queueTask, runTask } from './run-task.ts';

interface TrainOptions extends JsonOption {
  readonly market: string;
  readonly asOf?: Day;
  readonly kind?: ValuationKind;
  readonly refit?: boolean;
  readonly activate?: boolean;
  readonly queue?: boolean;
  readonly job?: string;
}

export function registerTrain(program: Command): void {
  program
    .command('train')
    .requiredOption(...MARKET_OPTION)
    .option('--as-of <YYYY-MM-DD>', 'train on what was known on that day (default: today)', dayArgument)
    .addOption(choiceOption('--kind <kind>', 'train only this kind of model', VALUATION_KINDS))
    .option('--refit', 'keep the holdout sales of the earlier model: fits two models instead of up to seven')
    .option('--activate', 'activate the models without comparing them with the ones before')
    .option('--queue', 'queue it for a "serve" or "work" process')
    .addOption(new Option('--job <id>', 'the queued job that this command runs').hideHelp())
    .action(trainMarket);
}

const UNREAD_ADVICE = ' To see why: plumbline inspect FILE.';

async function trainMarket(options: TrainOptions): Promise<void> {
  const { market: marketId, asOf, refit: isRefit = false, activate: isActivated = false, job } = options;
  const kind = options.kind ?? null;
  const trainedOn = asOf ?? dayOfInstant(systemClock());
  if (options.queue) {
    const given = {
      '--market': marketId,
      '--as-of': formatDay(trainedOn),
      '--kind': kind,
      '--refit': isRefit,
      '--activate': isActivated,
    };
    return queueTask(options, 'train', given);
  }
  const task = { task: 'train', marketId, kind } as const;
  const { models, untrained, notes } = await runTask(task, async (store, { threads }, report) => {
    const actingFor = job === undefined ? BY_COMMAND_LINE : await requesterOf(store, job);
    const deps = { store, clock: systemClock, runJobs: fitInThreads(threads), actingFor };
    const training = await train(deps, { marketId, trainedOn, kind, isRefit, isActivated }, report);
    return { ...training, notes: await describeData(store, marketId, UNREAD_ADVICE) };
  });
  const dated = models.map((model) => ({ ...model, trainedOn: formatDay(model.trainedOn) }));
  const lines = [
    ...untrained.map(({ kind: without, reason }) => `No ${without} model: ${reason}`),
    ...models.map(describeModel),
    ...models.flatMap(describeFeatures),
    ...notes,
  ];
  printResult(options, { models: dated, untrained, notes }, lines.join('\n'));
}

function describeModel(model: TrainedModel): string {
  const { modelId, trainedOn, stateReason, notes } = model;
  const about = [describeAccuracy(model), ...notes].join(' ');
  return stateReason === null
    ? `Model ${modelId} values as-of dates from ${formatDay(trainedOn)} on. ${about}`
    : `Model ${modelId} is held back. ${stateReason} ${about} To use it: plumbline activate ${modelId}`;
}

/** A sentence with the error on all holdout sales or listings. */
export function describeAccuracy(model: Pick<ModelRecord, 'kind' | 'accuracy'>): string {
  const overall = accuracyOfModel(model).find(({ stratum }) => stratum === 'all');
  if (!overall) return 'Its accuracy is unknown: it has no holdout sales.';
  const rows = model.kind === 'rental' ? 'listings' : 'sales';
  const mdape = (100 * overall.mdape).toFixed(2);
  return `Median error (MdAPE) ${mdape}% on ${formatCount(overall.n)} holdout ${rows}.`;
}

/** Which of the market's own columns the model uses, and how much each matters. */
function describeFeatures({ features }: Pick<ModelRecord, 'features'>): string[] {
  if (features === null) return [];
  const { sales, tests } = features;
  if (sales === 0)
    return ['No column of your own or fact of the location is used: the sales are too few to test any.'];
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
  const chosen = tests.filter(({ isChosen }) => isChosen);
  const others = tests.filter(({ isChosen }) => !isChosen).map(({ name }) => name);
  const unused =
    others.length > 0 ? ` Not used, because they do not improve values: ${others.join(', ')}.` : '';
  if (chosen.length === 0)
    return [
      `Columns of your own and facts of the location, tested on ${formatCount(sales)} sales: none is used.${unused}`,
    ];
  const list = chosen.map(({ name, gain, standardError }) => {
    return `${name} (${percent(gain)} ± ${percent(standardError)})`;
  });
  return [
    `Columns of your own and facts of the location, tested on ${formatCount(sales)} sales: the mean absolute error is ` +
      `${percent(features.gain)} ± ${percent(features.standardError)} lower with ${list.join(', ')}.${unused}`,
  ];
}

/** The age of the data that a market was trained on, and the columns of its files that are not used. `advice` follows these. */
export async function describeData(store: Store, marketId: string, advice = ''): Promise<string[]> {
  const markets = openMarkets(store, systemClock);
  const covered = await listCoverage({ store, markets, clock: systemClock });
  const market = covered.find(({ entry }) => entry.marketId === marketId);
  if (!market) return [];
  const { saleTypes, rentTypes, unreadColumns } = market;
  const today = dayOfInstant(systemClock());
  const ages = Object.entries({ sale: saleTypes, listing: rentTypes }).flatMap(([row, types]) => {
    const newest = newestOf(types);
    if (newest === null) return [];
    const days = formatCount(today - newest);
    return [`The newest ${row} is of ${formatDay(newest)}, ${days} days ago.`];
  });
  const unread = `Columns that are not used: ${unreadColumns.join(', ')}.${advice}`;
  return unreadColumns.length > 0 ? [...ages, unread] : ages;
}
