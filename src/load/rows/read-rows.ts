import type { AddressPoint, PostalAddress } from '../../domain/address.ts';
import { dayOf, yearMonthOf, type Day } from '../../domain/day.ts';
import type { Parcel } from '../../domain/parcel.ts';
import { isNoHome, propertyTypeOf, typeOfUnits } from '../../domain/property-type-words.ts';
import { attributesOf, type Attribute, type Attributes, type OwnFeatures } from '../../domain/property.ts';
import type { RentListing } from '../../domain/rent.ts';
import type { DatePrecision, Sale } from '../../domain/sale.ts';
import { stateCodeOf, stateNameOf } from '../../domain/us-states.ts';
import { reject, skip } from '../rejections.ts';
import {
  amountOf,
  armsLengthOf,
  dateOf,
  isLandSale,
  isUnknown,
  lastDayOf,
  multiParcelOf,
  numberOf,
  rentOf,
  saleStateOf,
  textOf,
  yesNoOf,
} from './cell-values.ts';
import { ATTRIBUTE_COLUMNS, UNIT_ATTRIBUTE_COLUMNS, type AttributeColumns } from './columns.ts';
import { featureColumn, type CellOf } from './mapping.ts';

export interface ReadSettings {
  /** Later dates are rejected. */
  readonly today: Day;
  readonly features: readonly string[];
  /** Precision of the dates if the operator set it; else as written. */
  readonly datePrecision: DatePrecision | null;
}

/** A row that may still need coordinates. */
export type Unplaced<T extends { readonly lat: number; readonly lon: number }> = Omit<T, 'lat' | 'lon'> &
  ReturnType<typeof readPoint>;

/** A sale; the record id is '' if the file has none. A transfer without a price is not a sale: it is skipped. */
export function readSale(cell: CellOf, settings: ReadSettings): Unplaced<Sale> {
  leaveOutUnsold(cell);
  // The home was built later, so that its facts are not what was paid for.
  if (isLandSale(cell('land_sale'))) skip('land_sale', 'land_sale', cell('land_sale'));
  const priceText = cell('sale_price');
  const priceUsd = amountOf(priceText, 'sale_price') || skip('no_price', 'sale_price', priceText);
  const { day: soldOn, datePrecision } = readDay(cell, 'sale_date', settings);
  const recordedOn = readLastDay(cell, 'recorded_date', settings);
  const attributes = readAttributes(cell);
  // The price is that of all the parcels.
  const isOfOneHome = multiParcelOf(cell('multi_parcel'), 'multi_parcel') !== 1;
  const isArmsLength = isOfOneHome ? isYes(armsLengthOf(cell('arms_length'), 'arms_length')) : false;
  return {
    ...readIds(cell),
    soldOn,
    datePrecision,
    recordedOn,
    priceUsd,
    address: readAddress(cell),
    ...readPoint(cell),
    type: readType(cell, attributes) ?? typeOfUnits(attributes.totalUnits),
    attributes,
    features: readFeatures(cell, settings.features),
    isArmsLength,
  };
}

/** Skips a home that is not sold. A status that may be that of the parcel is rejected if there is a date of sale. */
export function leaveOutUnsold(cell: CellOf): void {
  const status = cell('listing_status');
  const state = saleStateOf(status);
  if (state === 'unclear' && !isUnknown(cell('sale_date')))
    reject('active_and_sold', 'listing_status', status);
  if (state !== null) skip('not_sold', 'listing_status', status);
}

/** A listing; the record id is '' if the file has none. Without type and units it is a condo. */
export function readRent(cell: CellOf, settings: ReadSettings): Unplaced<RentListing> {
  const rentUsd = rentOf(cell('rent'), 'rent') || skip('no_rent', 'rent', cell('rent'));
  const { day: listedOn, datePrecision } = readDay(cell, 'listed_date', settings);
  const attributes = readAttributes(cell, UNIT_ATTRIBUTE_COLUMNS);
  const { totalUnits } = attributes;
  return {
    ...readIds(cell),
    listedOn,
    lastSeenOn: readLastSeenOn(cell, listedOn, settings),
    datePrecision,
    rentUsd,
    address: readAddress(cell),
    ...readPoint(cell),
    type: readType(cell, attributes) ?? (totalUnits === null ? 'condos' : typeOfUnits(totalUnits)),
    attributes,
    isFurnished: readYesNo(cell, 'is_furnished'),
    hasParking: readYesNo(cell, 'has_parking'),
    features: readFeatures(cell, settings.features),
  };
}

/** A parcel; `asOf` is null if the file does not give it. */
export function readParcel(
  cell: CellOf,
  settings: ReadSettings,
): Omit<Unplaced<Parcel>, 'asOf'> & { readonly asOf: Day | null } {
  const { parcelId } = readIds(cell);
  if (parcelId === null) return reject('missing', 'parcel_id', '');
  const asOf = readLastDay(cell, 'as_of_date', settings);
  const attributes = readAttributes(cell);
  return {
    parcelId,
    asOf,
    address: readAddress(cell),
    ...readPoint(cell),
    type: readType(cell, attributes),
    attributes,
    features: readFeatures(cell, settings.features),
  };
}

export function readAddressPoint(cell: CellOf): AddressPoint {
  const address = readAddress(cell);
  if (address.street === '') reject('missing', 'address', '');
  const { lat, lon } = readPoint(cell);
  if (lat === null || lon === null) return reject('no_coordinates', 'latitude', cell('latitude'));
  return { address, lat, lon, parcelId: readIds(cell).parcelId };
}

function readIds(cell: CellOf): { readonly recordId: string; readonly parcelId: string | null } {
  return {
    recordId: textOf(cell('record_id'), 'record_id'),
    parcelId: textOf(cell('parcel_id'), 'parcel_id') || null,
  };
}

export const EARLIEST_DAY: Day = -25_567; // 1900-01-01

/** The date of an event and its precision. It must not be in the future. */
function readDay(
  cell: CellOf,
  column: string,
  settings: ReadSettings,
): { readonly day: Day; readonly datePrecision: DatePrecision } {
  const text = cell(column);
  const date = dateOf(text, column);
  if (!date) return reject('missing', column, text);
  if (date.day > settings.today) reject('date_in_future', column, text);
  if (date.day < EARLIEST_DAY) reject('date_before_1900', column, text);
  const datePrecision = settings.datePrecision ?? date.precision;
  const { year, month } = yearMonthOf(date.day);
  return { day: datePrecision === 'month' ? dayOf(year, month, 1) : date.day, datePrecision };
}

/** The last day that an optional date can mean; null if unknown. */
function readLastDay(cell: CellOf, column: string, { today }: ReadSettings): Day | null {
  const date = dateOf(cell(column), column);
  if (date && date.day > today) reject('date_in_future', column, cell(column));
  return date && lastDayOf(date);
}

function readLastSeenOn(cell: CellOf, listedOn: Day, settings: ReadSettings): Day | null {
  const lastDay = readLastDay(cell, 'last_seen_date', settings);
  if (lastDay === null) return null;
  const lastSeenOn = Math.min(settings.today, lastDay);
  if (lastSeenOn >= listedOn) return lastSeenOn;
  return reject('last_seen_before_listed', 'last_seen_date', cell('last_seen_date'));
}

function readYesNo(cell: CellOf, column: string): boolean | null {
  return isYes(yesNoOf(cell(column), column));
}

function isYes(value: number | null): boolean | null {
  return value === null ? null : value === 1;
}

export function readAddress(cell: CellOf): PostalAddress {
  return {
    street: withUnit(textOf(cell('address'), 'address'), textOf(cell('unit_number'), 'unit_number')),
    city: textOf(cell('city'), 'city'),
    stateCode: readState(textOf(cell('state_code'), 'state_code')),
    postalCode: postalCodeOf(textOf(cell('postal_code'), 'postal_code')),
  };
}

/** No unit, or the unit in which an area is measured. */
const NO_UNIT = /^(0*|s\.?f\.?|sq\.?\s?ft\.?|ac|acres?|ea|each)$/i;

/** The street line with its unit, unless it already ends with it. */
function withUnit(street: string, unit: string): string {
  const bare = unit.replace(/^(#|apt\b|unit\b)[\s.#]*/i, '');
  if (street === '' || NO_UNIT.test(bare)) return street;
  const before = street.slice(0, -bare.length);
  const hasUnit = street.toUpperCase().endsWith(bare.toUpperCase()) && /[^A-Z0-9]$/i.test(before);
  return hasUnit ? street : `${street} #${bare}`;
}

/** "wi", "WI" or "Wisconsin"; any other text is kept as written. */
function readState(text: string): string {
  const code = text.toUpperCase();
  return stateNameOf(code) === null ? (stateCodeOf(text) ?? text) : code;
}

/**
 * Spreadsheets drop the leading zeros of New England's ZIP codes, and write others as 98133.0 or 98,133. Some files
 * omit the hyphen of 98133-1234.
 */
function postalCodeOf(text: string): string {
  const bare = text.replace(/\.0+$|,/g, '').replace(/^(\d{5})(\d{4})$/, '$1-$2');
  return /^\d{3,4}$/.test(bare) ? bare.padStart(5, '0') : bare;
}

/** Both coordinates or neither. Geocoders write 0,0 if they found nothing. */
export function readPoint(cell: CellOf): { readonly lat: number | null; readonly lon: number | null } {
  const lat = numberOf(cell('latitude'), 'latitude');
  const lon = numberOf(cell('longitude'), 'longitude');
  if (lat === null || lon === null || (lat === 0 && lon === 0)) return { lat: null, lon: null };
  if (Math.abs(lat) > 90) reject('outside_the_earth', 'latitude', cell('latitude'));
  if (Math.abs(lon) > 180) reject('outside_the_earth', 'longitude', cell('longitude'));
  return { lat, lon };
}

function readAttributes(cell: CellOf, columns: AttributeColumns = ATTRIBUTE_COLUMNS): Attributes {
  const known: Partial<Record<Attribute, number>> = {};
  for (const column in columns) {
    const text = cell(column);
    if (text === '') continue;
    const { attribute, read } = columns[column];
    const value = read(text, column);
    if (value !== null) known[attribute] = value;
  }
  return attributesOf(known);
}

function readType(cell: CellOf, attributes: Attributes): Sale['type'] | null {
  const text = textOf(cell('property_type'), 'property_type');
  if (text === '') return null;
  if (isNoHome(text)) return skip('not_residential', 'property_type', text);
  return (
    propertyTypeOf(text, attributes.totalUnits) ?? reject('unknown_property_type', 'property_type', text)
  );
}

function readFeatures(cell: CellOf, names: readonly string[]): OwnFeatures {
  const features: Record<string, string> = {};
  for (const name of names) {
    const text = textOf(cell(featureColumn(name)), name);
    if (text !== '') features[name] = text;
  }
  return features;
}
