import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { dayOfInstant, formatDay, type Day } from '../domain/day.ts';
import { listSalesToReview, reviewSale, type SaleToReview } from '../operations/market/review-sales.ts';
import { BY_COMMAND_LINE } from '../store/audit-log.ts';
import { writeRecord } from '../tables/write-csv.ts';
import { SALE_FLAGS, type SaleFlag } from '../valuation/flags/sale-flags.ts';
import { withStore } from './configured-store.ts';
import { choiceOption, dayArgument, MARKET_OPTION, type JsonOption } from './options.ts';
import { printResult, tableText } from './print.ts';

interface ListOptions extends JsonOption {
  readonly market: string;
  readonly flag?: SaleFlag;
  readonly find: string;
  readonly format: 'table' | 'csv';
}

interface SetOptions extends JsonOption {
  readonly market: string;
  readonly use: 'yes' | 'no';
  readonly reason: string;
  readonly from?: Day;
}

export function registerSales(program: Command): void {
  const review = program
    .command('sales')
    .command('review')
    .description('flagged sales, and decisions about single sales');
  review
    .command('list', { isDefault: true })
    .description('list the flagged sales with the reason of each, newest first (the default)')
    .requiredOption(...MARKET_OPTION)
    .addOption(choiceOption('--flag <flag>', 'only sales with this flag', SALE_FLAGS.slice(1)))
    .option('--find <text>', 'sales whose record id or address contains this text, flagged or not', '')
    .addOption(choiceOption('--format <format>', 'how to print them', ['table', 'csv']).default('table'))
    .action(list);
  review
    .command('set')
    .description('use a flagged sale, or exclude a sale, from a day on; the next training applies it')
    .argument('<record-id>', 'the record id of the sale')
    .requiredOption(...MARKET_OPTION)
    .addOption(choiceOption('--use <yes|no>', 'whether to use the sale', ['yes', 'no']).makeOptionMandatory())
    .requiredOption('--reason <text>', 'why; kept in the audit log')
    .option('--from <YYYY-MM-DD>', 'first as-of date on which it counts (default: today)', dayArgument)
    .action(set);
}

async function list({ market: marketId, flag, find, format, ...options }: ListOptions): Promise<void> {
  const today = dayOfInstant(systemClock());
  const request = { marketId, flag: flag ?? null, find, today, skip: 0, most: Infinity };
  const { sales } = await withStore((store) => listSalesToReview(store, request));
  const rows = [HEADER, ...sales.map(cellsOf)];
  const text =
    format === 'csv'
      ? rows
          .map((row) => writeRecord(row, '\n'))
          .join('')
          .trimEnd()
      : sales.length === 0
        ? find === ''
          ? 'No sale is flagged.'
          : 'No sale has this text in its record id or address.'
        : tableText(rows);
  printResult(options, sales.map(jsonOf), text);
}

const HEADER = [
  'record_id',
  'sale_date',
  'price',
  'address',
  'flag',
  'flagged_from',
  'price_per_sqft',
  'nearby_price_per_sqft',
  'used',
  'reason',
];

function cellsOf(sale: SaleToReview): string[] {
  const { recordId, soldOn, priceUsd, address, flag, flaggedOn, isUsed, sentence, review } = sale;
  const by = review?.isByDisabledUser ? `${review.actorName} (disabled)` : review?.actorName;
  const reviewed = review ? ` ${by}, from ${formatDay(review.fromDay)}: ${review.reason}` : '';
  return [
    recordId,
    formatDay(soldOn),
    String(priceUsd),
    address,
    flag,
    flaggedOn === null ? '' : formatDay(flaggedOn),
    perSqftText(sale.pricePerSqft),
    perSqftText(sale.localPricePerSqft),
    isUsed ? 'yes' : 'no',
    `${sentence}${reviewed}`,
  ];
}

function perSqftText(usd: number | null): string {
  return usd === null ? '' : usd.toFixed(0);
}

function jsonOf({ soldOn, flaggedOn, review, ...sale }: SaleToReview) {
  return {
    ...sale,
    soldOn: formatDay(soldOn),
    flaggedOn: flaggedOn && formatDay(flaggedOn),
    review: review && { ...review, fromDay: formatDay(review.fromDay) },
  };
}

async function set(recordId: string, { market, use, reason, from, ...options }: SetOptions): Promise<void> {
  const fromDay = from ?? dayOfInstant(systemClock());
  const isUsed = use === 'yes';
  await withStore((store) =>
    reviewSale(store, BY_COMMAND_LINE, market, { recordId, isUsed, fromDay, reason }),
  );
  const day = formatDay(fromDay);
  printResult(
    options,
    { market, recordId, isUsed, from: day, reason },
    `Sale ${recordId} is ${isUsed ? 'used' : 'not used'} from ${day} on. Train to apply it: plumbline train --market ${market}`,
  );
}
