import { PROPERTY_TYPES, type PropertyType } from '../../../domain/property.ts';
import type { ValuationKind } from '../../../domain/valuation-kind.ts';
import { studyRows } from '../../../valuation/baselines/market-rows.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { bedroomsKey, BEDROOM_KEYS, UNIT_KEYS, unitsKey } from './case-groups.ts';

/** How studies differ by kind of valuation. */
export interface StudyKind {
  readonly kind: ValuationKind;
  /** The types that are tested; null = all. The model, bias correction and intervals are learned from all, as in the service. */
  readonly types: readonly PropertyType[] | null;
  /** A breakdown besides those of every kind; null = none. */
  readonly breakdown: Breakdown | null;
  readonly words: StudyWords;
}

export interface StudyWords {
  readonly one: string;
  readonly many: string;
  /** "sales closed 2019-01-01 … 2019-12-31". */
  readonly dated: string;
  /** "its newest sale closed on 2019-12-31". */
  readonly wasDated: string;
  /** What a row needs to be tested: "a sale of at least $10,000 with coordinates". */
  readonly testable: string;
}

/** A further group of strata: its name in the report, the key of each row, and all keys in order. */
export interface Breakdown {
  readonly name: 'by_bedrooms' | 'by_units';
  readonly title: string;
  readonly keys: readonly string[];
  readonly keyOf: (columns: SaleColumns, row: number) => string;
}

const SALE_WORDS: StudyWords = {
  one: 'sale',
  many: 'sales',
  dated: 'closed',
  wasDated: 'closed on',
  testable: 'sale of at least $10,000 with coordinates',
};

const RENT_WORDS: StudyWords = {
  one: 'listing',
  many: 'listings',
  dated: 'listed',
  wasDated: 'was listed on',
  testable: 'listing that is neither a repeat nor absurd',
};

export const STUDY_KINDS: { readonly [K in ValuationKind]: StudyKind } = {
  property: {
    kind: 'property',
    types: null,
    breakdown: null,
    words: SALE_WORDS,
  },
  rental: {
    kind: 'rental',
    types: null,
    breakdown: {
      name: 'by_bedrooms',
      title: 'Bedrooms',
      keys: BEDROOM_KEYS,
      keyOf: ({ attributes }, row) => bedroomsKey(attributes.bedrooms[row]),
    },
    words: RENT_WORDS,
  },
  multifamily: {
    kind: 'multifamily',
    types: ['small_multifamily', 'multifamily'],
    breakdown: {
      name: 'by_units',
      title: 'Units',
      keys: UNIT_KEYS,
      keyOf: ({ attributes }, row) => unitsKey(attributes.totalUnits[row]),
    },
    words: { ...SALE_WORDS, testable: `${SALE_WORDS.testable} of a building of 2 units or more` },
  },
};

/** 1 for each row that a study of the kind may test. */
export function testableRows({ types }: StudyKind, columns: SaleColumns): Uint8Array {
  const isTestable = new Uint8Array(columns.n);
  for (const row of studyRows(columns)) {
    isTestable[row] = Number(types === null || types.includes(PROPERTY_TYPES[columns.type[row]]));
  }
  return isTestable;
}
