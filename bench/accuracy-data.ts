import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { parseDay, type Day } from '../src/domain/day.ts';
import { attributesOf, isPropertyType, type Attribute, type OwnFeatures } from '../src/domain/property.ts';
import type { Sale } from '../src/domain/sale.ts';
import { buildSaleColumns } from '../src/valuation/columns/build-columns.ts';
import type { SaleColumns } from '../src/valuation/columns/sale-columns.ts';

/** The folder of the real data used in development, relative to the root of the repository. */
export const DATA = new URL('../../shared/data/', import.meta.url);

type Row = Record<string, string>;

function readRows(path: string): Row[] {
  const text = gunzipSync(readFileSync(new URL(path, DATA)));
  return parse(text, { columns: true, skip_empty_lines: true, bom: true }) as Row[];
}

function numberOf(text: string | undefined): number | null {
  return text === undefined || text.trim() === '' ? null : Number(text);
}

function saleOf(row: Row, fields: Partial<Sale> & Pick<Sale, 'recordId' | 'soldOn' | 'priceUsd'>): Sale {
  return {
    parcelId: row.parcel_id || null,
    recordedOn: null,
    datePrecision: 'day',
    address: { street: '', city: '', stateCode: '', postalCode: '' },
    lat: Number(row.latitude),
    lon: Number(row.longitude),
    type: 'houses',
    attributes: attributesOf({}),
    features: {},
    isArmsLength: null,
    ...fields,
  };
}

/** Other columns of the file as own features. */
function featuresOf(row: Row, names: readonly string[]): OwnFeatures {
  return Object.fromEntries(names.map((name) => [name, row[name]]).filter(([, text]) => text !== ''));
}

/** King County with the attributes of property_fields; `features` names additional columns of the file. */
export function kingColumns(features: readonly string[] = [], recordingLagDays = 0): SaleColumns {
  const sales = readRows('king/kc_house_data.csv.gz').map((row, i) => {
    const known = (name: string) => numberOf(row[name]);
    const soldOn = day(`${row.date.slice(0, 4)}-${row.date.slice(4, 6)}-${row.date.slice(6, 8)}`);
    return saleOf(row, {
      recordId: `${row.id}-${row.date.slice(0, 8)}-${i}`,
      parcelId: row.id,
      soldOn,
      priceUsd: Number(row.price),
      lat: Number(row.lat),
      lon: Number(row.long),
      features: featuresOf(row, features),
      attributes: attributesOf({
        totalUnits: 1,
        bedrooms: known('bedrooms'),
        bathrooms: known('bathrooms'),
        livingAreaSqft: known('sqft_living'),
        lotSizeSqft: known('sqft_lot'),
        stories: known('floors'),
        condition: known('condition'),
        hasBasement: Number(row.sqft_basement) > 0 ? 1 : 0,
        yearBuilt: known('yr_built'),
      }),
    });
  });
  return buildSaleColumns(sales, { recordingLagDays });
}

const MILWAUKEE_FIELDS: Partial<Record<Attribute, string>> = {
  totalUnits: 'total_units',
  bedrooms: 'bedrooms',
  bathrooms: 'bathrooms',
  livingAreaSqft: 'living_area',
  lotSizeSqft: 'lot_size',
  yearBuilt: 'year_built',
  stories: 'num_stories',
};

/** `features` names additional columns of the file, such as `style,exterior_wall,neighborhood`. */
export function milwaukeeColumns(recordingLagDays = 0, features: readonly string[] = []): SaleColumns {
  const sales: Sale[] = [];
  for (const row of readRows('milwaukee/sales.csv.gz')) {
    const type = row.property_type;
    if (!isPropertyType(type)) continue;
    const known: Partial<Record<Attribute, number | null>> = {};
    for (const [attribute, column] of Object.entries(MILWAUKEE_FIELDS))
      known[attribute as Attribute] = numberOf(row[column]);
    const soldOn = day(row.sale_date);
    sales.push(
      saleOf(row, {
        recordId: row.record_id,
        soldOn,
        datePrecision: row.sale_date < '2019' ? 'month' : 'day',
        priceUsd: Number(row.sale_price),
        type,
        attributes: attributesOf(known),
        features: featuresOf(row, features),
      }),
    );
  }
  return buildSaleColumns(sales, { recordingLagDays });
}

/** Columns with a meaning of their own, and those that describe the sale. */
const AMES_READ = new Set(
  'Sale_Price Mo_Sold Year_Sold Sale_Type Sale_Condition Longitude Latitude Lot_Area Year_Built Gr_Liv_Area'.split(
    ' ',
  ),
);
const AMES_CONDITION = ['Poor', 'Fair', 'Average', 'Good', 'Excellent'];

/** Ames, Iowa: a small market with all amenities known and dates known by month. */
export function amesColumns(recordingLagDays = 0, hasFeatures = false): SaleColumns {
  const sales = readRows('ames/ames.csv.gz').map((row, i) => {
    const known = (name: string) => numberOf(row[name]) ?? 0;
    const condition = AMES_CONDITION.findIndex((word) => row.Overall_Cond.endsWith(word));
    return saleOf(row, {
      recordId: `ames-${i}`,
      soldOn: day(`${row.Year_Sold}-${row.Mo_Sold.padStart(2, '0')}-01`),
      datePrecision: 'month',
      priceUsd: known('Sale_Price'),
      lat: known('Latitude'),
      lon: known('Longitude'),
      features: hasFeatures
        ? featuresOf(
            row,
            Object.keys(row).filter((name) => !AMES_READ.has(name)),
          )
        : {},
      type: row.Bldg_Type.startsWith('Twnhs') ? 'townhomes' : 'houses',
      attributes: attributesOf({
        bedrooms: known('Bedroom_AbvGr'),
        bathrooms: known('Full_Bath') + known('Half_Bath') / 2,
        livingAreaSqft: known('Gr_Liv_Area'),
        lotSizeSqft: known('Lot_Area'),
        yearBuilt: known('Year_Built'),
        stories: row.House_Style.startsWith('One') ? 1 : 2,
        condition: condition < 0 ? null : condition + 1,
        hasPool: known('Pool_Area') > 0 ? 1 : 0,
        hasBasement: known('Total_Bsmt_SF') > 0 ? 1 : 0,
        hasCentralAir: row.Central_Air === 'Y' ? 1 : 0,
        hasDeck: known('Wood_Deck_SF') > 0 ? 1 : 0,
        hasPorch: known('Open_Porch_SF') > 0 ? 1 : 0,
        fireplaceCount: known('Fireplaces'),
        garageSpaces: known('Garage_Cars'),
      }),
    });
  });
  return buildSaleColumns(sales, { recordingLagDays });
}

export function day(text: string): Day {
  const parsed = parseDay(text);
  if (parsed === null) throw new Error(`Not a day: ${text}`);
  return parsed;
}
