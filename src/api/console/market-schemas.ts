import { Type } from 'typebox';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { VALUATION_KINDS } from '../../domain/valuation-kind.ts';
import { DATASET_KINDS } from '../../store/datasets.ts';
import { answer } from '../../schemas/response-object.ts';
import { nullableNumber, nullableString, oneOf } from '../../schemas/members.ts';
import { StratumAccuracy } from '../../schemas/valuation-members.ts';

const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);
const counts = (description: string) => Type.Record(Type.String(), Type.Integer(), { description });

const Extent = answer('MarketExtent', {
  west: Type.Number(),
  south: Type.Number(),
  east: Type.Number(),
  north: Type.Number(),
});

const TypeRows = answer('MarketTypeRows', {
  type: oneOf(PROPERTY_TYPES),
  rows: Type.Integer(),
  last_on: Type.String({ description: 'The last day on which one was sold, or listed.' }),
});

const Work = answer('MarketWork', {
  task: oneOf(['import', 'train', 'backtest']),
  kind: nullableString({ description: 'Of data or of value; null for all that there is.' }),
  state: oneOf(['running', 'queued', 'lost'], {
    description: '`lost`: ended without a word, as when its process is killed.',
  }),
  step: nullableString(),
  share: nullableNumber({ description: 'How much of the step is done, 0…1; null where its end is unknown.' }),
  begun_at: Type.String(),
  seen_at: nullableString({ description: 'Its last sign of life.' }),
});

const ModelInForce = answer('MarketModelInForce', {
  id: Type.String(),
  kind: oneOf(VALUATION_KINDS),
  trained_on: Type.String(),
  count: Type.Integer({ description: 'Models of this kind, one for each training day.' }),
  accuracy: nullable(StratumAccuracy),
});

const marketMembers = {
  id: Type.String(),
  extent: nullable(Extent),
  loaded: Type.Array(answer('MarketLoaded', { kind: oneOf(DATASET_KINDS), rows: Type.Integer() }), {
    description: 'What is in force.',
  }),
  sale_types: Type.Array(TypeRows),
  rent_types: Type.Array(TypeRows),
  models: Type.Array(ModelInForce, { description: 'Those in force today, by kind.' }),
  work: Type.Array(Work, { description: 'What is being done to it or waits to be.' }),
};

export const ConsoleMarketsBody = answer('ConsoleMarkets', {
  markets: Type.Array(answer('ConsoleMarketSummary', marketMembers)),
});

const Version = answer('MarketVersion', {
  id: Type.Integer(),
  kind: oneOf(DATASET_KINDS),
  state: oneOf(['in_force', 'earlier', 'loading', 'lost']),
  rows: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  source: nullableString({ description: 'Who published the rows.' }),
  license: nullableString(),
  retrieved_at: nullableString(),
  files: Type.Array(Type.String()),
  begun_at: Type.String(),
  published_at: nullableString(),
  hash: nullableString({ description: 'Of the rows: equal hashes are equal rows.' }),
  report: nullable(
    answer('MarketLoadReport', {
      rows_read: Type.Integer(),
      rows_loaded: Type.Integer(),
      rows_repeated: Type.Integer(),
      rows_kept: Type.Integer({ description: 'From the version before.' }),
      rejected: counts('Faulty rows by reason.'),
      skipped: counts('Rows that are none of ours by reason.'),
      seconds: Type.Number(),
    }),
  ),
});

const Model = answer('MarketModel', {
  id: Type.String(),
  kind: oneOf(VALUATION_KINDS),
  trained_on: Type.String(),
  made_at: Type.String(),
  sha256: Type.String(),
  is_in_force: Type.Boolean({ description: 'The newest of its kind: it answers today.' }),
  accuracy: Type.Array(StratumAccuracy),
});

export const ConsoleMarketBody = answer('ConsoleMarket', {
  ...marketMembers,
  versions: Type.Array(Version, { description: 'Newest first.' }),
  history: Type.Array(Model, { description: 'Models, newest first.' }),
});

const Estimate = answer('Estimate', {
  figure: Type.Number(),
  ci95: nullable(Type.Tuple([Type.Number(), Type.Number()])),
});

const cell = {
  n: Type.Integer(),
  is_small: Type.Boolean({ description: 'Fewer than 30: nothing should rest on it.' }),
  median_ratio: Estimate,
  mdape: Estimate,
  ppe10: Estimate,
  coverage_80: nullable(Estimate),
  coverage_90: nullable(Estimate),
  coverage_95: nullable(Estimate),
};

const Group = answer('StudiedGroup', { key: Type.String(), ...cell });

const BacktestRow = answer('BacktestRow', {
  name: Type.String(),
  n: Type.Integer(),
  mdape: nullableNumber(),
  mdape_ci95: nullable(Type.Tuple([Type.Number(), Type.Number()])),
  ppe10: nullableNumber(),
  median_ratio: nullableNumber(),
  coverage_90: nullableNumber(),
});

export const ModelStudyBody = answer('ModelStudy', {
  model: Type.String(),
  kind: oneOf(VALUATION_KINDS),
  trained_on: Type.String(),
  measured: nullable(
    answer('ModelMeasured', {
      from: Type.String(),
      to: Type.String(),
      trainings: Type.Integer({ description: 'Models, each trained before the sales that it valued.' }),
      held_out: Type.Integer({
        description: 'Of the sales, those held out of a training on their own time.',
      }),
      overall: answer('StudiedOverall', cell),
      types: Type.Array(Group),
      tiers: Type.Array(answer('StudiedTier', { key: Type.String(), median_price: Type.Integer(), ...cell })),
      months: Type.Array(Group),
      areas: Type.Array(
        answer('StudiedArea', {
          key: Type.String({ description: 'GEOID of the tract, or a geohash of five characters.' }),
          level: oneOf(['tract', 'geohash']),
          name: nullableString(),
          outline: Type.Array(Type.Array(Type.Array(Type.Tuple([Type.Number(), Type.Number()]))), {
            description: 'Coordinates of a GeoJSON MultiPolygon, thinned out.',
          }),
          ...cell,
        }),
      ),
    }),
  ),
  backtest: nullable(
    answer('KeptBacktest', {
      finished_at: nullableString(),
      protocol: Type.String(),
      from: Type.String(),
      to: Type.String(),
      tested: Type.Integer(),
      rows: Type.Array(BacktestRow, { description: 'The model first, then what it must beat.' }),
    }),
  ),
});
