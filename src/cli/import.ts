import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { parseDay, type Day } from '../domain/day.ts';
import type { DatePrecision } from '../domain/sale.ts';
import { PlumblineError } from '../errors.ts';
import { importCensusAreas } from '../load/census-areas/import-census-areas.ts';
import { importCensusValues } from '../load/census-values/import-census-values.ts';
import { importCrime } from '../load/crime/import-crime.ts';
import { importFire } from '../load/fire/import-fire.ts';
import { importFlood } from '../load/flood/import-flood.ts';
import { importAddresses, importParcels } from '../load/import-parcels.ts';
import { FORMATS, type ImportOptions, type ImportReport } from '../load/import-options.ts';
import { importRents, importSales } from '../load/import-records.ts';
import { withStore } from './compose.ts';
import { noteRun } from './note-run.ts';
import { printJson, printLine } from './print.ts';
import { openProgress } from './progress.ts';
import { readMarketId } from './read-options.ts';

const IMPORTERS = {
  sales: importSales,
  rents: importRents,
  parcels: importParcels,
  addresses: importAddresses,
  'census-areas': importCensusAreas,
  'census-values': importCensusValues,
  crime: importCrime,
  fire: importFire,
  flood: importFlood,
} as const;
type Kind = keyof typeof IMPORTERS;

/** Options of some kinds only, by their names in commander. */
const ONLY_FOR = {
  asOfDate: ['parcels'],
  datePrecision: ['sales', 'rents'],
  feature: ['sales', 'rents', 'parcels'],
  format: ['sales', 'parcels', 'addresses', 'crime'],
  vintage: ['census-areas'],
  year: ['census-values'],
  timeZone: ['crime'],
  agency: ['crime'],
  keepPersonFields: ['crime'],
  availability: ['flood'],
} as const satisfies Partial<Record<keyof CommandOptions, readonly Kind[]>>;

/** Names for the rows of a kind whose own name is unclear. A census table counts once per area and year. */
export const ROWS_OF: Partial<Record<ImportReport['kind'], string>> = {
  'census-areas': 'census areas',
  'census-values': 'census tables of areas',
  crime: 'incidents',
  fire: 'fire tiles',
  flood: 'flood areas',
};

interface CommandOptions {
  readonly market: string;
  readonly mapping?: string;
  readonly format?: string;
  readonly feature?: readonly string[];
  readonly datePrecision?: string;
  readonly asOfDate?: string;
  readonly vintage?: string;
  readonly availability?: string;
  readonly year?: string;
  readonly timeZone?: string;
  readonly agency?: string;
  readonly keepPersonFields?: boolean;
  readonly sourceName?: string;
  readonly license?: string;
  readonly retrievedAt?: string;
  readonly replace?: boolean;
  readonly maxRejects?: string;
  readonly json?: boolean;
}

export function registerImport(program: Command): void {
  program
    .command('import')
    .description('load what is known of a market and its places (docs/operations/import.md)')
    .argument('<kind>', Object.keys(IMPORTERS).join(', '))
    .argument('<file...>', 'files of one kind, loaded together or not at all')
    .requiredOption('--market <id>', 'the market, such as wi-milwaukee; made on first import')
    .option('--mapping <file>', 'JSON that says which of your columns is which of ours')
    .option('--format <name>', `a publisher's own layout: ${FORMATS.join(', ')}`)
    .option('--feature <columns...>', 'columns of your own to keep as features; repeat or separate by commas')
    .option(
      '--date-precision <none|month|day>',
      'how exactly dates of sales and listings are known, where they mislead',
    )
    .option('--as-of-date <YYYY-MM-DD>', 'the day that parcels describe (default: today)')
    .option('--vintage <year>', 'the census that drew the areas, 2010 or 2020, where the files do not say')
    .option(
      '--year <year>',
      'of census values: the last of their five years, where the file names do not say',
    )
    .option('--time-zone <name>', 'of crime: the zone of times written without one, such as America/Chicago')
    .option('--agency <name>', 'of crime: who recorded the incidents, where the files do not say')
    .option('--keep-person-fields', 'of crime: keep sex, race and age group of victims and offenders')
    .option('--availability <file>', 'of flood: what was studied; blank places in it are of minimal hazard')
    .option('--source-name <text>', 'where the rows come from; shown with each comparable')
    .option('--license <text>', 'under which license')
    .option('--retrieved-at <YYYY-MM-DD>', 'when they were fetched')
    .option('--replace', 'replace the rows loaded before instead of merging with them')
    .option('--max-rejects <share>', 'share of faulty rows above which nothing is loaded (default: 0.05)')
    .option('--json', 'print the report as JSON')
    .action((kind: string, files: readonly string[], options: CommandOptions) => load(kind, files, options));
}

async function load(kind: string, files: readonly string[], options: CommandOptions): Promise<void> {
  const importer = IMPORTERS[readKind(kind)];
  rejectOptionsOfOtherKinds(readKind(kind), options);
  const read = readImportOptions(files, options);
  const progress = openProgress();
  try {
    const run = { task: 'import', marketId: read.marketId, kind } as const;
    const report = await withStore(async (store, { dataDir }) => {
      return noteRun(store, run, progress.report, async (tell) =>
        importer({ store, clock: systemClock, dataDir, progress: tell }, read),
      );
    });
    progress.close();
    if (options.json) printJson(report);
    else for (const line of describeImport(report)) printLine(line);
  } finally {
    progress.close();
  }
}

function readKind(text: string): Kind {
  if (isKind(text)) return text;
  throw new PlumblineError(
    'usage',
    `"${text}" cannot be imported; there is ${Object.keys(IMPORTERS).join(', ')}.`,
  );
}

/** An option without effect is probably a mistake, so it is an error. */
function rejectOptionsOfOtherKinds(kind: Kind, options: CommandOptions): void {
  for (const [option, kinds] of Object.entries(ONLY_FOR)) {
    if (!Object.hasOwn(options, option) || kinds.some((one) => one === kind)) continue;
    const name = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new PlumblineError(
      'usage',
      `--${name} is an option of ${kinds.join(', ')}; ${kind} has none of it.`,
    );
  }
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(IMPORTERS, text);
}

function readImportOptions(files: readonly string[], options: CommandOptions): ImportOptions {
  return {
    marketId: readMarketId(options.market),
    files,
    mapping: options.mapping ?? null,
    format: readFormat(options.format),
    features: (options.feature ?? []).flatMap((list) => list.split(',')).filter((name) => name !== ''),
    datePrecision: readPrecision(options.datePrecision),
    asOfDate: options.asOfDate === undefined ? null : readGivenDay('--as-of-date', options.asOfDate),
    vintage: options.vintage === undefined ? null : Number(options.vintage),
    year: options.year === undefined ? null : Number(options.year),
    crime: {
      timeZone: options.timeZone ?? null,
      agency: options.agency ?? null,
      keepPersonFields: options.keepPersonFields ?? false,
    },
    availability: options.availability ?? null,
    sourceName: options.sourceName ?? null,
    license: options.license ?? null,
    retrievedAt: options.retrievedAt ?? null,
    replace: options.replace ?? false,
    maxRejects: options.maxRejects === undefined ? undefined : Number(options.maxRejects),
  };
}

function readFormat(text: string | undefined): ImportOptions['format'] {
  if (text === undefined) return null;
  const format = FORMATS.find((candidate) => candidate === text);
  if (format) return format;
  throw new PlumblineError('usage', `--format is "${text}"; there is ${FORMATS.join(', ')}.`);
}

function readPrecision(text: string | undefined): DatePrecision | null {
  if (text === undefined) return null;
  if (text === 'none' || text === 'month' || text === 'day') return text;
  throw new PlumblineError('usage', `--date-precision is "${text}"; it is none, month or day.`);
}

function readGivenDay(name: string, text: string): Day {
  const day = parseDay(text);
  if (day !== null) return day;
  throw new PlumblineError('usage', `${name} is "${text}"; write it as YYYY-MM-DD.`);
}

/** The summary of an import: what is current now, what was left out and why, and where the report is. */
export function describeImport(report: ImportReport): string[] {
  const count = (n: number): string => n.toLocaleString('en-US');
  const rows = ROWS_OF[report.kind] ?? report.kind;
  if (report.unchanged) {
    return [`Nothing new: market ${report.marketId} keeps its ${count(report.rowsTotal)} ${rows}.`];
  }
  const lines = [
    `Market ${report.marketId} now has ${count(report.rowsTotal)} ${rows} ` +
      `(${count(report.rowsLoaded)} from these files, ${count(report.rowsKept)} kept) after ${report.seconds.toFixed(1)} s.`,
  ];
  const reasons = (title: string, counts: ImportReport['rejected']): void => {
    if (counts.total === 0) return;
    const parts = Object.entries(counts.byReason).map(([reason, n]) => `${reason} ${count(n)}`);
    lines.push(`${title}: ${count(counts.total)} (${parts.join(', ')})`);
  };
  reasons('Rejected', report.rejected);
  reasons('Skipped', report.skipped);
  if (report.rowsRepeated > 0) lines.push(`Repeated word for word: ${count(report.rowsRepeated)}`);
  if (report.flags && Object.keys(report.flags).length > 0) {
    const flags = Object.entries(report.flags).map(([flag, n]) => `${flag} ${count(n)}`);
    lines.push(`Flagged, kept but no evidence of value: ${flags.join(', ')}`);
  }
  if (report.unreadColumns.length > 0) lines.push(`Columns not read: ${report.unreadColumns.join(', ')}`);
  lines.push(`Report: ${report.reportPath}`);
  return lines;
}
