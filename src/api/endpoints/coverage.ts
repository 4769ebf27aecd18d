import { allModelsOf, findModel, type MarketEntry } from '../../operations/market-data/market-catalog.ts';
import { formatDay, formatDayOrNull } from '../../domain/day.ts';
import { VALUATION_KINDS } from '../../domain/valuation-kind.ts';
import { PlumblineError } from '../../errors.ts';
import { equityOfModel } from '../../operations/market/study-model.ts';
import { equityMembers } from '../../operations/valuation/value-members.ts';
import { listCoverage, newestOf, type MarketCoverage } from '../../operations/market/coverage.ts';
import { accuracyMembers, accuracyOfModel } from '../../operations/valuation/value-members.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { CoverageBody, ModelAccuracyBody, ModelsBody } from '../../schemas/service.ts';
import { freeGet } from '../endpoint.ts';
import { pathParameter } from '../request-context.ts';

type CoverageOfMarket = ResponseOf<typeof CoverageBody>['markets'][number];
type Model = ResponseOf<typeof ModelsBody>['models'][number];

function marketMembers(covered: MarketCoverage): CoverageOfMarket {
  const { entry, saleTypes, rentTypes, indexes, flaggedSales, lacks } = covered;
  const { marketId, sales, rents, parcels, addresses, index, layers } = entry;
  const loaded = [sales, rents, parcels, addresses, index, ...layers].filter((dataset) => dataset !== null);
  const kinds = new Set(layers.map(({ kind }) => kind));
  const models = modelsByKind(entry);
  const property = models.find(({ kind }) => kind === 'property');
  return {
    market: marketId,
    hasSales: sales !== null,
    hasRents: rents !== null,
    hasParcels: parcels !== null,
    hasAddresses: addresses !== null,
    hasIndex: index !== null,
    hasCensusAreas: kinds.has('census-areas'),
    hasCensusValues: kinds.has('census-values'),
    hasCrime: kinds.has('crime'),
    hasFire: kinds.has('fire'),
    hasFlood: kinds.has('flood'),
    salesRows: sales?.rowCount ?? null,
    salesFlagged: Object.entries(flaggedSales).map(([flag, count]) => ({ flag, sales: count })),
    types: saleTypes.map(({ type }) => type),
    lastSaleDate: formatDayOrNull(newestOf(saleTypes)),
    features: sales?.features ?? [],
    rentsRows: rents?.rowCount ?? null,
    rentTypes: rentTypes.map(({ type }) => type),
    lastListedDate: formatDayOrNull(newestOf(rentTypes)),
    rentFeatures: rents?.features ?? [],
    indexes,
    sources: [...new Set(loaded.flatMap(({ source }) => source.name ?? []))],
    models,
    lacks,
    firstDateServed: property?.firstDateServed ?? null,
    lastTrainedOn: property?.lastTrainedOn ?? null,
  };
}

/** Models are listed oldest training day first. */
function modelsByKind({ models }: MarketEntry): CoverageOfMarket['models'] {
  return VALUATION_KINDS.flatMap((kind) => {
    const own = models.filter((model) => model.kind === kind);
    const [first, last] = [own.at(0), own.at(-1)];
    if (!first || !last) return [];
    const [firstDay, lastTrained] = [formatDay(first.trainedOn), formatDay(last.trainedOn)];
    return [{ kind, count: own.length, firstDateServed: firstDay, lastTrainedOn: lastTrained }];
  });
}

function modelMembers(model: MarketEntry['models'][number]): Model {
  const { modelId, marketId, kind, trainedOn, sha256, state, stateReason } = model;
  return { id: modelId, market: marketId, kind, trainedOn: formatDay(trainedOn), sha256, state, stateReason };
}

export const COVERAGE_ROUTES = [
  freeGet('/v1/coverage', 'readCoverage', 'coverage:read', {
    summary: 'Markets, their data sources and their available dates',
    response: CoverageBody,
    handle: async ({ operations }) => {
      const covered = await listCoverage(operations);
      return { markets: covered.map(marketMembers) };
    },
  }),
  freeGet('/v1/models', 'listModels', 'coverage:read', {
    summary: 'Trained models',
    response: ModelsBody,
    handle: async ({ operations }) => {
      const entries = await operations.markets.list();
      // By market, oldest training day first.
      return { models: entries.flatMap((entry) => allModelsOf(entry).map(modelMembers)) };
    },
  }),
  freeGet('/v1/models/{id}/accuracy', 'readModelAccuracy', 'coverage:read', {
    summary: 'Measured accuracy of a model',
    response: ModelAccuracyBody,
    problems: ['not_found'],
    handle: async ({ operations, request }) => {
      const modelId = pathParameter(request, 'id');
      const model = findModel(await operations.markets.list(), modelId)?.model;
      if (!model)
        throw new PlumblineError('not_found', 'There is no model with this id. GET /v1/models lists them.');
      return {
        model: modelMembers(model),
        accuracy: accuracyOfModel(model).map(accuracyMembers),
        equity: (await equityOfModel(operations, model)).map(equityMembers),
      };
    },
  }),
];
