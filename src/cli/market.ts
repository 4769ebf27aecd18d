import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { formatCount, formatMany } from '../domain/display-format.ts';
import { formatDay, type Day } from '../domain/day.ts';
import { isMarketId, MARKET_ID_RULE } from '../domain/market-id.ts';
import { deleteMarket, readMarketContents, type MarketContents } from '../operations/market/delete-market.ts';
import {
  planPrune,
  pruneMarket,
  type PrunePlan,
  type PruneRequest,
} from '../operations/market/prune-market.ts';
import { BY_COMMAND_LINE } from '../store/audit-log.ts';
import { deleteAll } from '../store/delete-datasets.ts';
import { returnFreePages } from '../store/free-space.ts';
import type { Store } from '../store/store.ts';
import { unusedBlobs, unusedPieces } from '../store/unused-blobs.ts';
import { withStore } from './configured-store.ts';
import { confirmDeletion, YES_OPTION, type ConfirmOptions } from './confirm.ts';
import { dayArgument, wholeArgument } from './options.ts';
import { printResult } from './print.ts';

/** A serving process reads the list of markets once a second. */
const SETTLE_MS = 2000;
/** Steps of about 10 ms: pages returned to the disk, and pieces of blobs read. */
const PAGES_AT_ONCE = 200;
const PIECES_AT_ONCE = 500;

interface PruneOptions extends ConfirmOptions {
  readonly keep: number;
  readonly since?: Day;
  readonly giveUpReplays?: boolean;
}

export function registerMarket(program: Command): void {
  const market = program.command('market');
  market
    .command('delete')
    .description('delete a market with all its data and models; shows what goes, and asks')
    .argument('<id>', 'the market', marketArgument)
    .option(...YES_OPTION)
    .action(deleteCommand);
  market
    .command('prune')
    .description(
      'delete old models and versions of data that no kept valuation needs; shows what goes, and asks',
    )
    .argument('<id>', 'the market', marketArgument)
    .option(
      '--keep <n>',
      'keep the newest n active models and versions of each kind',
      wholeArgument(1, 1000),
      3,
    )
    .option('--since <date>', 'also keep everything trained or imported since this day', dayArgument)
    .option('--give-up-replays', 'delete also what kept valuations need: they can then be read, not replayed')
    .option(...YES_OPTION)
    .action(pruneCommand);
}

function marketArgument(text: string): string {
  if (isMarketId(text)) return text;
  throw new InvalidArgumentError(MARKET_ID_RULE);
}

async function deleteCommand(marketId: string, options: ConfirmOptions): Promise<void> {
  await withStore(async (store) => {
    const contents = await readMarketContents(store, marketId);
    const isConfirmed = await confirmDeletion(options, describeContents(contents), marketId);
    if (isConfirmed) {
      await deleteMarket(store, contents, BY_COMMAND_LINE, () => sleep(SETTLE_MS));
      await deleteUnused(store);
    }
    if (options.json || isConfirmed)
      printResult(options, { ...contents, isDeleted: isConfirmed }, `Market ${marketId} is deleted.`);
  });
}

async function pruneCommand(marketId: string, options: PruneOptions): Promise<void> {
  const { keep, since = null, giveUpReplays = false } = options;
  const request: PruneRequest = { marketId, keep, since, givesUpReplays: giveUpReplays };
  await withStore(async (store) => {
    const plan = await planPrune(store, request);
    const isEmpty = plan.models.length + plan.versions.length === 0;
    const isConfirmed = !isEmpty && (await confirmDeletion(options, describePlan(plan), marketId));
    if (isConfirmed) {
      await pruneMarket(store, plan, BY_COMMAND_LINE, () => sleep(SETTLE_MS));
      await deleteUnused(store);
    }
    const done = isEmpty
      ? `Market ${marketId} has nothing to prune.${describeNeeded(plan)}`
      : `${formatMany(plan.models.length, 'model')} and ${formatMany(plan.versions.length, 'version')} are deleted.`;
    if (options.json || isConfirmed || isEmpty)
      printResult(options, { ...summaryOf(plan), isDeleted: isConfirmed }, done);
  });
}

/** Deletes blobs that nothing names any more, and returns the space of the embedded database. */
async function deleteUnused(store: Store): Promise<void> {
  await deleteAll(store, unusedBlobs(store));
  await deleteAll(store, unusedPieces(store), PIECES_AT_ONCE);
  if (store.engine === 'sqlite')
    await deleteAll(store, (most) => returnFreePages(store, most), PAGES_AT_ONCE);
}

function describeContents({ marketId, datasets, models, blobBytes, valuations }: MarketContents): string {
  const rows = datasets.map(
    ({ kind, versions, rows: count }) =>
      `  ${kind}: ${formatCount(count)} rows now, ${formatMany(versions, 'version')}`,
  );
  return [
    `Market ${marketId} has`,
    ...rows,
    `  ${formatMany(models, 'model')}; snapshots and models of ${(blobBytes / 1e6).toFixed(1)} MB before compression`,
    ...(valuations > 0
      ? [`${formatMany(valuations, 'kept valuation')} can then be read, but not replayed.`]
      : []),
  ].join('\n');
}

function describePlan(plan: PrunePlan): string {
  const { marketId, models, versions, valuations, earliest, earliestBefore } = plan;
  const days = models.map(({ trainedOn }) => trainedOn);
  const kinds = Map.groupBy(versions, ({ kind }) => kind);
  const ofKinds = [...kinds].map(([kind, those]) => `${those.length} of ${kind}`);
  return [
    `Of market ${marketId} would be deleted`,
    `  ${formatMany(models.length, 'model')}${days.length > 0 ? `, trained as of ${formatDay(Math.min(...days))} to ${formatDay(Math.max(...days))}` : ''}`,
    `  ${formatMany(versions.length, 'version')} of data${ofKinds.length > 0 ? `: ${ofKinds.join(', ')}` : ''}`,
    ...(earliest !== earliestBefore
      ? [
          `Homes can then be valued as of ${earliest ?? 'no date'} or later, instead of ${earliestBefore} or later.`,
        ]
      : []),
    ...(valuations > 0
      ? [`${formatMany(valuations, 'kept valuation')} can then be read, but not replayed.`]
      : []),
    ...(describeNeeded(plan) === '' ? [] : [describeNeeded(plan).trim()]),
  ].join('\n');
}

function describeNeeded({ needed }: PrunePlan): string {
  if (needed.models + needed.versions === 0) return '';
  return ` ${formatMany(needed.models, 'older model')} and ${formatMany(needed.versions, 'older version')} are kept, because valuations need them to be replayed.`;
}

function summaryOf({ models, versions, ...plan }: PrunePlan): object {
  return {
    ...plan,
    models: models.map(({ modelId, kind, trainedOn }) => ({
      modelId,
      kind,
      trainedOn: formatDay(trainedOn),
    })),
    versions: versions.map(({ datasetId, kind, rowCount }) => ({ datasetId, kind, rowCount })),
  };
}
