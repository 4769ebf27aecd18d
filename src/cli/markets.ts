import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { formatDay } from '../domain/day.ts';
import { accuracyOfModel } from '../operations/model-accuracy.ts';
import { openMarkets, type MarketEntry } from '../operations/markets.ts';
import { withStore } from './compose.ts';
import { ROWS_OF } from './import.ts';
import { printJson, printLine, printTable } from './print.ts';

export function registerMarkets(program: Command): void {
  program
    .command('markets')
    .description('show what is loaded and trained')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const entries = await withStore((store) => openMarkets(store, systemClock).list());
      if (options.json) return printJson(entries.map(summaryOf));
      if (entries.length === 0) {
        return printLine('No market is loaded yet: plumbline import sales FILE --market ID');
      }
      printTable([
        ['market', 'sales', 'parcels', 'addresses', 'models', 'newest model', 'blind MdAPE', 'blind sales'],
        ...entries.map(rowOf),
      ]);
      for (const { marketId, layers } of entries) {
        if (layers.length === 0) continue;
        printLine(`Places of ${marketId}: ${layers.map(describeLayer).join(', ')}`);
      }
    });
}

function summaryOf(entry: MarketEntry) {
  return {
    market: entry.marketId,
    datasets: [entry.sales, entry.parcels, entry.addresses, ...entry.layers].filter(
      (dataset) => dataset !== null,
    ),
    models: entry.models.map((model) => ({ ...model, trainedOn: formatDay(model.trainedOn) })),
  };
}

function describeLayer({ kind, rowCount }: MarketEntry['layers'][number]): string {
  const rows = ROWS_OF[kind] ?? kind;
  return rowCount === null ? rows : `${rowCount.toLocaleString('en-US')} ${rows}`;
}

function rowOf(entry: MarketEntry): string[] {
  const count = (dataset: MarketEntry['sales']): string => dataset?.rowCount?.toLocaleString('en-US') ?? '-';
  const newest = entry.models.at(-1);
  const overall = newest && accuracyOfModel(newest).find((stratum) => stratum.stratum === 'all');
  return [
    entry.marketId,
    count(entry.sales),
    count(entry.parcels),
    count(entry.addresses),
    String(entry.models.length),
    newest ? formatDay(newest.trainedOn) : '-',
    overall ? `${(100 * overall.mdape).toFixed(2)} %` : '-',
    overall ? overall.n.toLocaleString('en-US') : '-',
  ];
}
