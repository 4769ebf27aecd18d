import {
  MULTIFAMILY_FIELDS,
  PROPERTY_FIELDS,
  RENTAL_FIELDS,
  RENTAL_UNIT_FIELDS,
} from '../../../../../src/domain/property-attributes.ts';
import type { RequestField } from '../../../../../src/domain/request-field.ts';
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

/** The columns that can be fields of a request; `section` is where the request has them. */
function fieldMembers(section: 'property_fields' | 'units', fields: readonly RequestField[]): Member[] {
  return fields.map((field) => ({
    path: `${section}.${field.name}`,
    label: labelOf(field),
    type: typeOf(field),
    names: [...(field.aliases ?? []), ...(field.headings?.split(', ') ?? [])],
    ...(field.isRequired ? { isRequired: true } : {}),
  }));
}

function labelOf({ label, type, unit }: RequestField): string {
  if (type === 'condition') return `${label} (1–5)`;
  return unit ? `${label} (${unit})` : label;
}

function typeOf({ type, choices = [], minimum = 0, maximum = UNBOUNDED }: RequestField): MemberType {
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'choice') return { kind: 'choice', choices };
  return type === 'integer' ? integer(minimum, maximum) : number(minimum, maximum);
}

/** What a file of each kind can tell, in the order in which people look for it. */
export const MEMBERS: Readonly<Record<ValuationKind, readonly Member[]>> = {
  property: [...REFERENCE, ...PLACE, ...fieldMembers('property_fields', PROPERTY_FIELDS), ...SEARCH],
  // One unit per row: a building of several is several rows.
  rental: [
    ...REFERENCE,
    ...PLACE,
    ...fieldMembers('units', RENTAL_UNIT_FIELDS),
    ...fieldMembers('property_fields', RENTAL_FIELDS),
    ...SEARCH,
  ],
  multifamily: [...REFERENCE, ...PLACE, ...fieldMembers('property_fields', MULTIFAMILY_FIELDS), ...SEARCH],
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
