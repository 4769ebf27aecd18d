import { numberOf } from '../rows/cell-values.ts';
import { skip } from '../rows/row-rejection.ts';
import type { FormatLayouts, SourceCell as Row } from './layout.ts';
import { MILWAUKEE_CRIME } from './milwaukee-crime.ts';

/**
 * The City of Milwaukee's own files: the assessor's yearly sales (headers of 2004–2018 and of 2019 on), the master
 * address index, and the parcel file MPROP reduced to units and bedrooms. docs/operations/import.md has the rules.
 */

const PLACE = { city: 'Milwaukee', state_code: 'WI' };

const SALE_COLUMNS = [
  'parcel_id',
  'sale_date',
  'sale_price',
  'address',
  'city',
  'state_code',
  'property_type',
  'total_units',
  'bedrooms',
  'bathrooms',
  'living_area',
  'lot_size',
  'year_built',
  'num_stories',
];
const SALE_NEEDS = ['proptype', 'taxkey', 'address', 'style', 'units', 'sale_date', 'sale_price'];

export const MILWAUKEE: FormatLayouts = {
  crime: MILWAUKEE_CRIME,
  sales: [
    {
      needs: [...SALE_NEEDS, 'finishedsqft'],
      gives: SALE_COLUMNS,
      read: (row) => readSale(row, 'finishedsqft'),
    },
    { needs: [...SALE_NEEDS, 'fin_sqft'], gives: SALE_COLUMNS, read: (row) => readSale(row, 'fin_sqft') },
  ],
  parcels: [
    {
      needs: ['taxkey', 'nr_units', 'bedrooms', 'latitude', 'longitude'],
      gives: [
        'parcel_id',
        'total_units',
        'bedrooms',
        'latitude',
        'longitude',
        'property_type',
        'city',
        'state_code',
      ],
      read: readParcel,
    },
  ],
  addresses: [
    {
      needs: ['address_string', 'latitude', 'longitude'],
      gives: ['address', 'city', 'state_code', 'latitude', 'longitude'],
      read: (row) => ({
        ...PLACE,
        address: row('address_string'),
        latitude: row('latitude'),
        longitude: row('longitude'),
      }),
    },
  ],
};

function readSale(row: Row, areaColumn: string): Record<string, string> {
  const home = readHome(row);
  return {
    ...PLACE,
    ...home,
    parcel_id: taxKey(row('taxkey')),
    sale_date: row('sale_date'),
    sale_price: row('sale_price'),
    address: row('address'),
    bathrooms: bathrooms(row('fbath'), row('hbath')),
    living_area: row(areaColumn),
    lot_size: row('lotsize'),
    year_built: row('year_built'),
    num_stories: row('stories'),
  };
}

/** Type, units and bedrooms: by kind of property, then by units, with the style telling townhouses. */
function readHome(row: Row): { property_type: string; total_units: string; bedrooms: string } {
  const kind = row('proptype').toLowerCase();
  const style = row('style');
  if (kind === 'condominium') {
    const type = /town ?house/i.test(style) ? 'townhomes' : 'condos';
    return { property_type: type, total_units: '1', bedrooms: zeroIsUnknown(row('bdrms')) };
  }
  if (kind === 'residential') {
    const units = numberOf(row('units'), 'total_units') ?? 0;
    if (style === '' || units < 1) skip('no_building', 'style', style);
    const single = /^townhouse/i.test(style) ? 'townhomes' : 'houses';
    return {
      property_type: units === 1 ? single : units < 5 ? 'small_multifamily' : 'multifamily',
      total_units: String(units),
      bedrooms: zeroIsUnknown(row('bdrms')),
    };
  }
  // The publisher filed one conventional apartment house of 2022 under Commercial; its style gives it away.
  if (kind === 'lg apartment' || /^AP\d \(/.test(style)) return readApartments(row);
  return skip('not_residential', 'proptype', row('proptype'));
}

/**
 * Apartment buildings. Until 2018 every one has 1 in Units and its flats in the style: "Apartment: 30: 2-Br ,6: 3-Br
 * Units"; the column is cut at 48 characters, so a list without its end is no list. Then the units stay open, and
 * come from the parcel.
 */
function readApartments(row: Row): { property_type: string; total_units: string; bedrooms: string } {
  const style = row('style');
  if (!style.startsWith('Apartment:')) {
    const units = numberOf(row('units'), 'total_units') ?? 0;
    if (units < 2) skip('no_building', 'units', row('units'));
    return {
      property_type: units < 5 ? 'small_multifamily' : 'multifamily',
      total_units: String(units),
      bedrooms: zeroIsUnknown(row('bdrms')),
    };
  }
  let units = 0;
  let bedrooms = 0;
  if (/Units?$/.test(style)) {
    for (const [, count, rooms] of style.matchAll(/(\d+): *(\d+)-Br/g)) {
      units += Number(count);
      bedrooms += Number(count) * Number(rooms);
    }
  }
  return {
    property_type: units > 0 && units < 5 ? 'small_multifamily' : 'multifamily',
    total_units: units > 0 ? String(units) : '',
    bedrooms: bedrooms > 0 ? String(bedrooms) : '',
  };
}

function readParcel(row: Row): Record<string, string> {
  const units = numberOf(row('nr_units'), 'total_units') ?? 0;
  const isCondominium = row('c_a_class') === '5';
  return {
    ...PLACE,
    parcel_id: taxKey(row('taxkey')),
    total_units: row('nr_units'),
    bedrooms: zeroIsUnknown(row('bedrooms')),
    latitude: row('latitude'),
    longitude: row('longitude'),
    property_type: isCondominium
      ? 'condos'
      : units >= 5
        ? 'multifamily'
        : units > 1
          ? 'small_multifamily'
          : 'houses',
  };
}

/** Tax keys have ten digits; spreadsheets drop the leading zeros. */
function taxKey(text: string): string {
  return /^\d+$/.test(text) ? text.padStart(10, '0') : text;
}

function bathrooms(full: string, half: string): string {
  const count = (numberOf(full, 'fbath') ?? 0) + (numberOf(half, 'hbath') ?? 0) / 2;
  return count > 0 ? String(count) : '';
}

/** The publisher writes 0 for what it does not know. */
function zeroIsUnknown(text: string): string {
  return numberOf(text, 'bedrooms') === 0 ? '' : text;
}
