import type { PostalAddress } from '../../domain/address.ts';
import { dayOf, yearMonthOf, type Day } from '../../domain/day.ts';
import type { Parcel } from '../../domain/parcel.ts';
import { attributesOf, type Attribute, type Attributes, type OwnFeatures } from '../../domain/property.ts';
import type { DatePrecision, Sale } from '../../domain/sale.ts';
import { stateCodeOf, stateNameOf } from '../../domain/us-states.ts';
import { featureColumn, type CellOf } from './bind-columns.ts';
import { amountOf, dateOf, lastDayOf, numberOf, textOf, yesNoOf } from './cell-values.ts';
import { ATTRIBUTE_COLUMNS, type AttributeColumns } from './columns.ts';
import { propertyTypeOf, typeOfUnits } from '../../domain/property-type-words.ts';
import { reject, skip } from './row-rejection.ts';

/** Settings for reading rows. */
export interface ReadSettings {
  /** Later dates are rejected. */
  readonly today: Day;
  readonly features: readonly string[];
  /** Precision of the dates if the operator set it; else as written. */
  readonly datePrecision: DatePrecision | null;
}

/** A row that may still need coordinates. */
export type Unplaced<T extends { readonly lat: number; readonly lon: number }> = Omit<T, 'lat' | 'lon'> & {
  readonly lat: number | null;
  readonly lon: number | null;
};

/** A sale without coordinates; the record id is '' where the file has none. */
export function readSale(cell: CellOf, settings: ReadSettings): Unplaced<Sale> {
  const priceUsd = readPrice(cell);
  const { day: soldOn, datePrecision } = readDay(cell, 'sale_date', settings);
  const recorded = dateOf(cell('recorded_date'), 'recorded_date');
  if (recorded && recorded.day > settings.today)
    reject('date_in_future', 'recorded_date', cell('recorded_date'));
  const attributes = readAttributes(cell);
  const armsLength = yesNoOf(cell('arms_length'), 'arms_length');
  return {
    recordId: textOf(cell('record_id'), 'record_id'),
    parcelId: textOf(cell('parcel_id'), 'parcel_id') || null,
    soldOn,
    datePrecision,
    recordedOn: recorded && lastDayOf(recorded),
    priceUsd,
    address: readAddress(cell),
    ...readPoint(cell),
    type: readType(cell, attributes) ?? typeOfUnits(attributes.totalUnits),
    attributes,
    features: readFeatures(cell, settings.features),
    isArmsLength: armsLength === null ? null : armsLength === 1,
  };
}

/** A parcel; `asOf` is null where the file does not say. */
export function readParcel(
  cell: CellOf,
  settings: ReadSettings,
): Omit<Unplaced<Parcel>, 'asOf'> & { readonly asOf: Day | null } {
  const parcelId = textOf(cell('parcel_id'), 'parcel_id');
  if (parcelId === '') reject('missing', 'parcel_id', '');
  const asOf = dateOf(cell('as_of_date'), 'as_of_date');
  if (asOf && asOf.day > settings.today) reject('date_in_future', 'as_of_date', cell('as_of_date'));
  const attributes = readAttributes(cell);
  return {
    parcelId,
    asOf: asOf && lastDayOf(asOf),
    address: readAddress(cell),
    ...readPoint(cell),
    type: readType(cell, attributes),
    attributes,
    features: readFeatures(cell, settings.features),
  };
}

export function readAddressPoint(cell: CellOf): {
  readonly address: PostalAddress;
  readonly lat: number;
  readonly lon: number;
  readonly parcelId: string | null;
} {
  const address = readAddress(cell);
  if (address.street === '') reject('missing', 'address', '');
  const { lat, lon } = readPoint(cell);
  if (lat === null || lon === null) return reject('no_coordinates', 'latitude', cell('latitude'));
  return { address, lat, lon, parcelId: textOf(cell('parcel_id'), 'parcel_id') || null };
}

/** A transfer without a price is not a sale. It is skipped, not rejected. */
function readPrice(cell: CellOf): number {
  const text = cell('sale_price');
  return amountOf(text, 'sale_price') || skip('no_price', 'sale_price', text);
}

const EARLIEST_DAY: Day = -25_567; // 1900-01-01

/** The date of an event and its precision. It must not be in the future. */
export function readDay(
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
  return { day: datePrecision === 'month' ? firstOfMonth(date.day) : date.day, datePrecision };
}

function firstOfMonth(day: Day): Day {
  const { year, month } = yearMonthOf(day);
  return dayOf(year, month, 1);
}

export function readAddress(cell: CellOf): PostalAddress {
  return {
    street: textOf(cell('address'), 'address'),
    city: textOf(cell('city'), 'city'),
    stateCode: readState(textOf(cell('state_code'), 'state_code')),
    postalCode: postalCodeOf(textOf(cell('postal_code'), 'postal_code')),
  };
}

/** "wi", "WI" or "Wisconsin"; any other text is kept as written. */
function readState(text: string): string {
  const code = text.toUpperCase();
  return stateNameOf(code) === null ? (stateCodeOf(text) ?? text) : code;
}

/** Spreadsheets drop the leading zeros of New England's ZIP codes, and write others as 98133.0. */
function postalCodeOf(text: string): string {
  const bare = text.replace(/\.0+$/, '');
  return /^\d{3,4}$/.test(bare) ? bare.padStart(5, '0') : bare;
}

/** Both coordinates or neither. Geocoders write 0,0 where they found nothing. */
export function readPoint(cell: CellOf): { lat: number | null; lon: number | null } {
  const lat = numberOf(cell('latitude'), 'latitude');
  const lon = numberOf(cell('longitude'), 'longitude');
  if (lat === null || lon === null || (lat === 0 && lon === 0)) return { lat: null, lon: null };
  if (Math.abs(lat) > 90) reject('outside_the_earth', 'latitude', cell('latitude'));
  if (Math.abs(lon) > 180) reject('outside_the_earth', 'longitude', cell('longitude'));
  return { lat, lon };
}

export function readAttributes(cell: CellOf, columns: AttributeColumns = ATTRIBUTE_COLUMNS): Attributes {
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

export function readType(cell: CellOf, attributes: Attributes): Sale['type'] | null {
  const text = textOf(cell('property_type'), 'property_type');
  if (text === '') return null;
  return (
    propertyTypeOf(text, attributes.totalUnits) ?? reject('unknown_property_type', 'property_type', text)
  );
}

export function readFeatures(cell: CellOf, names: readonly string[]): OwnFeatures {
  if (names.length === 0) return {};
  const features: Record<string, string> = {};
  for (const name of names) {
    const text = textOf(cell(featureColumn(name)), name);
    if (text !== '') features[name] = text;
  }
  return features;
}
