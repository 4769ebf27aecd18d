import { Type } from 'typebox';
import { PROPERTY_TYPES, type PropertyType } from '../domain/property.ts';
import { VALUATION_KINDS, type ValuationKind } from '../domain/valuation-kind.ts';
import { nullableString } from './members.ts';
import { StratumAccuracy } from './valuation-members.ts';

const nullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

export const HealthBody = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' });

export const ReadinessBody = Type.Object(
  {
    status: Type.Unsafe<'ready' | 'not_ready'>({ type: 'string', enum: ['ready', 'not_ready'] }),
    checks: Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      additionalProperties: { type: 'string' },
    }),
  },
  { title: 'Readiness' },
);

const PropertyTypes = (description: string) =>
  Type.Array(Type.Unsafe<PropertyType>({ type: 'string', enum: [...PROPERTY_TYPES] }), { description });

const ModelsOfKind = Type.Object(
  {
    kind: Type.Unsafe<ValuationKind>({ type: 'string', enum: [...VALUATION_KINDS] }),
    count: Type.Integer(),
    first_date_served: Type.String({
      format: 'date',
      description: 'The earliest as-of date that a model answers.',
    }),
    last_trained_on: Type.String({ format: 'date' }),
  },
  { title: 'ModelsOfKind' },
);

export const MarketCoverage = Type.Object(
  {
    market: Type.String(),
    has_sales: Type.Boolean(),
    has_rents: Type.Boolean(),
    has_parcels: Type.Boolean(),
    has_addresses: Type.Boolean(),
    has_census_areas: Type.Boolean(),
    has_census_values: Type.Boolean(),
    has_crime: Type.Boolean(),
    has_fire: Type.Boolean(),
    has_flood: Type.Boolean(),
    sales_rows: nullableInteger,
    types: PropertyTypes('Of which there are sales.'),
    last_sale_date: nullableString(),
    rents_rows: nullableInteger,
    rent_types: PropertyTypes('Of which there are listings to let.'),
    last_listed_date: nullableString(),
    sources: Type.Array(Type.String(), { description: 'Publishers of the data in use, as far as named.' }),
    models: Type.Array(ModelsOfKind, { description: 'Models in use by kind, of those kinds that have any.' }),
    first_date_served: nullableString({
      description:
        'The earliest as-of date that a model of property answers; null before the first training.',
    }),
    last_trained_on: nullableString({ description: 'The last training of property.' }),
  },
  { title: 'MarketCoverage' },
);

export const CoverageBody = Type.Object({ markets: Type.Array(MarketCoverage) }, { title: 'Coverage' });

export const ModelBody = Type.Object(
  {
    id: Type.String(),
    market: Type.String(),
    kind: Type.String(),
    trained_on: Type.String({ format: 'date' }),
    sha256: Type.String(),
  },
  { title: 'Model' },
);

export const ModelsBody = Type.Object({ models: Type.Array(ModelBody) }, { title: 'Models' });

export const ModelAccuracyBody = Type.Object(
  {
    model: ModelBody,
    accuracy: Type.Array(StratumAccuracy, {
      description:
        'Measured on holdout months before the training day: the whole market first, then its types. Empty when there were too few sales.',
    }),
  },
  { title: 'ModelAccuracy' },
);

export const OpenApiBody = Type.Object(
  { openapi: Type.String() },
  { title: 'OpenApiDocument', additionalProperties: true },
);
