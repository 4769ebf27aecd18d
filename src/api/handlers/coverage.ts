import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { formatDay } from '../../domain/day.ts';
import { VALUATION_KINDS } from '../../domain/valuation-kind.ts';
import { PlumblineError } from '../../errors.ts';
import { listCoverage, type MarketCoverage as CoveredMarket } from '../../operations/coverage.ts';
import type { MarketEntry } from '../../operations/markets.ts';
import { accuracyOfModel } from '../../operations/model-accuracy.ts';
import type { ApiDeps } from '../route.ts';
import type {
  CoverageBody,
  MarketCoverage,
  ModelAccuracyBody,
  ModelBody,
  ModelsBody,
} from '../../schemas/service.ts';
import { presentAccuracy } from '../present/valuation-members.ts';
import { pathParameter } from '../request-context.ts';

type ModelEntry = MarketEntry['models'][number];

/** What is loaded: markets, whose data, and the days that models answer. */
export async function getCoverage(deps: ApiDeps): Promise<Static<typeof CoverageBody>> {
  const covered = await listCoverage(deps.operations);
  return { markets: covered.map(presentMarket) };
}

function presentMarket({ entry, saleTypes, rentTypes }: CoveredMarket): Static<typeof MarketCoverage> {
  const { marketId, sales, rents, parcels, addresses, layers } = entry;
  const loaded = [sales, rents, parcels, addresses, ...layers].filter((dataset) => dataset !== null);
  const kinds = new Set(layers.map(({ kind }) => kind));
  const models = modelsByKind(entry);
  const property = models.find(({ kind }) => kind === 'property');
  return {
    market: marketId,
    has_sales: sales !== null,
    has_rents: rents !== null,
    has_parcels: parcels !== null,
    has_addresses: addresses !== null,
    has_census_areas: kinds.has('census-areas'),
    has_census_values: kinds.has('census-values'),
    has_crime: kinds.has('crime'),
    has_fire: kinds.has('fire'),
    has_flood: kinds.has('flood'),
    sales_rows: sales?.rowCount ?? null,
    types: saleTypes.map(({ type }) => type),
    last_sale_date: lastDay(saleTypes),
    rents_rows: rents?.rowCount ?? null,
    rent_types: rentTypes.map(({ type }) => type),
    last_listed_date: lastDay(rentTypes),
    sources: [...new Set(loaded.flatMap(({ source }) => source.name ?? []))],
    models,
    first_date_served: property?.first_date_served ?? null,
    last_trained_on: property?.last_trained_on ?? null,
  };
}

/** Models are listed oldest training day first. */
function modelsByKind({ models }: MarketEntry): Static<typeof MarketCoverage>['models'] {
  return VALUATION_KINDS.flatMap((kind) => {
    const own = models.filter((model) => model.kind === kind);
    const [first, last] = [own.at(0), own.at(-1)];
    if (!first || !last) return [];
    const [firstDay, lastTrained] = [formatDay(first.trainedOn), formatDay(last.trainedOn)];
    return [{ kind, count: own.length, first_date_served: firstDay, last_trained_on: lastTrained }];
  });
}

function lastDay(types: CoveredMarket['saleTypes']): string | null {
  return types.length === 0 ? null : formatDay(Math.max(...types.map(({ lastOn }) => lastOn)));
}

/** Every model trained, by market, oldest training day first. */
export async function getModels(deps: ApiDeps): Promise<Static<typeof ModelsBody>> {
  const entries = await deps.operations.markets.list();
  return { models: entries.flatMap((entry) => entry.models.map(presentModel)) };
}

/** What one model measured of itself. */
export async function getModelAccuracy(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof ModelAccuracyBody>> {
  const modelId = pathParameter(request, 'id');
  const entries = await deps.operations.markets.list();
  const model = entries.flatMap((entry) => entry.models).find((candidate) => candidate.modelId === modelId);
  if (!model)
    throw new PlumblineError('not_found', 'There is no model of this id. GET /v1/models lists them.');
  return { model: presentModel(model), accuracy: accuracyOfModel(model).map(presentAccuracy) };
}

function presentModel(model: ModelEntry): Static<typeof ModelBody> {
  const { modelId, marketId, kind, trainedOn, sha256 } = model;
  return { id: modelId, market: marketId, kind, trained_on: formatDay(trainedOn), sha256 };
}
