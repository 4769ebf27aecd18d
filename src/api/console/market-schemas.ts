import { Type } from 'typebox';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { VALUATION_KINDS } from '../../domain/valuation-kind.ts';
import { DATASET_KINDS } from '../../store/datasets.ts';
import { boolean, integer, nullable, number, oneOf, responseObject, string } from '../../schemas/members.ts';
import { StratumAccuracy } from '../../schemas/property-response.ts';

const orNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);
const counts = (description: string) => Type.Record(Type.String(), integer(), { description });

const Extent = responseObject('MarketExtent', {
  west: number(),
  south: number(),
  east: number(),
  north: number(),
});

const TypeRows = responseObject('MarketTypeRows', {
  type: oneOf(PROPERTY_TYPES),
  rows: integer(),
  last_on: string('The last day on which one was sold, or listed.'),
});

const Work = responseObject('MarketWork', {
  task: oneOf(['import', 'train', 'backtest']),
  kind: nullable.string('Of data or of value; null for all that there is.'),
  state: oneOf(['running', 'queued', 'lost'], '`lost`: ended without a word, as when its process is killed.'),
  step: nullable.string(),
  share: nullable.number('How much of the step is done, 0…1; null where its end is unknown.'),
  begun_at: string(),
  seen_at: nullable.string('Its last sign of life.'),
});

const ModelInForce = responseObject('MarketModelInForce', {
  id: string(),
  kind: oneOf(VALUATION_KINDS),
  trained_on: string(),
  count: integer('Models of this kind, one for each training day.'),
  accuracy: orNull(StratumAccuracy),
});

const marketMembers = {
  id: string(),
  extent: orNull(Extent),
  loaded: Type.Array(responseObject('MarketLoaded', { kind: oneOf(DATASET_KINDS), rows: integer() }), {
    description: 'What is in force.',
  }),
  sale_types: Type.Array(TypeRows),
  rent_types: Type.Array(TypeRows),
  models: Type.Array(ModelInForce, { description: 'Those in force today, by kind.' }),
  work: Type.Array(Work, { description: 'What is being done to it or waits to be.' }),
};

export const ConsoleMarketsBody = responseObject('ConsoleMarkets', {
  markets: Type.Array(responseObject('ConsoleMarketSummary', marketMembers)),
});

const Version = responseObject('MarketVersion', {
  id: integer(),
  kind: oneOf(DATASET_KINDS),
  state: oneOf(['in_force', 'earlier', 'loading', 'lost']),
  rows: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  source: nullable.string('Who published the rows.'),
  license: nullable.string(),
  retrieved_at: nullable.string(),
  files: Type.Array(string()),
  begun_at: string(),
  published_at: nullable.string(),
  hash: nullable.string('Of the rows: equal hashes are equal rows.'),
  report: orNull(
    responseObject('MarketLoadReport', {
      rows_read: integer(),
      rows_loaded: integer(),
      rows_repeated: integer(),
      rows_kept: integer('From the version before.'),
      rejected: counts('Faulty rows by reason.'),
      skipped: counts('Rows that are none of ours by reason.'),
      seconds: number(),
    }),
  ),
});

const Model = responseObject('MarketModel', {
  id: string(),
  kind: oneOf(VALUATION_KINDS),
  trained_on: string(),
  made_at: string(),
  sha256: string(),
  is_in_force: boolean('The newest of its kind: it answers today.'),
  accuracy: Type.Array(StratumAccuracy),
});

export const ConsoleMarketBody = responseObject('ConsoleMarket', {
  ...marketMembers,
  versions: Type.Array(Version, { description: 'Newest first.' }),
  history: Type.Array(Model, { description: 'Models, newest first.' }),
});

const Estimate = responseObject('Estimate', {
  figure: number(),
  ci95: orNull(Type.Tuple([number(), number()])),
});

const cell = {
  n: integer(),
  is_small: boolean('Fewer than 30: nothing should rest on it.'),
  median_ratio: Estimate,
  mdape: Estimate,
  ppe10: Estimate,
  coverage_80: orNull(Estimate),
  coverage_90: orNull(Estimate),
  coverage_95: orNull(Estimate),
};

const Group = responseObject('StudiedGroup', { key: string(), ...cell });

const BacktestRow = responseObject('BacktestRow', {
  name: string(),
  n: integer(),
  mdape: nullable.number(),
  mdape_ci95: orNull(Type.Tuple([number(), number()])),
  ppe10: nullable.number(),
  median_ratio: nullable.number(),
  coverage_90: nullable.number(),
});

export const ModelStudyBody = responseObject('ModelStudy', {
  model: string(),
  kind: oneOf(VALUATION_KINDS),
  trained_on: string(),
  measured: orNull(
    responseObject('ModelMeasured', {
      from: string(),
      to: string(),
      trainings: integer('Models, each trained before the sales that it valued.'),
      held_out: integer('Of the sales, those held out of a training on their own time.'),
      overall: responseObject('StudiedOverall', cell),
      types: Type.Array(Group),
      tiers: Type.Array(responseObject('StudiedTier', { key: string(), median_price: integer(), ...cell })),
      months: Type.Array(Group),
      areas: Type.Array(
        responseObject('StudiedArea', {
          key: string('GEOID of the tract, or a geohash of five characters.'),
          level: oneOf(['tract', 'geohash']),
          name: nullable.string(),
          outline: Type.Array(Type.Array(Type.Array(Type.Tuple([number(), number()]))), {
            description: 'Coordinates of a GeoJSON MultiPolygon, thinned out.',
          }),
          ...cell,
        }),
      ),
    }),
  ),
  backtest: orNull(
    responseObject('KeptBacktest', {
      finished_at: nullable.string(),
      protocol: string(),
      from: string(),
      to: string(),
      tested: integer(),
      rows: Type.Array(BacktestRow, { description: 'The model first, then what it must beat.' }),
    }),
  ),
});
