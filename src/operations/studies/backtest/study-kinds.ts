import { type Day, formatDay } from '../../../domain/day.ts';
import { PROPERTY_TYPES, type PropertyType } from '../../../domain/property.ts';
import type { ValuationKind } from '../../../domain/valuation-kind.ts';
import { geohash8 } from '../../../geo/geohash.ts';
import { studyRows } from '../../../valuation/baselines/market-rows.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';

/**
 * The area of a point: a geohash of five characters, about 4.9 × 4.9 km at the equator and 3.5 × 4.9 km at 45°.
 * Studies of any two markets use the same areas.
 */
export function areaKey(lat: number, lon: number): string {
  return geohash8(lat, lon).slice(0, 5);
}

/** The month of a day: `2019-01`. */
export function monthKey(day: Day): string {
  return formatDay(day).slice(0, 7);
}

/** Units with this many bedrooms or more are rare, so they form one group. */
const MANY_BEDROOMS = 5;

/** Units of a building, by the lower bound of each bracket. */
const UNIT_BRACKETS = [
  { key: '2', from: 2 },
  { key: '3-4', from: 3 },
  { key: '5-9', from: 5 },
  { key: '10-19', from: 10 },
  { key: '20-49', from: 20 },
  { key: '50+', from: 50 },
] as const;

/** Unknown, or (of units) fewer than two. */
const UNKNOWN = 'unknown';

const BEDROOM_KEYS: readonly string[] = [
  ...Array.from({ length: MANY_BEDROOMS }, (_, count) => String(count)),
  `${MANY_BEDROOMS}+`,
  UNKNOWN,
];
const UNIT_KEYS: readonly string[] = [...UNIT_BRACKETS.map(({ key }) => key), UNKNOWN];

export function bedroomsKey(bedrooms: number): string {
  if (Number.isNaN(bedrooms)) return UNKNOWN;
  return bedrooms >= MANY_BEDROOMS ? `${MANY_BEDROOMS}+` : String(Math.floor(bedrooms));
}

export function unitsKey(units: number): string {
  return UNIT_BRACKETS.findLast(({ from }) => units >= from)?.key ?? UNKNOWN;
}

/** How studies differ by kind of valuation. */
export interface StudyKind {
  readonly kind: ValuationKind;
  /** The types that are tested; null = all. Training uses all types, as in the service. */
  readonly types: readonly PropertyType[] | null;
  /** A group of strata that only this kind has; null = none. */
  readonly breakdown: Breakdown | null;
  readonly words: StudyWords;
}

interface StudyWords {
  readonly one: string;
  readonly many: string;
  /** "sales closed 2019-01-01 … 2019-12-31". */
  readonly dated: string;
  /** "its newest sale closed on 2019-12-31". */
  readonly wasDated: string;
  /** What a row needs to be tested: "a sale of at least $10,000 with coordinates". */
  readonly testable: string;
}

/** A group of strata: its name in the report, the key of each row, and all keys in order. */
interface Breakdown {
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
  property: { kind: 'property', types: null, breakdown: null, words: SALE_WORDS },
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

/** The study rows that a study of the kind may test. */
export function testableRows({ types }: StudyKind, columns: SaleColumns): Int32Array {
  const studied = studyRows(columns);
  return types === null
    ? studied
    : studied.filter((row) => types.includes(PROPERTY_TYPES[columns.type[row]]));
}
