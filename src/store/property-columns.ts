import type { PostalAddress } from '../domain/address.ts';
import type { Attribute, Attributes, OwnFeatures } from '../domain/property.ts';
import { ATTRIBUTE_TABLE } from '../domain/property-attributes.ts';
import type { BulkColumn } from './bulk-table.ts';
import type { AddressColumns, AttributeColumns } from './database.ts';
import { jsonText, parseJsonText } from './json-text.ts';

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
    ...ATTRIBUTE_TABLE.map(({ key, column }): BulkColumn<Row> => ({
      name: column,
      type: 'float8',
      of: (row) => row.described.attributes[key],
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
  for (const { key, column } of ATTRIBUTE_TABLE) attributes[key] = row[column];
  return attributes;
}

export function featuresOf(row: { readonly features: string }): OwnFeatures {
  return row.features === '{}' ? {} : parseJsonText<OwnFeatures>(row.features);
}
