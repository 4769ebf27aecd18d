import type { Attribute } from '../../domain/property.ts';
import type { DatasetKind } from '../../store/datasets.ts';
import { amountAboveZero, amountOf, conditionOf, yesNoOf } from './cell-values.ts';

/** The attribute that each column gives, and how its cells are read. */
export type AttributeColumns = Readonly<
  Record<
    string,
    { readonly attribute: Attribute; readonly read: (text: string, field: string) => number | null }
  >
>;

/** Columns that say what stands on a parcel. */
export const ATTRIBUTE_COLUMNS: AttributeColumns = {
  total_units: { attribute: 'totalUnits', read: amountAboveZero },
  bedrooms: { attribute: 'bedrooms', read: amountOf },
  bathrooms: { attribute: 'bathrooms', read: amountOf },
  living_area: { attribute: 'livingAreaSqft', read: amountAboveZero },
  lot_size: { attribute: 'lotSizeSqft', read: amountAboveZero },
  year_built: { attribute: 'yearBuilt', read: amountAboveZero },
  num_stories: { attribute: 'stories', read: amountAboveZero },
  condition: { attribute: 'condition', read: conditionOf },
  has_pool: { attribute: 'hasPool', read: yesNoOf },
  has_basement: { attribute: 'hasBasement', read: yesNoOf },
  has_central_air: { attribute: 'hasCentralAir', read: yesNoOf },
  has_porch: { attribute: 'hasPorch', read: yesNoOf },
  has_deck: { attribute: 'hasDeck', read: yesNoOf },
  has_laundry: { attribute: 'hasLaundry', read: yesNoOf },
  has_adu: { attribute: 'hasAdu', read: yesNoOf },
  fireplace_count: { attribute: 'fireplaceCount', read: amountOf },
  garage_spaces: { attribute: 'garageSpaces', read: amountOf },
  other_spaces: { attribute: 'otherSpaces', read: amountOf },
};

const { living_area: livingArea, ...COMMON_ATTRIBUTE_COLUMNS } = ATTRIBUTE_COLUMNS;

/** The same of a unit to let, whose area is named as requests name it. */
export const UNIT_ATTRIBUTE_COLUMNS: AttributeColumns = { ...COMMON_ATTRIBUTE_COLUMNS, size: livingArea };

const PLACE_COLUMNS = ['address', 'city', 'state_code', 'postal_code', 'latitude', 'longitude'] as const;

/** Kinds that come as tables of columns with names of our own, which a mapping can rename. */
export type TableKind = 'sales' | 'rents' | 'parcels' | 'addresses' | 'crime';

/** Whom an incident concerned. */
const PERSON_COLUMNS = [
  'victim_sex',
  'victim_race',
  'victim_age_group',
  'offender_sex',
  'offender_race',
  'offender_age_group',
] as const;

/** The columns each kind of file may have; all others are left out, or taken as own features by `--feature`. */
export const COLUMNS_OF: Readonly<Record<TableKind, readonly string[]>> = {
  sales: [
    'record_id',
    'parcel_id',
    'sale_date',
    'sale_price',
    ...PLACE_COLUMNS,
    'property_type',
    ...Object.keys(ATTRIBUTE_COLUMNS),
    'arms_length',
    'recorded_date',
  ],
  rents: [
    'record_id',
    'parcel_id',
    'listed_date',
    'last_seen_date',
    'rent',
    ...PLACE_COLUMNS,
    'property_type',
    ...Object.keys(UNIT_ATTRIBUTE_COLUMNS),
    'is_furnished',
    'has_parking',
  ],
  parcels: ['parcel_id', ...PLACE_COLUMNS, 'property_type', ...Object.keys(ATTRIBUTE_COLUMNS), 'as_of_date'],
  addresses: [...PLACE_COLUMNS, 'parcel_id'],
  crime: [
    'incident_id',
    'occurred_at',
    'time_zone',
    'offense_code',
    'offense_name',
    ...PLACE_COLUMNS,
    'agency',
    ...PERSON_COLUMNS,
  ],
};

/** Whether files of the kind are tables with names of our own. */
export function isTableKind(kind: DatasetKind): kind is TableKind {
  return kind in COLUMNS_OF;
}

export const DATE_COLUMNS: readonly string[] = [
  'sale_date',
  'recorded_date',
  'listed_date',
  'last_seen_date',
  'as_of_date',
];

/** Columns without which no row can be read: every group needs one of its members (joined by + where several must stand together). */
export const REQUIRED_OF: Readonly<Record<TableKind, readonly (readonly string[])[]>> = {
  sales: [['sale_price'], ['sale_date'], ['latitude+longitude', 'address', 'parcel_id']],
  rents: [['rent'], ['listed_date'], ['latitude+longitude', 'address', 'parcel_id']],
  parcels: [['parcel_id'], ['latitude+longitude', 'address']],
  addresses: [['address'], ['latitude+longitude']],
  crime: [['occurred_at'], ['offense_code', 'offense_name'], ['latitude+longitude', 'address']],
};
