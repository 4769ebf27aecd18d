import {
  ATTRIBUTE_TABLE,
  PROPERTY_FIELDS,
  RENTAL_FIELDS,
  RENTAL_UNIT_FIELDS,
} from './property-attributes.ts';
import type { AttributeDefinition, RequestField } from './request-field.ts';

/** Letters and digits only: `Living_Area (sq. ft.)` and `living area sqft` are the same. `$/sqft` is a price per sqft. */
export function bareName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\$\s*\//g, 'price per ')
    .replaceAll('#', 'number')
    .replace(/[^a-z0-9]/g, '');
}

/** Other headings of the parts of a location, separated by commas, best first. */
export const LOCATION_HEADINGS = {
  address:
    'address, full address, property address, site address, situs address, situs addr, situs, formatted address, street address, address string, address full, full addr, addr full, prop address, prop addr, property addr, site addr, physical address, phys addr, location address, loc addr, property location, parcel address, house address, street addr, addr, address 1, address line 1, addr1, address1, phy addr1, phy addr, physical address 1, prop loc, prop location, unparsed address, site addr1, prop address full, property address full, situs address line 1, property location address, premises address',
  city: 'city, town, municipality, muni, situs city, property city, prop city, site city, city name, municipality name, muni name, postal city, post city, phy city, phys city, physical city, prop address city name, situs city name',
  state_code:
    'state, st, state code, situs state, property state, prop state, site state, state abbr, state or province, state province',
  postal_code:
    'zip, zip code, zipcode, postal code, postcode, post code, postal, zip5, situs zip, property zip, prop zip, site zip, situs zip code, property zip code, site zip code, zip 5, zip or postal code, phy zipcd, phy zip, physical zip, prop address zipcode 1',
  latitude:
    'lat, latitude wgs84, lat dd, latitude dd, y lat, lat y, gps lat, geo lat, lat wgs84, centroid lat, intptlat, decimal latitude, point lat',
  longitude:
    'lon, lng, long, longitude wgs84, lon dd, long dd, longitude dd, x long, x lon, x lng, long x, lon x, gps lon, gps long, geo lon, geo long, geo lng, lon wgs84, long wgs84, centroid lon, centroid long, intptlon, decimal longitude, point lon, point long',
} as const;

/** Headings of units next to a street line. Next to its parts, the unit is one of them. */
export const UNIT_HEADINGS = {
  unit_number:
    'unit number, unit no, unit num, property unit, situs unit, apartment number, apartment no, apt number, apt no, apt, unit',
} as const;

/** Headings of coordinates that may be projected. They are read if nothing else locates the rows. */
export const PROJECTED_HEADINGS = {
  latitude: 'y, y coordinate, y coord, coord y, point y, centroid y, northing',
  longitude: 'x, x coordinate, x coord, coord x, point x, centroid x, easting',
} as const;

/** Headings of the columns of sales, rents and parcels that are not attributes of a home. */
export const RECORD_HEADINGS = {
  parcel_id:
    'parcel number, parcel no, parcel num, apn, pin, tax key, tax parcel id, bbl, pin14, pin10, major minor, pid, parid, folio, tax id, parcel nbr, parcelid, apn number, assessor parcel number, assessors parcel number, ain, pin number, property identification number, tax key number, tax key no, tax parcel, tax parcel number, tax map number, tax account number, account number, account no, par id, folio number, strap, geo pin, gpin, geo id, map block lot, block lot, blklot, mblr, parcel pin, ssl, sbl, print key, pcn, schedule number, map parcel, map par, parcel identification number, parcel no number, property id, prop id, parcel',
  sale_date:
    'date of sale, date sold, sold date, sales date, close date, closing date, closed date, date closed, deed date, date of deed, transfer date, date of transfer, conveyance date, conv date, settlement date, last sale date, saledate, sale dt, sales dt, sale day, instrument date, document date, deed dt, transfer dt, sale date 1, sale 1 date, sale dt 1, s date, date',
  recorded_date:
    'recording date, record date, date recorded, recorded on, rec date, recordation date, rec dt, record dt, recording dt, recorded dt',
  sale_price:
    'sold price, sales price, selling price, close price, closing price, closed price, sale amount, sale amt, sales amount, sales amt, sale value, consideration, consideration amount, transfer price, transfer amount, conveyance price, deed amount, purchase price, last sale price, last sale amount, price sold, sale price amount, saleprc, sale prc 1, sale price 1, sale 1 price, sale amt 1, sale amount 1, s amt, s price, price',
  rent: 'monthly rent, asking rent, rent price, rent amount, rent amt, list rent, rental price, rent per month, contract rent, price',
  listed_date:
    'list date, listing date, date listed, listed on, date posted, posted date, post date, on market date, date',
  last_seen_date: 'last seen, last seen on, removed date, off market date, date removed, delisted date',
  property_type:
    'home type, dwelling type, prop type, housing type, residence type, use desc, use description, property use description, property use desc, land use description, land use desc, luc description, luc desc, building class category, property type description, prop type desc, property class description, prop class desc, class description',
  arms_length:
    'arms length sale, is arms length, qualified, qualified sale, sale qualified, is qualified, qu, valid sale, sale valid, sale is valid, is valid sale, valid, sale validity, validity, valid flag, valid yn, sale valid flag, sale valid yn, sale qualification, qualified flag',
  multi_parcel:
    'is multisale, is multi sale, multi sale, multisale, multi parcel sale, is multi parcel, is multi parcel sale, multiple parcels, multi parcel flag, multi par sal 1, multi par sal, multiple parcel sale, multiple parcel, multiple parcel flag, multi parcel sale flag, multiple parcel sale flag, multi parcel, multiple sale',
  land_sale:
    'vi cd 1, vi cd, vac imp, vacant improved, vacant or improved, vacant improved flag, vacant improved code, improved vacant, land only, land only sale, vacant land sale, sale type, saletype, type of sale',
  listing_status: 'standard status, mls status, list status, home status, status',
} as const;

/** Headings of a property type within a wider one: `Residential`, `Condo`. */
export const SUBTYPE_HEADINGS =
  'property sub type, property subtype, prop sub type, residential type, sub type, subtype';

/** Headings of a number of parcels sold together. */
export const PARCEL_COUNT_HEADINGS =
  'num parcels sale, num parcels, number of parcels, parcels in sale, parcel count, parcels sold, num parcels sold, no of parcels, no parcels, parcels count, total parcels, number of parcels sold, number parcels, sale parcels, parcel cnt';

/** Headings of the year, month and day of a sale in columns of their own. */
export const SALE_DATE_PARTS = {
  year: 'sale yr, sale year, sale yr 1, sale year 1, year sold, yr sold, sold year',
  month: 'sale mo, sale month, sale mo 1, sale month 1, month sold, mo sold, sold month',
  day: 'sale day, sale day 1, day sold',
} as const;

/** Headings of the parts of a street line, in its order. */
export const STREET_PARTS = {
  number:
    'house number, street number, house no, street no, house num, street num, addr num, addr number, address number, address no, address num, site number, situs number, situs house number, situs house no, situs street number, property house num, property house number, property street number, prop street number, hse nbr, st num, st no, stno, add number',
  preDirection:
    'street dir prefix, street direction prefix, street pre direction, pre direction, pre dir, predir, street direction, street dir, st dir, stdir, dir prefix, situs direction, situs street direction',
  name: 'street name, st name, stname, str name, road name, situs street name, situs street, property street name, prop street name, prop street, site street name, street',
  type: 'street suffix, street type, st type, st suffix, street designation, street suff, street mode, situs street suffix, situs street type',
  postDirection:
    'street dir suffix, street direction suffix, street post direction, post direction, post dir, postdir',
  unit: UNIT_HEADINGS.unit_number,
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
  'full baths, full bath, full bathrooms, baths full, bath full, bathrooms full, f bath, num full baths, number of full baths, bathroom full count, full bths, fbath, fbaths, full bth, fullbaths count, full bath count, bath full count, full baths total, baths full count, total full baths, bathrm, res full bath, no full baths, char fbath';
export const HALF_BATH_HEADINGS =
  'half baths, half bath, half bathrooms, baths half, bath half, bathrooms half, h bath, num half baths, number of half baths, bathroom half count, half bths, hbath, hbaths, half bth, halfbaths count, half bath count, bath half count, half baths total, baths half count, total half baths, hf bathrm, hf bath, hf baths, res half bath, no half baths, char hbath';
export const THREE_QUARTER_BATH_HEADINGS =
  'bathrooms three quarter, three quarter baths, three quarter bath, three quarter bathrooms, baths three quarter, 3/4 baths, 3/4 bath, bath 3qtr count, bath 3 quarter count, 3 qtr baths, baths 3/4, bath 3/4, num three quarter baths';
/** RESO: every bathroom counts as one, also a half bath. */
export const COUNTED_BATH_HEADING = 'bathrooms total integer';
export const ACRE_HEADINGS =
  'acres, acreage, lot acres, lot size acres, land acres, total acres, gis acres, calculated acres, calc acres, deeded acres, lot acreage, lot ac, land ac, parcel acres';

/** Headings of the unit of each row's area. */
export const AREA_UNIT_HEADINGS = {
  living_area: 'living area units, living area unit',
  lot_size:
    'lot units, lot unit, lot size units, lot size unit, lot area units, lot area unit, land area units, land area unit',
} as const;

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
