import type { Static } from 'typebox';
import type { BatchResult } from '../../../schemas/batch.ts';
import type { ValuationKind } from '../../../domain/valuation-kind.ts';
import type { Cell } from '../../../tables/write-csv.ts';

export type Result = Static<typeof BatchResult>;
type Valued = NonNullable<Result['data']>;

/** What stands in one column of a downloaded CSV. Names are those of the API. */
export interface ResultColumn {
  readonly name: string;
  readonly cell: (result: Result) => Cell;
}

const ofData = (name: string, cell: (data: Valued) => Cell | undefined): ResultColumn => ({
  name,
  cell: ({ data }) => (data === null ? null : (cell(data) ?? null)),
});

const REFERENCE: readonly ResultColumn[] = [
  { name: 'property_id', cell: ({ property_id }) => property_id },
  { name: 'status', cell: ({ status }) => status },
];

const VALUE: readonly ResultColumn[] = [
  ofData('estimated_value', ({ valuation }) => valuation.estimated_value),
  ofData('estimated_value_low', ({ valuation }) => valuation.estimated_value_low),
  ofData('estimated_value_high', ({ valuation }) => valuation.estimated_value_high),
];

const CONFIDENCE: readonly ResultColumn[] = [
  ofData('confidence_score', ({ valuation }) => valuation.confidence_score),
  ofData('fsd', ({ valuation }) => valuation.fsd),
];

const OF_HOMES: readonly ResultColumn[] = ['price_per_sqft', 'price_per_sqft_low', 'price_per_sqft_high'].map(
  (name) => ofData(name, ({ valuation }) => memberOf(valuation, name)),
);

/** Of all units of the row together, a month. */
const OF_RENTS: readonly ResultColumn[] = [
  'estimated_rent',
  'estimated_rent_low',
  'estimated_rent_high',
  'annual_rent',
  'units_valued',
].map((name) => ofData(name, ({ valuation }) => memberOf(valuation, name)));

const OF_BUILDINGS: readonly ResultColumn[] = [
  ...['price_per_unit', 'price_per_unit_low', 'price_per_unit_high'].map((name) =>
    ofData(name, ({ valuation }) => memberOf(valuation, name)),
  ),
  ...(['sales_comparison', 'gross_rent_multiplier', 'income'] as const).flatMap((approach) =>
    (['value', 'weight'] as const).map((name) =>
      ofData(`${approach}_${name}`, ({ valuation }) =>
        'approaches' in valuation ? valuation.approaches[approach][name] : null,
      ),
    ),
  ),
];

const WHAT_AND_WHERE: readonly ResultColumn[] = [
  ofData('property_type', ({ valuation }) => valuation.property_type),
  ofData('total_units', ({ valuation }) => valuation.total_units),
  ofData('as_of_date', ({ valuation }) => valuation.as_of_date),
  ofData('formatted_address', ({ address_info }) => address_info.formatted_address),
  ofData('latitude', ({ address_info }) => address_info.latitude),
  ofData('longitude', ({ address_info }) => address_info.longitude),
  ofData('match_level', ({ address_info }) => address_info.match_level),
  ofData('comparables', ({ comparables }) => comparables.count),
  ofData('warnings', ({ valuation }) => valuation.warnings.map(({ code }) => code).join(' ') || null),
  ofData('model', ({ valuation }) => valuation.model.id),
  ofData('valuation_id', ({ valuation }) => valuation.valuation_id),
  { name: 'error_code', cell: ({ error_code }) => error_code },
  { name: 'error', cell: ({ error }) => error },
];

/** What a CSV says of each result. Lists and distributions are in the NDJSON alone. */
export const RESULT_COLUMNS: Readonly<Record<ValuationKind, readonly ResultColumn[]>> = {
  property: [...REFERENCE, ...VALUE, ...CONFIDENCE, ...OF_HOMES, ...WHAT_AND_WHERE],
  rental: [...REFERENCE, ...OF_RENTS, ...CONFIDENCE, ...WHAT_AND_WHERE],
  multifamily: [...REFERENCE, ...VALUE, ...CONFIDENCE, ...OF_BUILDINGS, ...WHAT_AND_WHERE],
};

/** A member that valuations of one kind have. */
function memberOf(valuation: Valued['valuation'], name: string): number | null {
  const value: unknown = Object.entries(valuation).find(([key]) => key === name)?.[1];
  return typeof value === 'number' ? value : null;
}
