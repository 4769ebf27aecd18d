import { Type } from 'typebox';
import { EQUITY_MEASURES, EQUITY_VERDICTS } from '../domain/equity.ts';
import { PROPERTY_TYPES } from '../domain/property.ts';
import { VALUATION_KINDS } from '../domain/valuation-kind.ts';
import {
  arrayOf,
  boolean,
  integer,
  nullable,
  number,
  oneOf,
  optional,
  responseObject,
  string,
} from './members.ts';
import { nextCursor, pageMembers } from './batch.ts';
import { Warnings } from './location.ts';
import { StratumAccuracy } from './property-response.ts';

const day = (description?: string) => string(description, { format: 'date' });
const propertyTypes = (description: string) => Type.Array(oneOf(PROPERTY_TYPES), { description });

export const HealthBody = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' });

export const ReadinessBody = Type.Object(
  {
    status: oneOf(['ready', 'not_ready']),
    checks: Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      additionalProperties: { type: 'string' },
    }),
  },
  { title: 'Readiness' },
);

const ModelsOfKind = Type.Object(
  {
    kind: oneOf(VALUATION_KINDS),
    count: integer(),
    first_date_served: day('The earliest as-of date with a model.'),
    last_trained_on: day(),
  },
  { title: 'ModelsOfKind' },
);

export const OwnFeature = responseObject(
  'OwnFeature',
  {
    name: string('As a member of `property_fields.features`.'),
    kind: oneOf(['number', 'category']),
    known_share: number('Share of the rows that have a value, 0 to 1.'),
    minimum: nullable.number('Of a number.'),
    maximum: nullable.number('Of a number.'),
    values: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'The values of a category with at most 20.',
    }),
  },
  'A feature that the market has besides the standard details.',
);

const MarketCoverage = Type.Object(
  {
    market: string(),
    has_sales: boolean(),
    has_rents: boolean(),
    has_parcels: boolean(),
    has_addresses: boolean(),
    has_index: boolean('Whether price indexes of publishers are loaded.'),
    has_census_areas: boolean(),
    has_census_values: boolean(),
    has_crime: boolean(),
    has_fire: boolean(),
    has_flood: boolean(),
    sales_rows: nullable.integer(),
    sales_flagged: arrayOf(
      Type.Object({ flag: string(), sales: integer() }, { title: 'FlaggedSales' }),
      'Sales that values do not use as indications of market value, counted by reason at the last import.',
    ),
    types: propertyTypes('Property types with sales.'),
    last_sale_date: nullable.string(),
    features: arrayOf(OwnFeature, 'The market’s own features of its sales.'),
    rents_rows: nullable.integer(),
    rent_types: propertyTypes('Property types with rental listings.'),
    last_listed_date: nullable.string(),
    rent_features: arrayOf(OwnFeature, 'The market’s own features of its rental listings.'),
    indexes: arrayOf(
      Type.Object(
        {
          name: string('Publisher, kind and place, such as `fhfa-purchase-only-33340`.'),
          newest_period: day('The first day of the newest month or quarter with a figure.'),
          newest_published: day('When that figure was published. Values as of earlier dates do not use it.'),
        },
        { title: 'MarketIndex' },
      ),
      'Price indexes of publishers that values of homes use.',
    ),
    sources: arrayOf(Type.String(), 'Publishers of the current data, if named.'),
    models: arrayOf(ModelsOfKind, 'Current models, for the kinds that have any.'),
    lacks: arrayOf(
      Type.Object(
        { code: string(), message: string() },
        {
          title: 'MarketLack',
          description: 'A kind of data, or `model`, `recent_sales`, `recent_rents`, `sales_of_types`.',
        },
      ),
      'What the market lacks, and what that means for responses.',
    ),
    first_date_served: nullable.string(
      'The earliest as-of date with a property model; null before the first training.',
    ),
    last_trained_on: nullable.string('The latest training day of a property model.'),
  },
  { title: 'MarketCoverage' },
);

export const CoverageBody = Type.Object({ markets: arrayOf(MarketCoverage) }, { title: 'Coverage' });

const ModelBody = Type.Object(
  {
    id: string(),
    market: string(),
    kind: string(),
    trained_on: day(),
    sha256: string(),
    state: string(
      '`active`: used from its training day on. `held_back`: its training found it worse than the model before it. `rolled_back`: taken out of use by an operator. Only active models take new valuations.',
    ),
    state_reason: nullable.string('Why it is not active; null for active models.'),
  },
  { title: 'Model' },
);

export const ModelsBody = Type.Object({ models: arrayOf(ModelBody) }, { title: 'Models' });

const Interval = (description: string) =>
  Type.Unsafe<readonly [number, number]>({
    type: 'array',
    items: { type: 'number' },
    minItems: 2,
    maxItems: 2,
    description,
  });

const EquityFigureBody = responseObject('EquityFigure', {
  measure: oneOf(
    EQUITY_MEASURES,
    '`cod`: coefficient of dispersion, in percent. `prd`: price-related differential. `prb`: price-related bias. `vei`: vertical equity indicator, in percent, of groups by the mean of value and price.',
  ),
  figure: nullable.number('null where it is undefined; VEI needs 20 sales.'),
  ci95: Type.Unsafe<readonly [number, number] | null>({
    type: ['array', 'null'],
    items: { type: 'number' },
    minItems: 2,
    maxItems: 2,
    description: '95% bootstrap interval.',
  }),
  range: Interval(
    'Range of the IAAO’s Standard on Ratio Studies: COD 5–15 (5–20 for buildings of several units and mobile homes), PRD 0.98–1.03 and PRB ±0.05 as of 2013, VEI ±10 as of the exposure draft of 2025.',
  ),
  verdict: oneOf(
    EQUITY_VERDICTS,
    'Whether the whole interval is in, below or above the range; otherwise `uncertain`.',
  ),
});

export const EquityBody = responseObject('Equity', {
  stratum: string('`all` or a property type.'),
  n: integer(),
  is_small: boolean('Fewer than 30 sales: not reliable.'),
  measures: arrayOf(EquityFigureBody),
});

export const ModelAccuracyBody = Type.Object(
  {
    model: ModelBody,
    accuracy: arrayOf(
      StratumAccuracy,
      'Measured on holdout months before the training day: first the whole market, then each type. Empty if there were too few sales.',
    ),
    equity: arrayOf(
      EquityBody,
      'Uniformity and vertical equity of the values on the same sales, in the measures of assessors. Empty for rents and buildings, and without holdout sales.',
    ),
  },
  { title: 'ModelAccuracy' },
);

export const OpenApiBody = Type.Object(
  { openapi: string() },
  { title: 'OpenApiDocument', additionalProperties: true },
);

export const UsageQuery = Type.Object(
  {
    period: optional.string('A calendar month in UTC, as `2026-03`.', {
      'x-when-omitted': 'the current month',
    }),
  },
  { title: 'UsageQuery' },
);

/** By default a month of a thousand lines a day, so that only large accounts have a second page. */
export const USAGE_LINES_LIMIT = { default: 31_000, max: 31_000 } as const;

export const DailyUsageQuery = Type.Object(
  { ...UsageQuery.properties, ...pageMembers('lines', USAGE_LINES_LIMIT, ', with the same period') },
  { title: 'DailyUsageQuery' },
);

export const DailyUsageBody = responseObject('DailyUsage', {
  account_id: string(),
  period: string(),
  days: Type.Array(
    responseObject('UsageOfDay', {
      date: day('In UTC.'),
      key_id: nullable.string('`user:…` for a user of the console.'),
      key_name: nullable.string('Name of the key or user.'),
      operation: string('The scope of the operation: `avm:property`.'),
      requests: integer(),
      credits_used: integer(),
    }),
    { description: 'Oldest first. Days, keys and operations without charges are left out.' },
  ),
  next_cursor: nextCursor,
});

export const UsageBody = responseObject('Usage', {
  account_id: string(),
  plan: string(),
  period: string(),
  requests: integer('Number of charged responses: those with a 2xx status, without dry runs.'),
  credits_used: integer(),
  credits_limit: nullable.integer('Credits per month; null if the plan has no cap.'),
  credits_remaining: nullable.integer(
    'Without the credits reserved by running requests; null if the plan has no cap.',
  ),
  resets_at: string('When the next period begins.', { format: 'date-time' }),
  stored_bytes: integer(
    'Of valuations and requests of batches that the account keeps now, whatever the period.',
  ),
  stored_bytes_limit: nullable.integer('Null if the plan has no limit.'),
  operations: Type.Array(
    responseObject('OperationUsage', {
      operation: string('The scope of the operation: `avm:property`.'),
      requests: integer(),
      credits_used: integer(),
    }),
  ),
  warnings: Warnings,
});
