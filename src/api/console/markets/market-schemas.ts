import { Type } from 'typebox';
import { PROPERTY_TYPES } from '../../../domain/property.ts';
import { VALUATION_KINDS } from '../../../domain/valuation-kind.ts';
import { LACK_CODES } from '../../../operations/market/coverage.ts';
import { MAX_REASON_CHARACTERS } from '../../../operations/market/review-sales.ts';
import {
  boolean,
  counts,
  integer,
  nullable,
  number,
  oneOf,
  optional,
  responseObject,
  string,
} from '../../../schemas/members.ts';
import { EquityBody } from '../../../schemas/service.ts';
import { StratumAccuracy } from '../../../schemas/property-response.ts';
import { DATASET_KINDS, MODEL_STATES } from '../../../store/tables/datasets.ts';

export const extentMembers = { west: number(), south: number(), east: number(), north: number() };

const TypeRows = responseObject('MarketTypeRows', {
  type: oneOf(PROPERTY_TYPES),
  rows: integer(),
  last_on: string('Date of the last sale or listing.'),
});

const Work = responseObject('MarketWork', {
  task: oneOf(['import', 'train', 'backtest']),
  kind: nullable.string('Kind of data or of value; null for all.'),
  state: oneOf(
    ['running', 'queued', 'lost'],
    '`lost`: ended without a report, for example because its process was killed.',
  ),
  step: nullable.string(),
  share: nullable.number('Share of the step that is done, 0 to 1; null if its size is unknown.'),
  begun_at: string(),
  seen_at: nullable.string('The last heartbeat.'),
});

const ActiveModel = responseObject('MarketActiveModel', {
  id: string(),
  kind: oneOf(VALUATION_KINDS),
  trained_on: string(),
  count: integer('Models of this kind, one per training date.'),
  accuracy: nullable.object(StratumAccuracy),
});

const marketMembers = {
  id: string(),
  extent: nullable.object(responseObject('MarketExtent', extentMembers)),
  loaded: Type.Array(responseObject('MarketLoaded', { kind: oneOf(DATASET_KINDS), rows: integer() }), {
    description: 'Active data.',
  }),
  sale_types: Type.Array(TypeRows),
  rent_types: Type.Array(TypeRows),
  models: Type.Array(ActiveModel, { description: 'The active models, by kind.' }),
  lacks: Type.Array(responseObject('MarketLack', { code: oneOf(LACK_CODES), message: string() }), {
    description: 'What the market lacks, and what that means.',
  }),
  work: Type.Array(Work, { description: 'Running and queued tasks.' }),
};

export const ConsoleMarketsBody = responseObject('ConsoleMarkets', {
  markets: Type.Array(responseObject('ConsoleMarketSummary', marketMembers)),
});

const Version = responseObject('MarketVersion', {
  id: integer(),
  kind: oneOf(DATASET_KINDS),
  state: oneOf(['active', 'earlier', 'loading', 'lost']),
  rows: nullable.integer(),
  source: nullable.string('The publisher of the rows.'),
  license: nullable.string(),
  retrieved_at: nullable.string(),
  files: Type.Array(string()),
  begun_at: string(),
  published_at: nullable.string(),
  hash: nullable.string('Hash of the rows.'),
  report: nullable.object(
    responseObject('MarketLoadReport', {
      rows_read: integer(),
      rows_loaded: integer(),
      rows_repeated: integer(),
      rows_kept: integer('Kept from the previous version.'),
      rejected: counts('Invalid rows by reason.'),
      skipped: counts('Rows out of scope, by reason.'),
      flagged: counts('Rows of the version that values do not use, by flag.'),
      unread_columns: Type.Array(string(), { description: 'Columns of the files that nothing reads.' }),
      seconds: number(),
    }),
  ),
});

const Model = responseObject('MarketModel', {
  id: string(),
  kind: oneOf(VALUATION_KINDS),
  trained_on: string(),
  created_at: string(),
  sha256: string(),
  is_active: boolean('Whether it is the newest active one of its kind.'),
  state: oneOf(MODEL_STATES),
  state_reason: nullable.string('Why it is not active; null for active models.'),
  accuracy: Type.Array(StratumAccuracy),
});

/** The newest queued job of a kind that ended today. */
export const EndedJob = responseObject('EndedJob', {
  ended_at: string(),
  failure: nullable.string('Why there is no result; null if there is one.'),
});

export const ConsoleMarketBody = responseObject('ConsoleMarket', {
  ...marketMembers,
  versions: Type.Array(Version, { description: 'Newest first.' }),
  history: Type.Array(Model, { description: 'Models, newest first.' }),
  ended_training: nullable.object(EndedJob, 'The newest queued training that ended today.'),
});

export const TrainingRequestBody = Type.Object({
  date: optional.string('Trains on what was known on that day; default: today.', { format: 'date' }),
});

export const RequestedTrainingBody = responseObject('RequestedTraining', { id: string('Of the job.') });

export const RollBackBody = Type.Object({
  reason: string('Why; kept with the models and in the audit log.', {
    minLength: 1,
    maxLength: MAX_REASON_CHARACTERS,
  }),
});

export const ChangedModelsBody = responseObject('ChangedModels', {
  models: Type.Array(responseObject('ChangedModel', { id: string(), state: oneOf(MODEL_STATES) })),
});

export const Ci95 = Type.Union([Type.Tuple([number(), number()]), Type.Null()]);

const Estimate = responseObject('Estimate', {
  figure: number(),
  ci95: Ci95,
});

const stratum = {
  n: integer(),
  is_small: boolean('Fewer than 30: not reliable.'),
  median_ratio: Estimate,
  mdape: Estimate,
  ppe10: Estimate,
  cod: nullable.number('Coefficient of dispersion, percent.'),
  prd: nullable.number('Price-related differential.'),
  prb: nullable.number('Price-related bias.'),
  vei: nullable.number('Vertical equity indicator, percent; null of fewer than 20 sales.'),
  coverage_80: nullable.object(Estimate),
  coverage_90: nullable.object(Estimate),
  coverage_95: nullable.object(Estimate),
};

export const Group = responseObject('StudiedGroup', { key: string(), ...stratum });

/** Fewer than all for a plot, all for a file. */
export const HoldoutSalesQuery = Type.Object({
  area: optional.string('Key of an area of the study.'),
  tier: optional.string('Key of a fifth by price of the study.'),
  limit: Type.Optional(integer('Evenly spaced sales if there are more.', { minimum: 1, maximum: 100_000 })),
});

export const HoldoutSalesBody = responseObject('HoldoutSales', {
  total: integer('All sales of the area, or of the model.'),
  sales: Type.Array(
    responseObject('HoldoutSale', {
      record_id: string('Empty if the data of the training lack it.'),
      parcel_id: string('Empty if unknown.'),
      address: string(),
      sold_on: string(),
      type: oneOf(PROPERTY_TYPES),
      latitude: number(),
      longitude: number(),
      price: integer(),
      value: integer('Predicted without this sale and without later ones.'),
      low_90: nullable.integer('The 90% range.'),
      high_90: nullable.integer(),
      ratio: number('Value / price.'),
      area: string(),
    }),
    { description: 'By day of sale.' },
  ),
});

export const ModelStudyBody = responseObject('ModelStudy', {
  model: string(),
  kind: oneOf(VALUATION_KINDS),
  trained_on: string(),
  measured: nullable.object(
    responseObject('ModelMeasured', {
      from: string(),
      to: string(),
      trainings: integer('Models, each trained before the sales that it valued.'),
      held_out: integer('Withheld sales of the training period, if there is no earlier period to train on.'),
      overall: responseObject('StudiedOverall', stratum),
      equity: Type.Array(EquityBody, { description: 'Empty for rents.' }),
      types: Type.Array(Group),
      tiers: Type.Array(
        responseObject('StudiedTier', { key: string(), median_price: integer(), ...stratum }),
      ),
      months: Type.Array(Group),
      areas: Type.Array(
        responseObject('StudiedArea', {
          key: string('GEOID of the tract, or a geohash of five characters.'),
          level: oneOf(['tract', 'geohash']),
          name: nullable.string(),
          outline: Type.Array(Type.Array(Type.Array(Type.Tuple([number(), number()]))), {
            description: 'Coordinates of a GeoJSON MultiPolygon, simplified.',
          }),
          ...stratum,
        }),
      ),
    }),
  ),
});

export const DeleteMarketBody = Type.Object({
  confirm: string('The id of the market, typed again.', { maxLength: 63 }),
});

export const MarketContentsBody = responseObject('MarketContents', {
  datasets: Type.Array(
    responseObject('StoredDatasets', {
      kind: oneOf(DATASET_KINDS),
      versions: integer(),
      rows: integer('Rows of the current version.'),
    }),
  ),
  models: integer(),
  blob_bytes: integer('Snapshots and models, before compression.'),
  valuations: integer('Kept valuations that cannot be replayed without the market.'),
});
