import { skip } from '../rejections.ts';
import { numberOf } from '../rows/cell-values.ts';
import type { CellOf } from '../rows/mapping.ts';

const PLACE = { city: 'Milwaukee', state_code: 'WI' };
const SALE_NEEDS = ['proptype', 'taxkey', 'address', 'style', 'units', 'sale_date', 'sale_price'];

/**
 * The City of Milwaukee's own files: the assessor's yearly sales (headers of 2004–2018 and of 2019 on), the master
 * address index, the parcel file MPROP reduced to units and bedrooms, and the Police Department's incidents.
 * docs/operations/import.md has the rules.
 */
export const MILWAUKEE = {
  sales: ['finishedsqft', 'fin_sqft'].map((areaColumn) => ({
    needs: [...SALE_NEEDS, areaColumn],
    read: (source: CellOf) => readSale(source, areaColumn),
  })),
  parcels: [{ needs: ['taxkey', 'nr_units', 'bedrooms', 'latitude', 'longitude'], read: readParcel }],
  addresses: [
    {
      needs: ['address_string', 'latitude', 'longitude'],
      read: (source: CellOf) => ({ ...PLACE, address: source('address_string'), ...pointOf(source) }),
    },
  ],
  crime: [
    {
      needs: ['incident_n', 'cdate', 'ctime', 'offense1', 'location', 'latitude', 'longitude'],
      read: readIncident,
    },
  ],
};

function pointOf(source: CellOf): { latitude: string; longitude: string } {
  return { latitude: source('latitude'), longitude: source('longitude') };
}

function readSale(source: CellOf, areaColumn: string): Record<string, string> {
  return {
    ...PLACE,
    ...readHome(source),
    parcel_id: taxKey(source('taxkey')),
    sale_date: source('sale_date'),
    sale_price: source('sale_price'),
    address: source('address'),
    bathrooms: bathrooms(source('fbath'), source('hbath')),
    living_area: source(areaColumn),
    lot_size: source('lotsize'),
    year_built: source('year_built'),
    num_stories: source('stories'),
  };
}

type Home = ReturnType<typeof homeOfUnits>;

/** By kind of property, then by number of units. The style shows townhouses. */
function readHome(source: CellOf): Home {
  const kind = source('proptype').toLowerCase();
  const style = source('style');
  if (kind === 'condominium') {
    const type = /town ?house/i.test(style) ? 'townhomes' : 'condos';
    return { property_type: type, total_units: '1', bedrooms: zeroIsUnknown(source('bdrms')) };
  }
  if (kind === 'residential') {
    const units = numberOf(source('units'), 'total_units') ?? 0;
    if (style === '' || units < 1) skip('no_building', 'style', style);
    const single = /^townhouse/i.test(style) ? 'townhomes' : 'houses';
    return homeOfUnits(units, single, zeroIsUnknown(source('bdrms')));
  }
  // The publisher filed one apartment building of 2022 under Commercial; its style identifies it.
  if (kind === 'lg apartment' || /^AP\d \(/.test(style)) return readApartments(source);
  return skip('not_residential', 'proptype', source('proptype'));
}

function homeOfUnits(units: number, single: string, bedrooms: string) {
  const type = units === 1 ? single : units < 5 ? 'small_multifamily' : 'multifamily';
  return { property_type: type, total_units: String(units), bedrooms };
}

/**
 * Apartment buildings. Until 2018 all of them have 1 in Units, and the units in the style: "Apartment: 30: 2-Br ,6:
 * 3-Br Units". The column is cut at 48 characters, so a list without its end is incomplete. Then the number of units
 * is unknown, and comes from the parcel.
 */
function readApartments(source: CellOf): Home {
  const style = source('style');
  if (!style.startsWith('Apartment:')) {
    const units = numberOf(source('units'), 'total_units') ?? 0;
    if (units < 2) skip('no_building', 'units', source('units'));
    // Bdrms is that of one kind of apartment, and in 2019 each kind has a row.
    return homeOfUnits(units, 'multifamily', '');
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

function readParcel(source: CellOf): Record<string, string> {
  const units = numberOf(source('nr_units'), 'total_units') ?? 0;
  const isCondominium = source('c_a_class') === '5';
  const { property_type: typeOfUnits } = homeOfUnits(Math.max(1, units), 'houses', '');
  return {
    ...PLACE,
    parcel_id: taxKey(source('taxkey')),
    total_units: source('nr_units'),
    bedrooms: zeroIsUnknown(source('bedrooms')),
    ...pointOf(source),
    property_type: isCondominium ? 'condos' : typeOfUnits,
  };
}

/**
 * An incident has up to five offenses by name, its local date and time, and the exact address. An incident that
 * continues in further rows repeats its number.
 */
function readIncident(source: CellOf): Record<string, string> {
  const offenses = [1, 2, 3, 4, 5].map((n) => source(`offense${n}`)).filter((name) => name !== '');
  // The search page that wrote the file ends it with "Total Records: 42489" and the search terms.
  if (offenses.length === 0 && source('cdate') === '') {
    skip('not_an_incident', 'incident_id', source('incident_n'));
  }
  return {
    ...PLACE,
    ...pointOf(source),
    incident_id: source('incident_n'),
    occurred_at: `${source('cdate')} ${source('ctime')}`,
    offense_name: offenses.join(';'),
    address: source('location'),
    agency: 'Milwaukee Police Department',
    time_zone: 'America/Chicago',
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

/** The publisher writes 0 for unknown. */
function zeroIsUnknown(text: string): string {
  return numberOf(text, 'bedrooms') === 0 ? '' : text;
}
