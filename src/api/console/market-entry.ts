import type { Static } from 'typebox';
import { formatDay } from '../../domain/day.ts';
import type { MarketWork } from '../../jobs/market-work.ts';
import type { MarketCoverage } from '../../operations/coverage.ts';
import type { MarketEntry } from '../../operations/markets.ts';
import { accuracyOfModel } from '../../operations/model-accuracy.ts';
import type { DatasetVersion } from '../../store/dataset-versions.ts';
import type { Dataset } from '../../store/datasets.ts';
import { accuracyMembers } from '../../operations/valuation/value-figures.ts';
import { VALUATION_KINDS } from '../../domain/valuation-kind.ts';
import type { ConsoleMarketBody, ConsoleMarketsBody } from './market-schemas.ts';
import { extentOf } from './market-extent.ts';

type Market = Static<typeof ConsoleMarketsBody>['markets'][number];
type Version = Static<typeof ConsoleMarketBody>['versions'][number];
type Model = Static<typeof ConsoleMarketBody>['history'][number];

/** A market as a list of markets tells of it; `covered` null where nothing is in force yet. */
export function presentMarket(
  id: string,
  covered: MarketCoverage | null,
  work: readonly MarketWork[],
): Market {
  const entry = covered?.entry ?? null;
  const loaded = entry ? datasetsOf(entry) : [];
  return {
    id,
    extent: entry && extentOf(entry),
    loaded: loaded.map(({ kind, rowCount }) => ({ kind, rows: rowCount ?? 0 })),
    sale_types: (covered?.saleTypes ?? []).map(presentTypeRows),
    rent_types: (covered?.rentTypes ?? []).map(presentTypeRows),
    models: entry ? modelsInForce(entry) : [],
    work: work.map(presentWork),
  };
}

function presentTypeRows({ type, rows, lastOn }: MarketCoverage['saleTypes'][number]) {
  return { type, rows, last_on: formatDay(lastOn) };
}

function presentWork({
  task,
  kind,
  state,
  step,
  share,
  begunAt,
  seenAt,
}: MarketWork): Market['work'][number] {
  return {
    task,
    kind,
    state,
    step,
    share,
    begun_at: instant(begunAt),
    seen_at: seenAt === null ? null : instant(seenAt),
  };
}

function datasetsOf({ sales, rents, parcels, addresses, layers }: MarketEntry): Dataset[] {
  return [sales, rents, parcels, addresses, ...layers].filter((dataset) => dataset !== null);
}

function modelsInForce({ models }: MarketEntry): Market['models'] {
  return VALUATION_KINDS.flatMap((kind) => {
    const own = models.filter((model) => model.kind === kind);
    const newest = own.at(-1);
    if (!newest) return [];
    const overall = accuracyOfModel(newest).find(({ stratum }) => stratum === 'all');
    const accuracy = overall ? accuracyMembers(overall) : null;
    const { modelId, trainedOn } = newest;
    return [{ id: modelId, kind, trained_on: formatDay(trainedOn), count: own.length, accuracy }];
  });
}

/** Models, the newest first. */
export function presentHistory(models: MarketEntry['models']): Model[] {
  return models.toReversed().map((model) => ({
    id: model.modelId,
    kind: model.kind,
    trained_on: formatDay(model.trainedOn),
    made_at: instant(model.createdAt),
    sha256: model.sha256,
    is_in_force: model === models.findLast(({ kind }) => kind === model.kind),
    accuracy: accuracyOfModel(model).map(accuracyMembers),
  }));
}

export function presentVersion({ dataset, isActive, report, isLost }: DatasetVersion): Version {
  const { source, status, publishedAt } = dataset;
  const isLoading = status === 'loading' && !isLost;
  return {
    id: dataset.datasetId,
    kind: dataset.kind,
    state: isActive ? 'in_force' : status === 'ready' ? 'earlier' : isLoading ? 'loading' : 'lost',
    rows: dataset.rowCount,
    source: source.name,
    license: source.license,
    retrieved_at: source.retrievedAt,
    files: filesOf(source.options),
    begun_at: instant(dataset.begunAt),
    published_at: publishedAt === null ? null : instant(publishedAt),
    hash: dataset.contentHash,
    report: report && {
      rows_read: report.rowsRead,
      rows_loaded: report.rowsLoaded,
      rows_repeated: report.rowsRepeated,
      rows_kept: report.rowsKept,
      rejected: { ...report.rejected },
      skipped: { ...report.skipped },
      seconds: report.seconds,
    },
  };
}

/** Names of the files, without their folders, as every import notes them. */
function filesOf(options: Dataset['source']['options']): string[] {
  if (typeof options !== 'object' || options === null || !('files' in options)) return [];
  const { files } = options;
  return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : [];
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
