import { Argument, type Command } from 'commander';
import { formatCount } from '../domain/display-format.ts';
import { anyAccountOf } from '../accounts/account-of.ts';
import { formatDay, MS_PER_DAY, type Day } from '../domain/day.ts';
import { usageError } from '../errors.ts';
import { exportUsage, exportValuations, exportValues } from '../operations/export/account-rows.ts';
import { exportParcels, exportRents, exportSales } from '../operations/export/market-rows.ts';
import type { Store } from '../store/store.ts';
import {
  TABLE_FORMATS,
  writeTableFile,
  type TableFormat,
  type WritableTable,
} from '../tables/write-table-file.ts';
import { withStore } from './configured-store.ts';
import { choiceOption, dayArgument, MARKET_OPTION, type JsonOption } from './options.ts';
import { printResult } from './print.ts';

interface ExportOptions extends JsonOption {
  readonly out: string;
  readonly format?: TableFormat;
  readonly market?: string;
  readonly account?: string;
  readonly from?: Day;
  readonly to?: Day;
}

const OF_MARKET = { sales: exportSales, rents: exportRents, parcels: exportParcels } as const;
const OF_ACCOUNTS = { values: exportValues, valuations: exportValuations } as const;
const KINDS = [...Object.keys(OF_MARKET), ...Object.keys(OF_ACCOUNTS), 'usage'];

export function registerExport(program: Command): void {
  program
    .command('export')
    .addArgument(new Argument('<what>', 'what to export').choices(KINDS))
    .requiredOption('--out <file>', 'the file to write; it must not exist')
    .addOption(choiceOption('--format <format>', 'default: by the ending of the file', TABLE_FORMATS))
    .option(MARKET_OPTION[0], 'of sales, rents and parcels: the market', MARKET_OPTION[2])
    .option('--account <id>', 'of values, valuations and usage: only this account (default: all)')
    .option('--from <date>', 'of values, valuations and usage: from this day on (UTC)', dayArgument)
    .option('--to <date>', 'of values, valuations and usage: until this day, inclusive', dayArgument)
    .action(exportRows);
}

async function exportRows(what: string, options: ExportOptions): Promise<void> {
  const { out } = options;
  const format = options.format ?? formatOf(out);
  const rows = await withStore(async (store) =>
    writeTableFile(out, format, await open(store, what, options)),
  );
  const count = `${formatCount(rows)} row${rows === 1 ? ' is' : 's are'}`;
  printResult(options, { what, format, out, rows }, `${count} written to ${out}.`);
}

function formatOf(path: string): TableFormat {
  const format = TABLE_FORMATS.find((one) => path.toLowerCase().endsWith(`.${one}`));
  if (format) return format;
  throw usageError(`${path} does not say which format it is. Add --format ${TABLE_FORMATS.join(', ')}.`);
}

async function open(store: Store, what: string, options: ExportOptions): Promise<WritableTable> {
  const { market, account: accountId = null, from = null, to = null } = options;
  if (isKey(what, OF_MARKET)) {
    if (accountId !== null || from !== null || to !== null) {
      throw usageError(`--account, --from and --to are for values, valuations and usage, not for ${what}.`);
    }
    if (market === undefined) throw usageError(`Name the market of the ${what}: --market ID.`);
    return OF_MARKET[what](store, market);
  }
  if (market !== undefined) throw usageError(`--market is for sales, rents and parcels, not for ${what}.`);
  // A deleted account still has usage.
  if (accountId !== null) await anyAccountOf(store, accountId);
  if (from !== null && to !== null && from > to) {
    throw usageError(`--from ${formatDay(from)} is after --to ${formatDay(to)}: exchange them.`);
  }
  if (!isKey(what, OF_ACCOUNTS)) return exportUsage(store, { accountId, from, to });
  return OF_ACCOUNTS[what](store, {
    accountId,
    fromMs: from === null ? null : from * MS_PER_DAY,
    beforeMs: to === null ? null : (to + 1) * MS_PER_DAY,
  });
}

function isKey<Table extends object>(text: string, table: Table): text is Extract<keyof Table, string> {
  return Object.hasOwn(table, text);
}
