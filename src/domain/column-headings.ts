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
    'address, full address, property address, site address, situs address, situs addr, situs, formatted address, street address, address string, address full, full addr, addr full, prop address, prop addr, property addr, site addr, physical address, phys addr, location address, loc addr, property location, parcel address, house address, street addr, addr, address 1, address line 1, addr1, address1',
  city: 'city, town, municipality, muni, situs city, property city, prop city, site city, city name, municipality name, muni name, postal city, post city',
  state_code: 'state, st, state code, situs state, property state, prop state, site state, state abbr',
  postal_code:
    'zip, zip code, zipcode, postal code, postcode, post code, postal, zip5, situs zip, property zip, prop zip, site zip, situs zip code, property zip code, site zip code, zip 5',
  latitude:
    'lat, latitude wgs84, lat dd, latitude dd, y lat, lat y, gps lat, geo lat, lat wgs84, centroid lat, intptlat, decimal latitude, point lat',
  longitude:
    'lon, lng, long, longitude wgs84, lon dd, long dd, longitude dd, x long, x lon, x lng, long x, lon x, gps lon, gps long, geo lon, geo long, geo lng, lon wgs84, long wgs84, centroid lon, centroid long, intptlon, decimal longitude, point lon, point long',
} as const;

/** Headings of coordinates that may be projected. They are read if nothing else locates the rows. */
export const PROJECTED_HEADINGS = {
  latitude: 'y, y coordinate, y coord, coord y, point y, centroid y, northing',
  longitude: 'x, x coordinate, x coord, coord x, point x, centroid x, easting',
} as const;

/** Headings of the columns of sales, rents and parcels that are not attributes of a home. */
export const RECORD_HEADINGS = {
  parcel_id:
    'parcel number, parcel no, parcel num, apn, pin, tax key, tax parcel id, bbl, pin14, pin10, major minor, pid, parid, folio, tax id, parcel nbr, parcelid, apn number, assessor parcel number, assessors parcel number, ain, pin number, property identification number, tax key number, tax key no, tax parcel, tax parcel number, tax map number, tax account number, account number, account no, par id, folio number, strap, geo pin, gpin, geo id, map block lot, block lot, blklot, mblr, parcel pin, parcel',
  sale_date:
    'date of sale, date sold, sold date, sales date, close date, closing date, closed date, date closed, deed date, date of deed, transfer date, date of transfer, conveyance date, conv date, settlement date, last sale date, saledate, sale dt, sales dt, sale day, instrument date, date',
  recorded_date: 'recording date, record date, date recorded, recorded on, rec date, recordation date',
  sale_price:
    'sold price, sales price, selling price, close price, closing price, closed price, sale amount, sale amt, sales amount, sales amt, sale value, consideration, consideration amount, transfer price, transfer amount, conveyance price, deed amount, purchase price, last sale price, last sale amount, price sold, sale price amount, saleprc, price',
  rent: 'monthly rent, asking rent, rent price, rent amount, rent amt, list rent, rental price, rent per month, contract rent, price',
  listed_date:
    'list date, listing date, date listed, listed on, date posted, posted date, post date, on market date, date',
  last_seen_date: 'last seen, last seen on, removed date, off market date, date removed, delisted date',
  property_type: 'home type, dwelling type, prop type, housing type, residence type',
} as const;

/** Headings of the columns of published price indexes, among them those of the FHFA. */
export const INDEX_HEADINGS = {
  series: 'series name, series id, index name',
  place_id: 'cbsa, cbsa code, metro id, area code, region id, geo id',
  place_name: 'metro name, name, metro, area, area name, region name',
  year: 'yr',
  quarter: 'qtr',
  date: 'observation date, period date, month date, time period',
  published_date: 'publication date, published on, published, release date, vintage date, realtime start',
  index_sa: 'index seasonally adjusted, seasonally adjusted, value sa, hpi sa',
  index_nsa: 'index, index value, value, hpi, house price index, price index, value nsa, hpi nsa',
} as const;

export const FULL_BATH_HEADINGS =
  'full baths, full bath, full bathrooms, baths full, bath full, bathrooms full, f bath, num full baths, number of full baths, bathroom full count, full bths, fbath, fbaths, full bth, fullbaths count, full bath count, bath full count, full baths total, baths full count, total full baths';
export const HALF_BATH_HEADINGS =
  'half baths, half bath, half bathrooms, baths half, bath half, bathrooms half, h bath, num half baths, number of half baths, bathroom half count, half bths, hbath, hbaths, half bth, halfbaths count, half bath count, bath half count, half baths total, baths half count, total half baths';
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
