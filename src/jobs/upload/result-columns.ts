import type { Static } from 'typebox';
import type { BatchResult } from '../../schemas/batch.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { Cell } from '../../tables/write-csv.ts';

export type Result = Static<typeof BatchResult>;
type Valued = NonNullable<Result['data']>;
type Valuation = Valued['valuation'];

/** A column of a downloaded CSV or XLSX file. It has the name of the member in the API. */
export interface ResultColumn {
  readonly name: string;
  /** How a workbook shows the number. */
  readonly format?: 'usd' | 'percent';
  readonly cell: (result: Result) => Cell;
}

/** Members of a valuation of any kind. */
type ValuationMember = Valuation extends infer Kind
  ? Kind extends object
    ? keyof Kind & string
    : never
  : never;

/** Columns of members of the valuation. Only valuations of some kinds have all of them. */
function ofValuation(...names: readonly ValuationMember[]): ResultColumn[] {
  return names.map((name) => ({
    ...ofData(name, ({ valuation }) => cellOf(valuation, name)),
    ...formatOf(name),
  }));
}

function formatOf(name: string): Pick<ResultColumn, 'format'> {
  if (/^(estimated_|price_per_|annual_rent$)/.test(name)) return { format: 'usd' };
  return name === 'fsd' || name.startsWith('probability_') ? { format: 'percent' } : {};
}

function cellOf(members: Readonly<Record<string, unknown>>, name: string): Cell {
  const value = members[name];
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

function ofData(name: string, cell: (data: Valued) => Cell): ResultColumn {
  return { name, cell: ({ data }) => (data === null ? null : cell(data)) };
}

const REFERENCE: readonly ResultColumn[] = [
  { name: 'property_id', cell: ({ property_id }) => property_id },
  { name: 'status', cell: ({ status }) => status },
];
const VALUE = ofValuation('estimated_value', 'estimated_value_low', 'estimated_value_high');
const CONFIDENCE = ofValuation('confidence_score', 'fsd', 'confidence_level', 'probability_within_10_pct');
const APPROACHES = (['sales_comparison', 'gross_rent_multiplier', 'income'] as const).flatMap((approach) =>
  (['value', 'weight'] as const).map((name): ResultColumn => ({
    ...ofData(`${approach}_${name}`, ({ valuation }) =>
      'approaches' in valuation ? valuation.approaches[approach][name] : null,
    ),
    format: name === 'value' ? 'usd' : 'percent',
  })),
);
const SUBJECT_AND_MODEL: readonly ResultColumn[] = [
  ...ofValuation('property_type', 'total_units', 'as_of_date'),
  ofData('formatted_address', ({ address_info }) => address_info.formatted_address),
  ofData('latitude', ({ address_info }) => address_info.latitude),
  ofData('longitude', ({ address_info }) => address_info.longitude),
  ofData('match_level', ({ address_info }) => address_info.match_level),
  // Empty without a list: 0 would say that a home has no comparables.
  ofData('comparables', ({ comparables: { count, search } }) => (search.candidates === 0 ? null : count)),
  ofData('warnings', ({ valuation }) => valuation.warnings.map(({ code }) => code).join(' ') || null),
  ofData('model', ({ valuation }) => valuation.model.id),
  ...ofValuation('valuation_id'),
  { name: 'error_code', cell: ({ error_code }) => error_code },
  { name: 'error', cell: ({ error }) => error },
];

/** The columns of a result by kind. Lists and distributions are only in the NDJSON. */
export const RESULT_COLUMNS: Readonly<Record<ValuationKind, readonly ResultColumn[]>> = {
  property: [
    ...REFERENCE,
    ...VALUE,
    ...CONFIDENCE,
    ...ofValuation('price_per_sqft', 'price_per_sqft_low', 'price_per_sqft_high'),
    ...SUBJECT_AND_MODEL,
  ],
  // Rents are per month, of all units of the row together.
  rental: [
    ...REFERENCE,
    ...ofValuation(
      'estimated_rent',
      'estimated_rent_low',
      'estimated_rent_high',
      'annual_rent',
      'units_valued',
    ),
    ...CONFIDENCE,
    ...SUBJECT_AND_MODEL,
  ],
  multifamily: [
    ...REFERENCE,
    ...VALUE,
    ...CONFIDENCE,
    ...ofValuation('price_per_unit', 'price_per_unit_low', 'price_per_unit_high'),
    ...APPROACHES,
    ...SUBJECT_AND_MODEL,
  ],
};
