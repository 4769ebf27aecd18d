import type { MarketEntry } from '../../../operations/market-data/market-catalog.ts';
import {
  accuracyOfModel,
  accuracyMembers,
  equityMembers,
} from '../../../operations/valuation/value-members.ts';
import { formatDay } from '../../../domain/day.ts';
import { VALUATION_KINDS, type ValuationKind } from '../../../domain/valuation-kind.ts';
import { type Bounds, boundsAround } from '../../../geo/bounds.ts';
import type { EndedJob, MarketWork } from '../../../jobs/model-jobs.ts';
import { outlineCoordinates } from '../../../operations/market/outlines.ts';
import type { HoldoutSale, ModelStudy } from '../../../operations/market/study-model.ts';
import type { MarketCoverage } from '../../../operations/market/coverage.ts';
import type { ResponseOf } from '../../../schemas/member-names.ts';
import type { Dataset, DatasetVersion, LoadReport } from '../../../store/datasets.ts';
import type { ModelRecord } from '../../../store/tables/datasets.ts';
import type { Estimate, StratumSummary } from '../../../valuation/ratio-study/strata.ts';
import { instant, instantOrNull } from '../../../domain/instant.ts';
import type {
  ConsoleMarketBody,
  ConsoleMarketsBody,
  HoldoutSalesBody,
  ModelStudyBody,
} from './market-schemas.ts';

type Market = ResponseOf<typeof ConsoleMarketsBody>['markets'][number];
type Version = ResponseOf<typeof ConsoleMarketBody>['versions'][number];
type Ended = ResponseOf<typeof ConsoleMarketBody>['endedTraining'];
type Study = ResponseOf<typeof ModelStudyBody>;

/** A market in the list of markets. `covered` is null if nothing is active yet. */
export function marketMembers(
  id: string,
  covered: MarketCoverage | null,
  work: readonly MarketWork[],
): Market {
  const typeMembers = ({ type, rows, lastOn }: MarketCoverage['saleTypes'][number]) => {
    return { type, rows, lastOn: formatDay(lastOn) };
  };
  const entry = covered?.entry ?? null;
  const loaded = entry ? [...homeDataOf(entry), ...entry.layers].filter((dataset) => dataset !== null) : [];
  return {
    id,
    extent: entry && extentOf(entry),
    loaded: loaded.map(({ kind, rowCount }) => ({ kind, rows: rowCount ?? 0 })),
    saleTypes: (covered?.saleTypes ?? []).map(typeMembers),
    rentTypes: (covered?.rentTypes ?? []).map(typeMembers),
    models: entry ? activeModels(entry) : [],
    lacks: covered?.lacks ?? [],
    work: work.map(({ task, kind, state, step, share, begunAt, seenAt }) => {
      return { task, kind, state, step, share, begunAt: instant(begunAt), seenAt: instantOrNull(seenAt) };
    }),
  };
}

function homeDataOf({ sales, rents, parcels, addresses, index }: MarketEntry): (Dataset | null)[] {
  return [sales, rents, parcels, addresses, index];
}

/** The bounds of a market's homes; without any, those of its location data. */
export function extentOf(entry: MarketEntry): Bounds | null {
  const around = (datasets: readonly (Dataset | null)[]): Bounds | null =>
    boundsAround(datasets.flatMap((dataset) => dataset?.bounds ?? []));
  return around(homeDataOf(entry)) ?? around(entry.layers);
}

function activeModels({ models }: MarketEntry): Market['models'] {
  return VALUATION_KINDS.flatMap((kind) => {
    const own = models.filter((model) => model.kind === kind);
    const newest = own.at(-1);
    if (!newest) return [];
    const overall = accuracyOfModel(newest).find(({ stratum }) => stratum === 'all');
    const accuracy = overall ? accuracyMembers(overall) : null;
    const { modelId, trainedOn } = newest;
    return [{ id: modelId, kind, trainedOn: formatDay(trainedOn), count: own.length, accuracy }];
  });
}

export function endedMembers({ endedAt, failure }: EndedJob): NonNullable<Ended> {
  return { endedAt: instant(endedAt), failure };
}

/** Models, newest first, active or not. */
export function historyMembers(
  models: readonly ModelRecord[],
): ResponseOf<typeof ConsoleMarketBody>['history'] {
  const newest = (kind: ValuationKind) =>
    models.findLast((model) => model.kind === kind && model.state === 'active');
  return models.toReversed().map((model) => ({
    id: model.modelId,
    kind: model.kind,
    trainedOn: formatDay(model.trainedOn),
    createdAt: instant(model.createdAt),
    sha256: model.sha256,
    isActive: model === newest(model.kind),
    state: model.state,
    stateReason: model.stateReason,
    accuracy: accuracyOfModel(model).map(accuracyMembers),
  }));
}

export function versionMembers({ dataset, isActive, report, isLost }: DatasetVersion): Version {
  const { source, status } = dataset;
  const isLoading = status === 'loading' && !isLost;
  return {
    id: dataset.datasetId,
    kind: dataset.kind,
    state: isActive ? 'active' : status === 'ready' ? 'earlier' : isLoading ? 'loading' : 'lost',
    rows: dataset.rowCount,
    source: source.name,
    license: source.license,
    retrievedAt: source.retrievedAt,
    files: filesOf(source.options),
    begunAt: instant(dataset.begunAt),
    publishedAt: instantOrNull(dataset.publishedAt),
    hash: dataset.contentHash,
    report: report && reportMembers(report),
  };
}

/** Own features are part of the coverage. */
function reportMembers({ features: _features, ...members }: LoadReport): NonNullable<Version['report']> {
  return members;
}

/** File names without folders, as every import records them. */
function filesOf(options: Dataset['source']['options']): string[] {
  if (typeof options !== 'object' || options === null || !('files' in options)) return [];
  const { files } = options;
  return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : [];
}

/** A model's accuracy by stratum. */
export function studyMembers({ model, measured }: ModelStudy): Study {
  return {
    model: model.modelId,
    kind: model.kind,
    trainedOn: formatDay(model.trainedOn),
    measured: measured && {
      from: measured.from,
      to: measured.to,
      trainings: measured.trainings,
      heldOut: measured.heldOut,
      overall: stratumMembers(measured.overall),
      equity: measured.equity.map(equityMembers),
      types: measured.types.map(({ key, summary }) => ({ key, ...stratumMembers(summary) })),
      tiers: measured.tiers.map(({ key, summary, medianPriceUsd }) => ({
        key,
        medianPrice: medianPriceUsd,
        ...stratumMembers(summary),
      })),
      months: measured.months.map(({ key, summary }) => ({ key, ...stratumMembers(summary) })),
      areas: measured.areas.map(({ key, level, name, shape, summary }) => ({
        key,
        level,
        name,
        outline: outlineCoordinates(shape),
        ...stratumMembers(summary),
      })),
    },
  };
}

export function holdoutSaleMembers(sale: HoldoutSale): ResponseOf<typeof HoldoutSalesBody>['sales'][number] {
  const {
    recordId,
    parcelId,
    street,
    soldOn,
    type,
    lat,
    lon,
    priceUsd,
    valueUsd,
    low90Usd,
    high90Usd,
    area,
  } = sale;
  return {
    recordId,
    parcelId,
    address: street,
    soldOn: formatDay(soldOn),
    type,
    latitude: lat,
    longitude: lon,
    price: Math.round(priceUsd),
    value: Math.round(valueUsd),
    low_90: low90Usd === null ? null : Math.round(low90Usd),
    high_90: high90Usd === null ? null : Math.round(high90Usd),
    ratio: Number((valueUsd / priceUsd).toFixed(4)),
    area,
  };
}

function stratumMembers(summary: StratumSummary) {
  const { n, isSmall, medianRatio, mdape, ppe10, cod, prd, prb, vei } = summary;
  const { coverage80, coverage90, coverage95 } = summary;
  return {
    n,
    isSmall,
    cod: cod && rounded(cod),
    prd: prd && rounded(prd),
    prb: prb && rounded(prb),
    vei: vei && rounded(vei),
    medianRatio: roundedEstimate(medianRatio),
    mdape: roundedEstimate(mdape),
    ppe10: roundedEstimate(ppe10),
    coverage_80: coverage80 && roundedEstimate(coverage80),
    coverage_90: coverage90 && roundedEstimate(coverage90),
    coverage_95: coverage95 && roundedEstimate(coverage95),
  };
}

/**
 * Six decimals. Pages round to tenths of a percent: after rounding to hundredths, 11.146% would be 11.2% here and 11.1%
 * where the figure was not rounded before.
 */
function rounded(value: number): number {
  return Number(value.toFixed(6));
}

function roundedEstimate({ figure, ci95 }: Estimate): Estimate {
  return { figure: rounded(figure), ci95: ci95 && [rounded(ci95[0]), rounded(ci95[1])] };
}
