import { Argument, type Command } from 'commander';
import { formatCount } from '../domain/display-format.ts';
import { systemClock } from '../clock.ts';
import type { MapLayerKind } from '../domain/map-layer.ts';
import type { DatePrecision } from '../domain/sale.ts';
import { usageError } from '../errors.ts';
import { importCensusAreas } from '../load/census-areas/import-census-areas.ts';
import { importCensusValues } from '../load/census-values/import-census-values.ts';
import { importCrime } from '../load/crime/import-crime.ts';
import { importFire } from '../load/fire/import-fire.ts';
import { importFlood } from '../load/flood/import-flood.ts';
import { importIndex } from '../load/index/import-index.ts';
import { describeFinding } from '../load/checks/finding.ts';
import {
  FORMATS,
  type CrimeOptions,
  type ImportDeps,
  type ImportOptions,
  type ImportReport,
} from '../load/import-options.ts';
import { importMapLayer } from '../load/import-map-layer.ts';
import { importAddresses, importParcels } from '../load/import-parcels.ts';
import { importParcelAreas } from '../load/import-parcel-areas.ts';
import { importRents, importSales } from '../load/import-records.ts';
import {
  choiceOption,
  dayArgument,
  listArgument,
  MARKET_OPTION,
  wholeArgument,
  type JsonOption,
} from './options.ts';
import { printResult } from './print.ts';
import { runTask } from './run-task.ts';

const ofLayer = (layer: MapLayerKind) => (deps: ImportDeps, options: ImportOptions) =>
  importMapLayer(deps, options, layer);

const IMPORTERS = {
  sales: importSales,
  rents: importRents,
  parcels: importParcels,
  'parcel-areas': importParcelAreas,
  addresses: importAddresses,
  index: importIndex,
  'census-areas': importCensusAreas,
  'census-values': importCensusValues,
  crime: importCrime,
  fire: importFire,
  flood: importFlood,
  roads: ofLayer('roads'),
  water: ofLayer('water'),
  parks: ofLayer('parks'),
  buildings: ofLayer('buildings'),
  boundaries: ofLayer('boundaries'),
} as const;
type Kind = keyof typeof IMPORTERS;

const DATE_PRECISIONS = ['none', 'month', 'day'] satisfies DatePrecision[];

/** Options that only some kinds accept, by commander's names. */
const ONLY_FOR = {
  asOfDate: ['parcels'],
  datePrecision: ['sales', 'rents'],
  feature: ['sales', 'rents', 'parcels'],
  features: ['sales', 'parcels'],
  format: ['sales', 'parcels', 'addresses', 'crime'],
  cbsa: ['index'],
  publishedAfterDays: ['index'],
  vintage: ['census-areas'],
  year: ['census-values'],
  timeZone: ['crime'],
  agency: ['crime'],
  keepPersonFields: ['crime'],
  availability: ['flood'],
  layerClass: ['roads', 'water', 'parks', 'buildings', 'boundaries'],
} as const satisfies Partial<Record<keyof CommandOptions, readonly Kind[]>>;

/** Names for the rows of a kind whose own name is unclear. A census table counts once per area and year. */
export const ROWS_OF: Partial<Record<ImportReport['kind'], string>> = {
  'census-areas': 'census areas',
  'census-values': 'census tables of areas',
  crime: 'incidents',
  fire: 'fire tiles',
  flood: 'flood areas',
  index: 'figures of price indexes',
  'parcel-areas': 'parcel polygons',
  water: 'water features',
};

interface CommandOptions
  extends
    Omit<ImportOptions, 'marketId' | 'files' | 'features' | 'crime'>,
    Partial<CrimeOptions>,
    JsonOption {
  readonly market: string;
  readonly feature?: readonly string[];
  /** False with `--no-features`. */
  readonly features: boolean;
}

export function registerImport(program: Command): void {
  program
    .command('import')
    .addArgument(new Argument('<kind>').choices(Object.keys(IMPORTERS)))
    .argument('<file...>', 'files of one kind, imported together or not at all')
    .requiredOption(
      '--market <id>',
      'the market, such as wi-milwaukee; created by its first import',
      MARKET_OPTION[2],
    )
    .option('--mapping <file>', 'JSON that maps your columns to known columns')
    .addOption(choiceOption('--format <name>', 'a publisher’s own layout', FORMATS))
    .option(
      '--feature <columns...>',
      'columns to keep as features of your own; repeat or separate by commas (default, for sales and parcels: all that may be)',
      listArgument,
    )
    .option('--no-features', 'sales and parcels: keep no other column as a feature')
    .addOption(
      choiceOption(
        '--date-precision <precision>',
        'precision of sale or listing dates, if it is not in the file',
        DATE_PRECISIONS,
      ),
    )
    .option('--cbsa <code>', 'index: its place, by the code of a metro or metropolitan division in the file')
    .option(
      '--published-after-days <days>',
      'index: days from the end of a period to the publication of its figure, if the file does not say',
      wholeArgument(0, 1000),
    )
    .option('--as-of-date <YYYY-MM-DD>', 'date of the parcel records (default: today)', dayArgument)
    .option('--vintage <year>', 'census that drew the areas, 2010 or 2020, if the files do not say', Number)
    .option('--year <year>', 'census values: last year of the period, if not in the file names', Number)
    .option('--time-zone <name>', 'crime: zone of times that have none, such as America/Chicago')
    .option('--agency <name>', 'crime: agency that recorded the incidents, if the files do not say')
    .option('--keep-person-fields', 'crime: keep sex, race and age group of victims and offenders')
    .option('--availability <file>', 'flood: areas that FEMA studied (minimal hazard outside flood zones)')
    .option('--layer-class <class>', 'map layers: class of features that name none, such as local for roads')
    .option('--source-name <text>', 'source of the rows; shown with each comparable and on maps')
    .option('--license <text>', 'license of the rows')
    .option('--retrieved-at <YYYY-MM-DD>', 'when the files were downloaded')
    .option('--replace', 'replace the rows of earlier imports instead of merging with them')
    .option('--max-rejects <share>', 'largest share of invalid rows to accept (default: 0.05)', Number)
    .option(
      '--accept <checks...>',
      'checks of whole files that may fail; repeat or separate by commas',
      listArgument,
    )
    .option(
      '--leave-out <checks...>',
      'checks of rows whose rows are left out; repeat or separate by commas',
      listArgument,
    )
    .action(importFiles);
}

async function importFiles(kind: Kind, files: readonly string[], options: CommandOptions): Promise<void> {
  rejectOptionsOfOtherKinds(kind, options);
  const {
    market,
    feature,
    features,
    timeZone = null,
    agency = null,
    keepPersonFields = false,
    json,
    ...given
  } = options;
  const crime = { timeZone, agency, keepPersonFields };
  const wanted: ImportOptions = {
    ...given,
    marketId: market,
    files,
    features: feature ?? (features ? 'all' : []),
    crime,
  };
  const task = { task: 'import', marketId: market, kind } as const;
  const report = await runTask(task, (store, { dataDir }, progress) =>
    IMPORTERS[kind]({ store, clock: systemClock, dataDir, progress }, wanted),
  );
  printResult({ json }, report, describeImport(report));
}

/** An option without effect is probably a mistake, so it is an error. */
function rejectOptionsOfOtherKinds(kind: Kind, options: CommandOptions): void {
  for (const [option, kinds] of Object.entries(ONLY_FOR)) {
    const isGiven = option === 'features' ? !options.features : Object.hasOwn(options, option);
    if (!isGiven || kinds.some((one) => one === kind)) continue;
    const name =
      option === 'features'
        ? 'no-features'
        : option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw usageError(`--${name} is only for ${kinds.join(', ')}, not for ${kind}.`);
  }
}

/** Summarizes an import: what is active now, what was left out and why, and where the report is. */
export function describeImport(report: ImportReport): string {
  const rows = ROWS_OF[report.kind] ?? report.kind;
  if (report.unchanged) {
    return `Nothing new: market ${report.marketId} keeps its ${formatCount(report.rowsTotal)} ${rows}.`;
  }
  const lines = [
    `Market ${report.marketId} now has ${formatCount(report.rowsTotal)} ${rows} ` +
      `(${formatCount(report.rowsLoaded)} from these files, ${formatCount(report.rowsKept)} kept) after ${report.seconds.toFixed(1)} s.`,
  ];
  const reasons = (title: string, counts: ImportReport['rejected']): void => {
    if (counts.total === 0) return;
    const parts = Object.entries(counts.byReason).map(([reason, n]) => `${reason} ${formatCount(n)}`);
    lines.push(`${title}: ${formatCount(counts.total)} (${parts.join(', ')})`);
  };
  reasons('Rejected', report.rejected);
  reasons('Skipped', report.skipped);
  if (report.rowsRepeated > 0) lines.push(`Exact duplicates: ${formatCount(report.rowsRepeated)}`);
  if (report.flags && Object.keys(report.flags).length > 0) {
    const flags = Object.entries(report.flags).map(([flag, n]) => `${flag} ${formatCount(n)}`);
    lines.push(`Flagged (kept, but not used as evidence of market value): ${flags.join(', ')}`);
  }
  for (const finding of report.findings) lines.push(`Check ${describeFinding(finding)}`);
  if (report.candidates) lines.push(...describeCandidates(report.candidates));
  else if (report.unreadColumns.length > 0) {
    lines.push(`Columns not read: ${report.unreadColumns.join(', ')}`);
  }
  lines.push(`Report: ${report.reportPath}`);
  return lines.join('\n');
}

function describeCandidates({ accepted, rejected }: NonNullable<ImportReport['candidates']>): string[] {
  const reasons = Map.groupBy(rejected, ({ reason }) => reason);
  return [
    accepted.length === 0
      ? 'No column may be a feature.'
      : `Features, of which training uses those that improve values: ${accepted.join(', ')}. All are taken as known on the sale date.`,
    ...[...reasons].map(
      ([reason, of]) => `Not a feature (${reason}): ${of.map(({ name }) => name).join(', ')}`,
    ),
  ];
}
