import type { MarketEntry } from '../operations/market-catalog.ts';
import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { formatDay } from '../domain/day.ts';
import { VALUATION_KINDS } from '../domain/valuation-kind.ts';
import { listCoverage, type MarketCoverage } from '../operations/coverage.ts';
import { accuracyOfModel } from '../operations/valuation/value-members.ts';
import { openMarkets } from '../operations/markets.ts';
import { withStore } from './compose.ts';
import { ROWS_OF } from './import.ts';
import { printJson, printLine, printTable } from './print.ts';

export function registerMarkets(program: Command): void {
  program
    .command('markets')
    .description('show what is loaded and trained')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const covered = await withStore((store) =>
        listCoverage({ store, markets: openMarkets(store, systemClock) }),
      );
      if (options.json) return printJson(covered.map(summaryOf));
      const entries = covered.map(({ entry }) => entry);
      if (entries.length === 0) {
        return printLine('No market is loaded yet: plumbline import sales FILE --market ID');
      }
      printTable([
        ['market', 'sales', 'rents', 'parcels', 'addresses'],
        ...entries.map(({ marketId, ...of }) => [
          marketId,
          ...[of.sales, of.rents, of.parcels, of.addresses].map(countOf),
        ]),
      ]);
      const models = entries.flatMap(modelRows);
      if (models.length > 0) {
        printLine();
        printTable([['market', 'values', 'models', 'newest', 'holdout MdAPE', 'measured on'], ...models]);
      }
      for (const { marketId, layers } of entries) {
        if (layers.length === 0) continue;
        printLine(`Places of ${marketId}: ${layers.map(describeLayer).join(', ')}`);
      }
    });
}

function summaryOf({ entry, saleTypes, rentTypes }: MarketCoverage) {
  return {
    market: entry.marketId,
    datasets: [entry.sales, entry.rents, entry.parcels, entry.addresses, ...entry.layers].filter(
      (dataset) => dataset !== null,
    ),
    saleTypes: saleTypes.map(typeSummary),
    rentTypes: rentTypes.map(typeSummary),
    models: entry.models.map((model) => ({ ...model, trainedOn: formatDay(model.trainedOn) })),
  };
}

function typeSummary(type: MarketCoverage['saleTypes'][number]) {
  return { ...type, lastOn: formatDay(type.lastOn) };
}

function describeLayer({ kind, rowCount }: MarketEntry['layers'][number]): string {
  const rows = ROWS_OF[kind] ?? kind;
  return rowCount === null ? rows : `${rowCount.toLocaleString('en-US')} ${rows}`;
}

function countOf(dataset: MarketEntry['sales']): string {
  return dataset?.rowCount?.toLocaleString('en-US') ?? '-';
}

/** One row for each kind of valuation that the market has models for. */
function modelRows({ marketId, models }: MarketEntry): string[][] {
  return VALUATION_KINDS.flatMap((kind) => {
    const own = models.filter((model) => model.kind === kind);
    const newest = own.at(-1);
    if (!newest) return [];
    const overall = accuracyOfModel(newest).find((stratum) => stratum.stratum === 'all');
    return [
      [
        marketId,
        kind,
        String(own.length),
        formatDay(newest.trainedOn),
        overall ? `${(100 * overall.mdape).toFixed(2)} %` : '-',
        overall ? overall.n.toLocaleString('en-US') : '-',
      ],
    ];
  });
}
