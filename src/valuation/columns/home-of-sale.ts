import {
  ATTRIBUTES,
  attributesOf,
  PROPERTY_TYPES,
  type Attribute,
  type OwnFeatures,
} from '../../domain/property.ts';
import type { SaleColumns } from './sale-columns.ts';
import { textAt } from './string-column.ts';
import type { Home } from '../subject.ts';

/** A sale's home as it was recorded. */
export function homeOfSale(columns: SaleColumns, row: number): Home {
  const known: Partial<Record<Attribute, number | null>> = {};
  for (const attribute of ATTRIBUTES) {
    const value = columns.attributes[attribute][row];
    known[attribute] = Number.isNaN(value) ? null : decimalOf(value);
  }
  return {
    ...placeOfSale(columns, row),
    attributes: attributesOf(known),
    features: featuresOfSale(columns, row),
    parcelId: textAt(columns.parcelId, row) || null,
  };
}

/** Place and type of a sale: what the price index needs. */
export function placeOfSale(columns: SaleColumns, row: number): Pick<Home, 'lat' | 'lon' | 'type'> {
  return { lat: columns.lat[row], lon: columns.lon[row], type: PROPERTY_TYPES[columns.type[row]] };
}

/** Columns hold 32-bit floats (3.4 is 3.4000000953): seven digits restore the decimal. */
export function decimalOf(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(7));
}

function featuresOfSale(columns: SaleColumns, row: number): OwnFeatures {
  const features: Record<string, string> = {};
  for (const { name, levels, codes } of columns.features) {
    if (codes[row] >= 0) features[name] = levels[codes[row]];
  }
  return features;
}
