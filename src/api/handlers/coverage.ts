import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { formatDay } from '../../domain/day.ts';
import { PlumblineError } from '../../errors.ts';
import type { MarketEntry } from '../../operations/markets.ts';
import { accuracyOfModel } from '../../operations/model-accuracy.ts';
import type { ApiDeps } from '../deps.ts';
import type {
  CoverageBody,
  MarketCoverage,
  ModelAccuracyBody,
  ModelBody,
  ModelsBody,
} from '../schemas/service.ts';
import { presentAccuracy } from '../present/valuation-members.ts';
import { pathParameter } from '../request-context.ts';

type ModelEntry = MarketEntry['models'][number];

/** What is loaded: markets, whose data, and the days that models answer. */
export async function getCoverage(deps: ApiDeps): Promise<Static<typeof CoverageBody>> {
  const entries = await deps.operations.listMarkets();
  return { markets: entries.map(presentMarket) };
}

function presentMarket(entry: MarketEntry): Static<typeof MarketCoverage> {
  const { marketId, sales, parcels, addresses, layers, models } = entry;
  const loaded = [sales, parcels, addresses, ...layers].filter((dataset) => dataset !== null);
  const kinds = new Set(layers.map(({ kind }) => kind));
  return {
    market: marketId,
    has_sales: sales !== null,
    has_parcels: parcels !== null,
    has_addresses: addresses !== null,
    has_census_areas: kinds.has('census-areas'),
    has_census_values: kinds.has('census-values'),
    has_crime: kinds.has('crime'),
    has_fire: kinds.has('fire'),
    has_flood: kinds.has('flood'),
    sales_rows: sales?.rowCount ?? null,
    sources: [...new Set(loaded.flatMap(({ source }) => source.name ?? []))],
    first_date_served: dayText(models.at(0)),
    last_trained_on: dayText(models.at(-1)),
  };
}

/** Every model trained, by market, oldest training day first. */
export async function getModels(deps: ApiDeps): Promise<Static<typeof ModelsBody>> {
  const entries = await deps.operations.listMarkets();
  return { models: entries.flatMap((entry) => entry.models.map(presentModel)) };
}

/** What one model measured of itself. */
export async function getModelAccuracy(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof ModelAccuracyBody>> {
  const modelId = pathParameter(request, 'id');
  const entries = await deps.operations.listMarkets();
  const model = entries.flatMap((entry) => entry.models).find((candidate) => candidate.modelId === modelId);
  if (!model)
    throw new PlumblineError('not_found', 'There is no model of this id. GET /v1/models lists them.');
  return { model: presentModel(model), accuracy: accuracyOfModel(model).map(presentAccuracy) };
}

function presentModel(model: ModelEntry): Static<typeof ModelBody> {
  const { modelId, marketId, kind, trainedOn, sha256 } = model;
  return { id: modelId, market: marketId, kind, trained_on: formatDay(trainedOn), sha256 };
}

function dayText(model: ModelEntry | undefined): string | null {
  return model ? formatDay(model.trainedOn) : null;
}
