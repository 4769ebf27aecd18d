import { LOCATION_HEADINGS } from '../../domain/column-headings.ts';
import {
  MULTIFAMILY_FIELDS,
  PROPERTY_FIELDS,
  RENTAL_FIELDS,
  RENTAL_UNIT_FIELDS,
} from '../../domain/property-attributes.ts';
import { GIVEN_FEATURES } from '../../domain/own-features.ts';
import type { RequestField } from '../../domain/request-field.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { PropertyBatchItem } from '../../schemas/batch.ts';
import { keywordsOf, type ObjectSchema } from '../../schemas/object-schema.ts';

/** How the text of a cell becomes a value. */
export type MemberType =
  | { readonly kind: 'text'; readonly lengthMax: number }
  | { readonly kind: 'integer' | 'number'; readonly minimum: number; readonly maximum: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'day' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

/** A member of a batch item that a column of a file can fill. */
export interface Member {
  /** Its path in the item, joined by dots. `units.bedrooms` belongs to the one unit that a row describes. */
  readonly path: string;
  readonly label: string;
  readonly type: MemberType;
  readonly isRequired: boolean;
  /** Other names in requests. */
  readonly aliases: readonly string[];
  /** Other names that columns have in files. */
  readonly names: readonly string[];
}

/** The balance of a loan on the property. It is not sent: the page of the file divides it by the value (LTV). */
export const BALANCE = 'file.balance';

/** The assessed value of the property. It is not sent: the page of the file compares the value with it. */
export const ASSESSED = 'file.assessed_value';

/** Labels and other names of columns, by path of the member. Those of property fields are in src/domain/property-attributes.ts. */
export const HEADERS: Readonly<Record<string, readonly [label: string, names: string] | undefined>> = {
  property_id: [
    'Your reference',
    'reference, ref, id, loan number, loan no, loan num, loan nbr, loan id, loan, client reference, property id, unit id, listing id, asset id, account number, account no, case number, case no, file number, file no, order number, order no, apn, parcel, parcel id, parcel number, parcel no, pin, tax key, tax parcel',
  ],
  'location.address': ['Address (full, or street line)', `${LOCATION_HEADINGS.address}, street, location`],
  'part.unit': [
    'Unit or apartment',
    'unit, apt, apartment, suite, unit number, unit no, address 2, address line 2',
  ],
  'part.city': ['City', LOCATION_HEADINGS.city],
  'part.state': ['State', LOCATION_HEADINGS.state_code],
  'part.postal_code': ['ZIP code', LOCATION_HEADINGS.postal_code],
  'location.latitude': ['Latitude', `${LOCATION_HEADINGS.latitude}, y, y coordinate`],
  'location.longitude': ['Longitude', `${LOCATION_HEADINGS.longitude}, x, x coordinate`],
  'search_params.date': [
    'As-of date',
    'as of date, as of, valuation date, as-of date, effective date, appraisal date, date of value',
  ],
  'search_params.num_comps': [
    'Comparables to return',
    'num comparables, number of comparables, comps, comparables',
  ],
  'search_params.radius_mi': ['Comparables within (miles)', 'radius, radius miles'],
  [BALANCE]: [
    'Loan balance ($)',
    'balance, loan balance, unpaid balance, unpaid principal balance, upb, current upb, upb amount, current balance, current loan balance, current unpaid principal balance, current principal balance, outstanding balance, outstanding principal balance, outstanding loan balance, principal balance, mortgage balance, note balance, loan bal, current bal, loan amount',
  ],
  [ASSESSED]: [
    'Assessed value ($)',
    'assessed value, assessment, assessed, assessed total, total assessed value, total assessment, current assessed value, current assessment, assessed value total, assd value, assessor value, roll value',
  ],
  'search_params.lookback_months': ['Comparables sold within (months)', 'lookback, months back'],
};

export const POSTAL_CODE = 'part.postal_code';
/** Parts of an address in separate columns. They are joined into `location.address`. */
export const ADDRESS_PARTS = ['part.unit', 'part.city', 'part.state', POSTAL_CODE] as const;

/** The whole address may have 500 characters. */
const PART_TYPE: MemberType = { kind: 'text', lengthMax: 200 };

/** Items of all kinds have the same reference, location and search members. */
const ITEM = keywordsOf(PropertyBatchItem);
const REFERENCE = schemaMembers({ properties: { property_id: ITEM.properties?.property_id ?? {} } }, '');
const [ADDRESS, ...COORDINATES] = schemaMembers(ITEM.properties?.location, 'location.');
const PARTS = ADDRESS_PARTS.map((path) => memberOf(path, PART_TYPE));
const LOCATION = [ADDRESS, ...PARTS, ...COORDINATES];
const SEARCH = schemaMembers(ITEM.properties?.search_params, 'search_params.');
const USD_TYPE: MemberType = { kind: 'number', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const OF_FILE = [BALANCE, ASSESSED].map((path) => memberOf(path, USD_TYPE));

/** What a column can be, by kind, with the types and limits of the request schemas. */
export const MEMBERS: Readonly<Record<ValuationKind, readonly Member[]>> = {
  property: [...REFERENCE, ...LOCATION, ...recordedMembers(), ...SEARCH, ...OF_FILE],
  // One unit per row: a building of several units is several rows.
  rental: [
    ...REFERENCE,
    ...LOCATION,
    ...fieldMembers('units', RENTAL_UNIT_FIELDS),
    ...fieldMembers('property_fields', RENTAL_FIELDS),
    ...SEARCH,
  ],
  multifamily: [
    ...REFERENCE,
    ...LOCATION,
    ...fieldMembers('property_fields', MULTIFAMILY_FIELDS),
    ...SEARCH,
    ...OF_FILE,
  ],
};

/** Of a market's own feature: the path is followed by its name. */
const FEATURE_PATH = 'property_fields.features.';
const FEATURE_TYPE: MemberType = { kind: 'text', lengthMax: GIVEN_FEATURES.textLength };

/** Columns for own features of the loaded markets. Any mapping may name others. */
export function featureMembers(names: readonly string[]): Member[] {
  return names.map((name) => ({
    ...memberOf(`${FEATURE_PATH}${name}`, FEATURE_TYPE),
    label: `${name} (feature of a market)`,
    names: [name],
  }));
}

/** The name of the own feature that a path fills; null for other paths. */
export function featureOfPath(path: string): string | null {
  return path.startsWith(FEATURE_PATH) ? path.slice(FEATURE_PATH.length) : null;
}

function fieldMembers(section: 'property_fields' | 'units', fields: readonly RequestField[]): Member[] {
  return fields.map((field) => ({
    path: `${section}.${field.name}`,
    label: labelOf(field),
    type: typeOfField(field),
    isRequired: field.isRequired ?? false,
    aliases: field.aliases ?? [],
    names: field.headings?.split(', ') ?? [],
  }));
}

/** Fields of a home. Its public record fills those that a row leaves out. */
function recordedMembers(): Member[] {
  return fieldMembers('property_fields', PROPERTY_FIELDS).map((member) => ({ ...member, isRequired: false }));
}

function labelOf({ label, type, unit }: RequestField): string {
  if (type === 'condition') return `${label} (1–5)`;
  return unit ? `${label} (${unit})` : label;
}

function typeOfField({
  type,
  choices = [],
  minimum = 0,
  maximum = Number.MAX_SAFE_INTEGER,
}: RequestField): MemberType {
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'choice') return { kind: 'choice', choices };
  return { kind: type === 'integer' ? 'integer' : 'number', minimum, maximum };
}

/** Members of an object that a cell can contain; the response of a geocoder is too large. */
function schemaMembers(schema: ObjectSchema | undefined, prefix: string): Member[] {
  return Object.entries(schema?.properties ?? {})
    .filter(([name]) => name !== 'maps_api_response')
    .map(([name, member]) => ({
      ...memberOf(`${prefix}${name}`, typeOfSchema(member)),
      aliases: member['x-aliases'] ?? [],
    }));
}

function memberOf(path: string, type: MemberType): Member {
  const [label, names] = HEADERS[path] ?? [path];
  return { path, label, type, isRequired: false, aliases: [], names: names?.split(', ') ?? [] };
}

function typeOfSchema(
  schema: ObjectSchema & { readonly maxLength?: number; readonly format?: string },
): MemberType {
  const type = [schema.type].flat().find((name) => name !== 'null');
  if (type === 'integer' || type === 'number') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
    return { kind: type, minimum, maximum };
  }
  return schema.format === 'date' ? { kind: 'day' } : { kind: 'text', lengthMax: schema.maxLength ?? 0 };
}
