import { allModelsOf, type MarketEntry } from '../operations/market-data/market-catalog.ts';
import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { formatDay } from '../domain/day.ts';
import { VALUATION_KINDS } from '../domain/valuation-kind.ts';
import { listCoverage, type MarketCoverage } from '../operations/market/coverage.ts';
import { accuracyOfModel } from '../operations/valuation/value-members.ts';
import { openMarkets } from '../operations/market-data/markets.ts';
import type { ModelRecord } from '../store/tables/datasets.ts';
import { withStore } from './configured-store.ts';
import { ROWS_OF } from './import.ts';
import type { JsonOption } from './options.ts';
import { printResult, tableText } from './print.ts';

export function registerMarkets(program: Command): void {
  program.command('markets').action(async (options: JsonOption) => {
    const covered = await withStore((store) =>
      listCoverage({ store, markets: openMarkets(store, systemClock), clock: systemClock }),
    );
    const text = describeMarkets(covered);
    printResult(options, covered.map(summaryOf), text);
  });
}

function describeMarkets(covered: readonly MarketCoverage[]): string {
  const entries = covered.map(({ entry }) => entry);
  if (entries.length === 0) return 'No market is loaded yet: plumbline import sales FILE --market ID';
  const datasets = entries.map(({ marketId, sales, rents, parcels, addresses }) => {
    const counts = [sales, rents, parcels, addresses].map((dataset) => countText(dataset?.rowCount));
    return [marketId, ...counts];
  });
  const models = entries.flatMap(modelRows);
  const places = entries.filter(({ layers }) => layers.length > 0);
  return [
    tableText([['market', 'sales', 'rents', 'parcels', 'addresses'], ...datasets]),
    ...(models.length > 0
      ? ['', tableText([['market', 'values', 'models', 'newest', 'holdout MdAPE', 'measured on'], ...models])]
      : []),
    ...entries.flatMap(({ inactiveModels }) => inactiveModels.map(describeInactive)),
    ...places.map(({ marketId, layers }) => `Places of ${marketId}: ${layers.map(describeLayer).join(', ')}`),
    ...covered.flatMap(({ entry, indexes }) =>
      indexes.map(
        ({ name, newestPeriod, newestPublished }) =>
          `Price index of ${entry.marketId}: ${name}, newest period from ${newestPeriod}, published ${newestPublished}`,
      ),
    ),
    ...covered
      .filter(({ lacks }) => lacks.length > 0)
      .map(({ entry, lacks }) =>
        [`What ${entry.marketId} lacks:`, ...lacks.map(({ message }) => `  ${message}`)].join('\n'),
      ),
  ].join('\n');
}

function summaryOf({ entry, saleTypes, rentTypes, indexes, lacks }: MarketCoverage) {
  const typeSummary = (type: MarketCoverage['saleTypes'][number]) => {
    return { ...type, lastOn: formatDay(type.lastOn) };
  };
  return {
    market: entry.marketId,
    datasets: [entry.sales, entry.rents, entry.parcels, entry.addresses, entry.index, ...entry.layers].filter(
      (dataset) => dataset !== null,
    ),
    saleTypes: saleTypes.map(typeSummary),
    rentTypes: rentTypes.map(typeSummary),
    indexes,
    lacks,
    models: allModelsOf(entry).map((model) => ({ ...model, trainedOn: formatDay(model.trainedOn) })),
  };
}

function describeInactive({ modelId, trainedOn, state, stateReason }: ModelRecord): string {
  return `Model ${modelId}, trained as of ${formatDay(trainedOn)}, is ${state.replace('_', ' ')}: ${stateReason}`;
}

function describeLayer({ kind, rowCount }: MarketEntry['layers'][number]): string {
  const rows = ROWS_OF[kind] ?? kind;
  return rowCount === null ? rows : `${countText(rowCount)} ${rows}`;
}

function countText(count: number | null | undefined): string {
  return count?.toLocaleString('en-US') ?? '-';
}

/** One row for each kind of valuation that the market has models for. */
function modelRows({ marketId, models }: MarketEntry): string[][] {
  return VALUATION_KINDS.flatMap((kind) => {
    const own = models.filter((model) => model.kind === kind);
    const newest = own.at(-1);
    if (!newest) return [];
    const overall = accuracyOfModel(newest).find((stratum) => stratum.stratum === 'all');
    const mdape = overall ? `${(100 * overall.mdape).toFixed(2)}%` : '-';
    return [[marketId, kind, String(own.length), formatDay(newest.trainedOn), mdape, countText(overall?.n)]];
  });
}
