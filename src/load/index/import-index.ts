import { createHash } from 'node:crypto';
import { formatDay, type Day } from '../../domain/day.ts';
import { usageError } from '../../errors.ts';
import { getBlob } from '../../store/blobs.ts';
import type { IndexSeries } from '../../store/datasets.ts';
import { median } from '../../valuation/order-statistics.ts';
import {
  decodeIndexes,
  encodeIndexes,
  type ExternalIndexes,
} from '../../valuation/price-index/external-index.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../import-options.ts';
import { currentVersion, runImport, type ImportRun } from '../import-run.ts';
import { checkFindings, checkRejects } from '../nothing-loaded.ts';
import { createInspectedRows, type InspectedRows } from '../inspected-rows.ts';
import { openColumns, startPass, type Pass, type RowAt } from '../read-files.ts';
import { RowRejection } from '../rejections.ts';
import { checkPlace } from './check-place.ts';
import { checkSeries, findJumps, findRebased } from './check-series.ts';
import { addVintages, type Figure, type SeriesFigures } from './index-vintages.ts';
import {
  periodOf,
  readIndexRow,
  type IndexPlaces,
  type IndexRow,
  type PeriodMonths,
} from './read-index-row.ts';

/**
 * Days from the end of a period to the publication of FHFA's indexes, monthly and quarterly
 * (docs/methods/external-indexes.md).
 */
const FHFA_PUBLISHED_AFTER_DAYS = 58;

/** FHFA's indexes of a place rest on the same sales, so one is used: the first of these, monthly before quarterly. */
const FHFA_FLAVORS = ['purchase-only', 'expanded-data', 'all-transactions'];

type Rows = readonly RowAt<IndexRow>[];

/**
 * Imports published price indexes of a market. Figures of earlier imports are kept, with the days from which they were
 * known, so that values as of earlier days stay the same.
 */
export async function importIndex(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  return runImport(deps, options, 'index', async (run) => {
    const { today } = run.settings;
    const places: IndexPlaces = { wanted: options.cbsa ?? null, names: new Map() };
    const open = openColumns(run, (cell) => readIndexRow(cell, places, today));
    const pass = await startPass(run, 'Reading index', open);
    const rows: RowAt<IndexRow>[] = [];
    for await (const batch of pass.batches) rows.push(...batch);
    checkPlace(options, places);
    const read = readSeries(run, pass, rows);
    const figures = read.reduce((sum, one) => sum + one.figures.length, 0);
    await checkRejects(run, pass, figures);
    const current = await currentVersion(run);
    const sha256 = options.replace ? null : (current?.snapshotSha256 ?? null);
    const stored = sha256 === null ? null : decodeIndexes(await getBlob(deps.store, sha256));
    checkSeries(stored, read);
    await checkFindings(run, pass, [...read.flatMap(findJumps), ...findRebased(stored, read, today)]);
    const { indexes, added } = addVintages(stored, read, today);
    const bytes = encodeIndexes(indexes);
    const found = {
      counts: pass,
      contentHash: createHash('sha256').update(bytes).digest('hex'),
      rowsLoaded: added,
      rowsRepeated: figures - added,
      rowsKept: stored?.day.length ?? 0,
      series: summarize(indexes),
      snapshot: () => bytes,
    };
    return { current, found, write: async () => found };
  });
}

/** Reads the rows of a file that is inspected, of all of its places. */
export function inspectIndex(today: Day): InspectedRows {
  const places: IndexPlaces = { wanted: null, names: new Map() };
  return {
    read: (cell) => void readIndexRow(cell, places, today),
    end: () => ({ ...createInspectedRows().end(), places: places.names }),
  };
}

/** The figures of each series of the files. */
function readSeries(run: ImportRun, pass: Pass<IndexRow>, rows: Rows): SeriesFigures[] {
  const leaveOut = (some: Rows, ...reason: ConstructorParameters<typeof RowRejection>): void => {
    for (const row of some) pass.log.add(row, new RowRejection(...reason));
  };
  const groups = [...Map.groupBy(rows, ({ value }) => value.series)].sort(([a], [b]) => (a < b ? -1 : 1));
  const ofFhfa = groups.filter(([, group]) => group[0].value.fhfaFlavor !== null);
  const [best] = ofFhfa.sort(([, a], [, b]) => preference(a[0].value) - preference(b[0].value));
  const series: SeriesFigures[] = [];
  for (const [name, group] of groups) {
    if (group[0].value.fhfaFlavor !== null && name !== best[0]) {
      leaveOut(group, 'skipped', 'other_index', 'hpi_flavor', name);
      continue;
    }
    const adjusted = group.filter(({ value }) => value.isAdjusted);
    const isMixed = adjusted.length > 0 && adjusted.length < group.length;
    if (isMixed) {
      const others = group.filter(({ value }) => !value.isAdjusted);
      leaveOut(others, 'skipped', 'not_seasonally_adjusted', 'index_sa', '');
    }
    const used = isMixed ? adjusted : group;
    const periodMonths = periodMonthsOf(name, used);
    series.push({ series: { name, periodMonths }, figures: readFigures(run, pass, used, periodMonths) });
  }
  return series;
}

function preference({ fhfaFlavor, periodMonths }: IndexRow): number {
  const at = FHFA_FLAVORS.indexOf(fhfaFlavor ?? '');
  return 2 * (at < 0 ? FHFA_FLAVORS.length : at) + (periodMonths === 1 ? 0 : 1);
}

/** The length of the periods: as the file says, else by the days between its dates. */
function periodMonthsOf(name: string, rows: Rows): PeriodMonths {
  const [{ value }] = rows;
  if (value.periodMonths !== null) return value.periodMonths;
  const days = [...new Set(rows.map((row) => row.value.day))].sort((a, b) => a - b);
  const gaps = days.slice(1).map((day, i) => day - days[i]);
  const usual = gaps.length === 0 ? 30 : median(gaps);
  if (usual >= 28 && usual <= 31) return 1;
  if (usual >= 89 && usual <= 93) return 3;
  throw usageError(
    `The dates of the series ${name} are usually ${usual} days apart. Give a monthly or quarterly index.`,
  );
}

function readFigures(run: ImportRun, pass: Pass<IndexRow>, rows: Rows, months: PeriodMonths): Figure[] {
  const { today } = run.settings;
  const seen = new Map<string, number>();
  const figures: Figure[] = [];
  for (const { value, ...at } of rows) {
    const { start, next } = periodOf(value.day, months);
    const rejectRow = (reason: string, field: string, text: string): void =>
      pass.log.add(at, new RowRejection('rejected', reason, field, text));
    if (next > today) {
      rejectRow('period_in_future', 'date', formatDay(start));
      continue;
    }
    const { publishedOn } = value;
    if (publishedOn !== null && publishedOn < next) {
      rejectRow('published_before_period_end', 'published_date', formatDay(publishedOn));
      continue;
    }
    const key = `${start} ${publishedOn}`;
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      if (earlier !== value.logValue) rejectRow('period_repeated', 'date', formatDay(start));
      continue;
    }
    seen.set(key, value.logValue);
    figures.push({
      day: Math.floor((start + next) / 2),
      logValue: value.logValue,
      // A file that exists today was published by today.
      availableOn: Math.min(today, publishedOn ?? next - 1 + daysToPublication(run, value)),
      isDated: publishedOn !== null,
    });
  }
  return figures.sort((a, b) => a.day - b.day || a.availableOn - b.availableOn);
}

function daysToPublication({ options }: ImportRun, { fhfaFlavor }: IndexRow): number {
  const days = options.publishedAfterDays ?? (fhfaFlavor === null ? null : FHFA_PUBLISHED_AFTER_DAYS);
  if (days !== null) return days;
  throw usageError(
    'The file does not say when its figures were published: it has no column published_date. Give the days from the ' +
      'end of a period to the publication of its figure (--published-after-days 60 at the command line). A value uses a ' +
      'figure only from then on.',
  );
}

/** The series of all rows, as the report of the import keeps them. */
function summarize(indexes: ExternalIndexes): IndexSeries[] {
  return indexes.series.map(({ name, periodMonths }, code) => {
    const rows = [...indexes.seriesCode.keys()].filter((i) => indexes.seriesCode[i] === code);
    const newest = Math.max(...rows.map((i) => indexes.day[i]));
    const published = Math.min(
      ...rows.filter((i) => indexes.day[i] === newest).map((i) => indexes.availableOn[i]),
    );
    return {
      name,
      newestPeriod: formatDay(periodOf(newest, periodMonths).start),
      newestPublished: formatDay(published),
    };
  });
}
