import type { PostalAddress } from '../domain/address.ts';
import { ATTRIBUTES, type Attribute, type Attributes, type OwnFeatures } from '../domain/property.ts';
import type { BulkColumn } from './bulk-table.ts';
import type { AddressColumns, AttributeColumns } from './database.ts';
import { jsonText, parseJsonText } from './json-text.ts';

/** The column of each attribute. */
const COLUMN_OF: { readonly [A in Attribute]: keyof AttributeColumns } = {
  totalUnits: 'total_units',
  bedrooms: 'bedrooms',
  bathrooms: 'bathrooms',
  livingAreaSqft: 'living_area_sqft',
  lotSizeSqft: 'lot_size_sqft',
  yearBuilt: 'year_built',
  stories: 'stories',
  condition: 'condition',
  hasPool: 'has_pool',
  hasBasement: 'has_basement',
  hasCentralAir: 'has_central_air',
  hasPorch: 'has_porch',
  hasDeck: 'has_deck',
  hasLaundry: 'has_laundry',
  hasAdu: 'has_adu',
  fireplaceCount: 'fireplace_count',
  garageSpaces: 'garage_spaces',
  otherSpaces: 'other_spaces',
};

interface Described {
  readonly address: PostalAddress;
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
}

/** Bulk columns of address, attributes and own features: the same for sales and parcels. */
export function describedColumns<Row extends { readonly described: Described }>(): BulkColumn<Row>[] {
  return [
    { name: 'street', type: 'text', of: (row) => row.described.address.street },
    { name: 'city', type: 'text', of: (row) => row.described.address.city },
    { name: 'state_code', type: 'text', of: (row) => row.described.address.stateCode },
    { name: 'postal_code', type: 'text', of: (row) => row.described.address.postalCode },
    ...ATTRIBUTES.map((attribute): BulkColumn<Row> => ({
      name: COLUMN_OF[attribute],
      type: 'float8',
      of: (row) => row.described.attributes[attribute],
    })),
    { name: 'features', type: 'text', of: (row) => featuresText(row.described.features) },
  ];
}

/** Most rows have no features of the market's own; writing them costs nothing. */
function featuresText(features: OwnFeatures): string {
  return Object.keys(features).length === 0 ? '{}' : jsonText(features);
}

export function addressOf(row: AddressColumns): PostalAddress {
  return { street: row.street, city: row.city, stateCode: row.state_code, postalCode: row.postal_code };
}

export function attributesOfRow(row: AttributeColumns): Attributes {
  const attributes = {} as Record<Attribute, number | null>;
  for (const attribute of ATTRIBUTES) attributes[attribute] = row[COLUMN_OF[attribute]];
  return attributes;
}

export function featuresOf(row: { readonly features: string }): OwnFeatures {
  return row.features === '{}' ? {} : parseJsonText<OwnFeatures>(row.features);
}
