import {
  ATTRIBUTE_TABLE,
  PROPERTY_FIELDS,
  RENTAL_FIELDS,
  RENTAL_UNIT_FIELDS,
} from './property-attributes.ts';
import type { AttributeDefinition, RequestField } from './request-field.ts';

/** Letters and digits only: `Living_Area (sq. ft.)` and `living area sqft` are the same. */
export function bareName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('#', 'number')
    .replace(/[^a-z0-9]/g, '');
}

/** Other headings of the parts of a location, separated by commas, best first. */
export const LOCATION_HEADINGS = {
  address:
    'address, full address, property address, site address, situs address, situs, formatted address, street address, address 1, address line 1, address1',
  city: 'city, town, municipality, situs city, property city, site city',
  state_code: 'state, st, state code, situs state, property state, site state',
  postal_code: 'zip, zip code, zipcode, postal code, postcode, zip5, situs zip, property zip, site zip',
  latitude: 'lat',
  longitude: 'lon, lng, long',
} as const;

/** Headings of coordinates that may be projected. They are read if nothing else locates the rows. */
export const PROJECTED_HEADINGS = {
  latitude: 'y, y coordinate, y coord, point y, northing',
  longitude: 'x, x coordinate, x coord, point x, easting',
} as const;

/** Headings of the columns of sales, rents and parcels that are not attributes of a home. */
export const RECORD_HEADINGS = {
  parcel_id:
    'parcel number, parcel no, parcel num, apn, pin, tax key, tax parcel id, bbl, pin14, pin10, major minor, pid, parid, folio, tax id, parcel',
  sale_date:
    'date of sale, date sold, sold date, sales date, close date, closing date, closed date, deed date, transfer date, settlement date, last sale date, sale dt, date',
  recorded_date: 'recording date, record date, date recorded',
  sale_price:
    'sold price, sales price, close price, closing price, sale amount, sale amt, consideration, purchase price, last sale price, price',
  rent: 'monthly rent, asking rent, rent price, rent amount, price',
  listed_date: 'list date, listing date, date listed, date',
  last_seen_date: 'last seen',
  property_type: 'home type, dwelling type, prop type',
} as const;

export const FULL_BATH_HEADINGS =
  'full baths, full bath, full bathrooms, baths full, bath full, bathrooms full, f bath, num full baths, number of full baths, bathroom full count';
export const HALF_BATH_HEADINGS =
  'half baths, half bath, half bathrooms, baths half, bath half, bathrooms half, h bath, num half baths, number of half baths, bathroom half count';
export const ACRE_HEADINGS =
  'acres, acreage, lot acres, lot size acres, land acres, total acres, gis acres, calculated acres, calc acres, deeded acres, lot acreage';

/** Headings that are often something else: the year or area of a sale, the number of a lot. */
const UNCERTAIN = new Set(['year', 'area', 'lot']);

/** Other names of the columns of attributes: those of requests, and for common attributes those of other files. */
export function attributeHeadings(kind: 'home' | 'unit'): Readonly<Record<string, readonly string[]>> {
  const fields: readonly RequestField[] =
    kind === 'home' ? PROPERTY_FIELDS : [...RENTAL_UNIT_FIELDS, ...RENTAL_FIELDS];
  const entries = ATTRIBUTE_TABLE.flatMap((row: AttributeDefinition): [string, string[]][] => {
    const field = fields.find(({ key }) => key === row.key);
    if (!field) return [];
    const headings = row.isCommon ? (field.headings?.split(', ') ?? []) : [];
    const certain = headings.filter((heading) => !UNCERTAIN.has(heading));
    const name = kind === 'unit' && field.name === 'size' ? 'size' : (row.importColumn ?? row.column);
    return [[name, [field.name, ...(field.aliases ?? []), ...certain]]];
  });
  return Object.fromEntries(entries);
}
