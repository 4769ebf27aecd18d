import type { ValuationKind } from '../../../../../src/domain/valuation-kind.ts';

/** How the text of a cell becomes a value. */
export type MemberType =
  | { readonly kind: 'text'; readonly lengthMax: number }
  | { readonly kind: 'integer' | 'number'; readonly minimum: number; readonly maximum: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'day' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

/** A member of a batch's item that a column can be. `members.test.ts` holds this page against the schemas of the API. */
export interface Member {
  /** Its path in the item, joined by dots; `units.bedrooms` is of the one unit that a row tells. */
  readonly path: string;
  readonly label: string;
  readonly type: MemberType;
  readonly isRequired?: true;
  /** Other names that columns bear, as people write them. */
  readonly names: readonly string[];
}

/** Parts of an address that stand in columns of their own; they are joined into `location.address`. */
export const ADDRESS_PARTS = ['part.unit', 'part.city', 'part.state', 'part.postal_code'] as const;

const UNBOUNDED = Number.MAX_SAFE_INTEGER;
const text = (lengthMax: number): MemberType => ({ kind: 'text', lengthMax });
const integer = (minimum: number, maximum = UNBOUNDED): MemberType => ({ kind: 'integer', minimum, maximum });
const number = (minimum: number, maximum = UNBOUNDED): MemberType => ({ kind: 'number', minimum, maximum });
const boolean: MemberType = { kind: 'boolean' };
const choice = (...choices: readonly string[]): MemberType => ({ kind: 'choice', choices });

const REFERENCE: readonly Member[] = [
  {
    path: 'property_id',
    label: 'Your reference',
    type: text(500),
    names: [
      'reference',
      'ref',
      'id',
      'loan number',
      'loan id',
      'loan',
      'client reference',
      'property id',
      'account number',
      'apn',
      'parcel',
      'parcel id',
      'parcel number',
      'pin',
    ],
  },
];

const PLACE: readonly Member[] = [
  {
    path: 'location.address',
    label: 'Address, or its street line',
    type: text(500),
    names: [
      'address',
      'full address',
      'property address',
      'site address',
      'situs address',
      'situs',
      'formatted address',
      'street address',
      'street',
      'address 1',
      'address line 1',
      'address1',
      'location',
    ],
  },
  {
    path: 'part.unit',
    label: 'Unit of the address',
    type: text(100),
    names: ['unit', 'apt', 'apartment', 'suite', 'unit number', 'unit no', 'address 2', 'address line 2'],
  },
  {
    path: 'part.city',
    label: 'City',
    type: text(200),
    names: ['city', 'town', 'municipality', 'situs city', 'property city', 'site city'],
  },
  {
    path: 'part.state',
    label: 'State',
    type: text(100),
    names: ['state', 'st', 'state code', 'situs state', 'property state', 'site state'],
  },
  {
    path: 'part.postal_code',
    label: 'ZIP code',
    type: text(20),
    names: [
      'zip',
      'zip code',
      'zipcode',
      'postal code',
      'postcode',
      'zip5',
      'situs zip',
      'property zip',
      'site zip',
    ],
  },
  {
    path: 'location.latitude',
    label: 'Latitude',
    type: number(-90, 90),
    names: ['lat', 'y', 'y coordinate'],
  },
  {
    path: 'location.longitude',
    label: 'Longitude',
    type: number(-180, 180),
    names: ['lon', 'lng', 'long', 'x', 'x coordinate'],
  },
];

const SEARCH: readonly Member[] = [
  {
    path: 'search_params.date',
    label: 'As-of date',
    type: { kind: 'day' },
    names: [
      'as of date',
      'as of',
      'valuation date',
      'value date',
      'effective date',
      'appraisal date',
      'date of value',
    ],
  },
  {
    path: 'search_params.num_comps',
    label: 'Comparables to return',
    type: integer(0, 20),
    names: ['num comparables', 'number of comparables', 'comps', 'comparables'],
  },
  {
    path: 'search_params.radius_mi',
    label: 'Comparables within miles',
    type: number(0.1, 10),
    names: ['radius', 'radius miles'],
  },
  {
    path: 'search_params.lookback_months',
    label: 'Comparables of so many months',
    type: integer(1, 36),
    names: ['lookback', 'months back'],
  },
];

const LIVING_AREA = [
  'living area sqft',
  'sqft',
  'sq ft',
  'square feet',
  'square footage',
  'building sqft',
  'building area',
  'finished area',
  'finished sqft',
  'gross living area',
  'gla',
  'living sqft',
  'area',
  'floor area',
];
const LOT_SIZE = [
  'lot sqft',
  'lot area',
  'lot',
  'land area',
  'land sqft',
  'lot size sqft',
  'lot square feet',
];
const YEAR_BUILT = [
  'year',
  'yr built',
  'yrblt',
  'built',
  'construction year',
  'year of construction',
  'effective year built',
];
const TYPE = ['type', 'home type', 'building type', 'use', 'property use', 'dwelling type'];
const UNITS = ['units', 'number of units', 'num units', 'unit count', 'no of units'];
const CONDITION = ['condition score', 'condition rating', 'property condition', 'quality'];
const BEDROOMS = [
  'total bedrooms',
  'bedrooms',
  'beds',
  'bed',
  'br',
  'bdrms',
  'bedrms',
  'bedroom count',
  'number of bedrooms',
  'num bedrooms',
  'bd',
];
const BATHROOMS = [
  'total bathrooms',
  'bathrooms',
  'baths',
  'bath',
  'ba',
  'bathroom count',
  'number of bathrooms',
  'num bathrooms',
  'bthrms',
];

const field = (name: string, label: string, type: MemberType, names: readonly string[] = []): Member => ({
  path: `property_fields.${name}`,
  label,
  type,
  names,
});

const HOME: readonly Member[] = [
  { ...field('total_bedrooms', 'Bedrooms', integer(0, 50), BEDROOMS), isRequired: true },
  { ...field('total_bathrooms', 'Bathrooms', number(0, 50), BATHROOMS), isRequired: true },
  field('living_area', 'Living area (sqft)', integer(0), LIVING_AREA),
  field('lot_size', 'Lot size (sqft)', integer(0), LOT_SIZE),
  field('year_built', 'Year built', integer(1800, 2030), YEAR_BUILT),
  field(
    'property_type',
    'Property type',
    choice('houses', 'townhomes', 'condos', 'small_multifamily', 'multifamily', 'mobile'),
    TYPE,
  ),
  field('total_units', 'Units in the building', integer(1, 4), UNITS),
  field('num_stories', 'Stories', integer(1, 5), ['stories', 'floors', 'number of stories', 'levels']),
  field('condition', 'Condition (1–5)', number(0, 5), CONDITION),
  field('garage_spaces', 'Garage spaces', integer(0), [
    'num garage spaces',
    'garage',
    'garage stalls',
    'garages',
    'garage cars',
  ]),
  field('other_spaces', 'Other parking spaces', integer(0), [
    'other parking spaces',
    'num other parking',
    'parking spaces',
    'parking',
    'carport spaces',
  ]),
  field('fireplace_count', 'Fireplaces', integer(0, 10), [
    'num fireplaces',
    'fireplaces',
    'number of fireplaces',
  ]),
  field('has_pool', 'Pool', boolean, ['has private pool', 'pool', 'swimming pool']),
  field('has_basement', 'Basement', boolean, ['basement']),
  field('has_central_air', 'Central air', boolean, ['central air', 'air conditioning', 'ac', 'central ac']),
  field('has_porch', 'Porch or patio', boolean, ['has patio porch', 'has patio', 'porch', 'patio']),
  field('has_deck', 'Deck or balcony', boolean, ['has deck balcony', 'has balcony', 'deck', 'balcony']),
  field('has_laundry', 'Laundry in the unit', boolean, ['in unit laundry', 'laundry']),
  field('has_adu', 'Accessory dwelling unit', boolean, ['adu', 'accessory dwelling unit']),
];

const unit = (name: string, label: string, type: MemberType, names: readonly string[]): Member => ({
  path: `units.${name}`,
  label,
  type,
  names,
});

/** One unit a row: a building of several is several rows, or several batches of the API. */
const TO_LET: readonly Member[] = [
  { ...unit('bedrooms', 'Bedrooms of the unit', number(0, 10), BEDROOMS), isRequired: true },
  { ...unit('bathrooms', 'Bathrooms of the unit', number(0, 10), BATHROOMS), isRequired: true },
  unit('size', 'Size of the unit (sqft)', number(0), ['unit size', 'unit sqft', ...LIVING_AREA]),
  unit('is_furnished', 'Furnished', boolean, ['fully furnished', 'furnished']),
  field(
    'property_type',
    'Property type',
    choice('houses', 'townhomes', 'condos', 'small_multifamily', 'multifamily'),
    TYPE,
  ),
  field('total_units', 'Units in the building', integer(1), UNITS),
  field('condition', 'Condition (1–5)', number(0, 5), CONDITION),
  field('has_central_air', 'Central air', boolean, ['central air', 'air conditioning', 'ac', 'central ac']),
  field('has_laundry', 'Laundry in the unit', boolean, ['in unit laundry', 'laundry']),
  field('has_parking', 'Off-street parking', boolean, ['off street parking', 'parking', 'garage']),
];

const BUILDING: readonly Member[] = [
  { ...field('bedrooms', 'Bedrooms of all units', integer(0, 5000), BEDROOMS), isRequired: true },
  { ...field('bathrooms', 'Bathrooms of all units', number(0, 5000), BATHROOMS), isRequired: true },
  { ...field('total_units', 'Units', integer(2, 1000), UNITS), isRequired: true },
  field('living_area', 'Living area (sqft)', integer(0), LIVING_AREA),
  field('lot_size', 'Lot size (sqft)', integer(0), LOT_SIZE),
  field('year_built', 'Year built', integer(1800, 2030), YEAR_BUILT),
  field('property_type', 'Property type', choice('small_multifamily', 'multifamily'), TYPE),
  field('num_stories', 'Stories', number(1), ['stories', 'floors', 'number of stories', 'levels']),
  field('condition_rating', 'Condition (1–5)', number(0, 5), ['condition', ...CONDITION]),
];

/** What a file of each kind can tell, in the order in which people look for it. */
export const MEMBERS: Readonly<Record<ValuationKind, readonly Member[]>> = {
  property: [...REFERENCE, ...PLACE, ...HOME, ...SEARCH],
  rental: [...REFERENCE, ...PLACE, ...TO_LET, ...SEARCH],
  multifamily: [...REFERENCE, ...PLACE, ...BUILDING, ...SEARCH],
};

/** What can be valued by the file. */
export const KINDS = ['property', 'rental', 'multifamily'] as const satisfies readonly ValuationKind[];

export function isKind(text: string): text is ValuationKind {
  return KINDS.some((kind) => kind === text);
}

/** What each kind is called where a person chooses. */
export const KIND_LABELS: Readonly<Record<ValuationKind, string>> = {
  property: 'Homes (value)',
  rental: 'Units to let (monthly rent)',
  multifamily: 'Apartment buildings (value)',
};
