import { gzipSync } from 'node:zlib';
import { formatDay } from '../../../src/domain/day.ts';
import type { Check } from '../../../src/load/checks/finding.ts';
import { zipBytes } from './shapefile.ts';
import { workbookBytes, type WorkbookCell } from './workbook.ts';

export const ROWS = 60;

/** A home that was sold, as the cells of a clean file. */
export type Row = Record<string, string>;

export const CLEAN: readonly Row[] = Array.from({ length: ROWS }, (_, i) => ({
  parcel_id: `41701${String(23456 + 77 * i)}`,
  sale_date: formatDay(18_628 + 6 * i),
  sale_price: String(200_000 + 1537 * i),
  address: `${100 + 2 * i} Calle José`,
  city: 'Cañon City',
  state_code: 'CO',
  postal_code: '81212',
  latitude: (38.44 + i / 1000).toFixed(4),
  longitude: (-105.22 - i / 1000).toFixed(4),
  bedrooms: String(2 + (i % 4)),
  bathrooms: String(1 + (i % 4) / 2),
  living_area: String(1210 + 31 * i),
  lot_size: String(4356 * (1 + (i % 7))),
  year_built: String(1930 + i),
}));

const HEADER = Object.keys(CLEAN[0]);

/** A CSV file. */
export function csv(
  rows: readonly Row[],
  delimiter = ',',
  header: readonly string[] = Object.keys(rows[0]),
): string {
  const cell = (text: string): string =>
    text.includes(delimiter) || /["\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = rows.map((row) => Object.values(row).map(cell).join(delimiter));
  return `${[header.map(cell).join(delimiter), ...lines].join('\n')}\n`;
}

/** The clean file with another text in one column. */
const changed = (column: string, change: (text: string, i: number) => string): string =>
  csv(CLEAN.map((row, i) => ({ ...row, [column]: change(row[column], i) })));

/** The clean file with other coordinates. */
const located = (pointAt: (row: Row, i: number) => [latitude: string, longitude: string]): string =>
  csv(
    CLEAN.map((row, i) => {
      const [latitude, longitude] = pointAt(row, i);
      return { ...row, latitude, longitude };
    }),
  );

const renamed = (names: Record<string, string>): string =>
  csv(
    CLEAN,
    ',',
    HEADER.map((name) => names[name] ?? name),
  );

const parts = (iso: string): [year: string, month: string, day: string] => {
  const [year, month, day] = iso.split('-');
  return [year, month, day];
};
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const serial = (iso: string): number => Date.parse(iso) / 86_400_000 + 25_569;
const grouped = (text: string, mark: string): string => text.replaceAll(/\B(?=(\d{3})+$)/g, mark);
const without = (rows: readonly Row[], ...columns: string[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name))));
const windows1252 = (text: string): Buffer => Buffer.from(text, 'latin1');
const cells = (rows: readonly Row[]): WorkbookCell[][] => [HEADER, ...rows.map((row) => Object.values(row))];
const typed = (row: Row): WorkbookCell[] =>
  Object.entries(row).map(([name, text]) => {
    if (name === 'sale_date') return new Date(text);
    return /^(address|city|state_code|parcel_id)$/.test(name) ? text : Number(text);
  });
const firstTwelve =
  (order: 'month' | 'day') =>
  (iso: string, i: number): string => {
    const [year] = parts(iso);
    const [month, day] = [1 + (i % 11), 1 + ((i * 5) % 12)];
    return order === 'month' ? `${month}/${day}/${year}` : `${day}/${month}/${year}`;
  };

/** `38° 26' 24.0"`, without the sign. */
const dms = (degrees: string): string => {
  const seconds = Math.abs(Number(degrees)) * 3600;
  return `${Math.floor(seconds / 3600)}° ${Math.floor((seconds % 3600) / 60)}' ${(seconds % 60).toFixed(2)}"`;
};
const pointOf = ({ latitude, longitude }: Row): string => `POINT (${longitude} ${latitude})`;

/** `right`: the values are those of the clean file. A check or a message: nothing is loaded. */
type Outcome = 'right' | Check | RegExp;

export const DIRTY_FILES: readonly [fault: string, bytes: string | Buffer, outcome: Outcome][] = [
  ['nothing', csv(CLEAN), 'right'],
  ['a byte order mark', `\ufeff${csv(CLEAN)}`, 'right'],
  ['Windows-1252', windows1252(csv(CLEAN)), 'right'],
  ['UTF-16', Buffer.from(`\ufeff${csv(CLEAN)}`, 'utf16le'), 'right'],
  ['UTF-16 without a mark', Buffer.from(csv(CLEAN), 'utf16le'), 'right'],
  ['big-endian UTF-16', Buffer.from(`\ufeff${csv(CLEAN)}`, 'utf16le').swap16(), 'right'],
  ['semicolons', csv(CLEAN, ';'), 'right'],
  ['tabs', csv(CLEAN, '\t'), 'right'],
  ['bars', csv(CLEAN, '|'), 'right'],
  ['carets', csv(CLEAN, '^'), 'right'],
  ['a line that names the delimiter', `sep=;\n${csv(CLEAN, ';')}`, 'right'],
  ['titles above the header', `All sales of 2021\n\n${csv(CLEAN)}`, 'right'],
  ['names of groups above the header', `Sale,,,Location,,,,,,Home,,,,\n${csv(CLEAN)}`, 'right'],
  ['a comma at the end of every row', csv(CLEAN).replaceAll(/(?<=\d)\n/g, ',\n'), 'right'],
  ['spaces before quoted cells', csv(CLEAN).replaceAll(/[^,\n]+/g, ' "$&"'), 'right'],
  [
    'a web page',
    `<html><table><tr><td>${csv(CLEAN)}</td></tr></table></html>`,
    /web page or XML, not a table/,
  ],
  ['JSON', JSON.stringify(CLEAN), /is JSON, not a table\. Save it as CSV/],
  ['CR LF', csv(CLEAN).replaceAll('\n', '\r\n'), 'right'],
  ['gzip', gzipSync(csv(CLEAN)), 'right'],
  ['ZIP', zipBytes([{ name: 'sales.csv', bytes: windows1252(csv(CLEAN)) }]), 'right'],
  [
    'ZIP with two tables',
    zipBytes(['a.csv', 'b.csv'].map((name) => ({ name, bytes: Buffer.from(csv(CLEAN)) }))),
    /2 files \(a\.csv, b\.csv\).*Unpack/,
  ],
  ['a workbook of text', workbookBytes(cells(CLEAN)), 'right'],
  ['a workbook of numbers and dates', workbookBytes([['Sales'], [], HEADER, ...CLEAN.map(typed)]), 'right'],
  ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /\.xls workbook.*\.xlsx/],
  [
    'US dates',
    changed('sale_date', (iso) => `${Number(parts(iso)[1])}/${Number(parts(iso)[2])}/${parts(iso)[0]}`),
    'right',
  ],
  [
    'US dates of two digits',
    changed('sale_date', (iso) => `${parts(iso)[1]}/${parts(iso)[2]}/${parts(iso)[0].slice(2)}`),
    'right',
  ],
  ['the day first', changed('sale_date', (iso) => parts(iso).toReversed().join('/')), 'right'],
  ['the day first with points', changed('sale_date', (iso) => parts(iso).toReversed().join('.')), 'right'],
  [
    'named months',
    changed(
      'sale_date',
      (iso) => `${MONTHS[Number(parts(iso)[1]) - 1]} ${Number(parts(iso)[2])}, ${parts(iso)[0]}`,
    ),
    'right',
  ],
  [
    'dates of Oracle',
    changed(
      'sale_date',
      (iso) =>
        `${parts(iso)[2]}-${MONTHS[Number(parts(iso)[1]) - 1].toUpperCase()}-${parts(iso)[0].slice(2)}`,
    ),
    'right',
  ],
  ['timestamps', changed('sale_date', (iso) => `${iso}T00:00:00.000Z`), 'right'],
  ['dates without marks', changed('sale_date', (iso) => iso.replaceAll('-', '')), 'right'],
  [
    'US dates without marks',
    changed('sale_date', (iso) => `${parts(iso)[1]}${parts(iso)[2]}${parts(iso)[0]}`),
    'right',
  ],
  ['the day first without marks', changed('sale_date', (iso) => parts(iso).toReversed().join('')), 'right'],
  [
    'dates of which a spreadsheet has read half',
    changed('sale_date', (iso) => {
      const [year, month, day] = parts(iso);
      return Number(day) > 12 ? `${day}/${month}/${year}` : `${year}-${day}-${month}`;
    }),
    'mixed_dates',
  ],
  ['serial dates', changed('sale_date', (iso) => String(serial(iso))), 'right'],
  ['milliseconds', changed('sale_date', (iso) => String(Date.parse(iso))), 'right'],
  ['dates of either order', changed('sale_date', firstTwelve('day')), 'ambiguous_dates'],
  [
    'dates of both orders',
    changed('sale_date', (iso, i) =>
      i % 2 ? parts(iso).toReversed().join('/') : `${parts(iso)[1]}/${parts(iso)[2]}/${parts(iso)[0]}`,
    ),
    'mixed_dates',
  ],
  ['dates of 1900', changed('sale_date', (iso, i) => (i < 5 ? '1900-01-01' : iso)), 'placeholder_dates'],
  ['years for dates', changed('sale_date', (iso) => iso.slice(0, 4)), /not_a_date in sale_date .*"format"/],
  [
    'future dates',
    changed('sale_date', (iso) => iso.replace('202', '203')),
    /date_in_future in sale_date .*order of day and month/,
  ],
  ['dollars and commas', changed('sale_price', (text) => `$${grouped(text, ',')}.00`), 'right'],
  ['USD', changed('sale_price', (text) => `${grouped(text, ',')} USD`), 'right'],
  ['spaces for thousands', changed('sale_price', (text) => grouped(text, '\u00a0')), 'right'],
  ['thin spaces for thousands', changed('sale_price', (text) => grouped(text, '\u2009')), 'right'],
  ['prices with exponents', changed('sale_price', (text) => Number(text).toExponential()), 'right'],
  ['a minus of typesetters', changed('longitude', (text) => text.replace('-', '\u2212')), 'right'],
  [
    'prices that a spreadsheet has rounded',
    changed('sale_price', (text) => `${text[0]}.${text.slice(1, 3)}E+05`),
    /rounded_number in sale_price .*plain numbers/,
  ],
  ['points for thousands', changed('sale_price', (text) => grouped(text, '.')), 'ambiguous_numbers'],
  [
    'decimal commas',
    csv(
      CLEAN.map((row) => ({
        ...row,
        sale_price: `${grouped(row.sale_price, '.')},00`,
        living_area: grouped(row.living_area, '.'),
        bathrooms: row.bathrooms.replace('.', ','),
        latitude: row.latitude.replace('.', ','),
        longitude: row.longitude.replace('.', ','),
      })),
      ';',
    ),
    'right',
  ],
  [
    'both decimal marks',
    changed('bathrooms', (text, i) => (i % 2 ? text : `${text.split('.')[0]},5`)),
    'mixed_numbers',
  ],
  ['thousands of dollars', changed('sale_price', (text) => String(Number(text) / 1000)), 'unlikely_units'],
  ['prices in cents', changed('sale_price', (text) => `${text}00`), 'unlikely_units'],
  ['prices in words', changed('sale_price', () => 'ask agent'), /not_a_number in sale_price .*Correct it/],
  ['prices of 0', changed('sale_price', () => '0'), /no_price in sale_price .*not a sale/],
  ['excel errors', changed('living_area', (text, i) => (i === 3 ? '#N/A' : text)), 'right'],
  ['the unknown of MySQL', changed('living_area', (text, i) => (i === 3 ? '\\N' : text)), 'right'],
  [
    'acres in some rows',
    changed('lot_size', (text, i) => (i % 9 ? text : String(Number(text) / 43_560))),
    'unlikely_units',
  ],
  ['square feet under the name of acres', renamed({ lot_size: 'Acres' }), 'unlikely_units'],
  ['square feet', changed('living_area', (text) => `${grouped(text, ',')} sq ft`), 'right'],
  [
    'square meters',
    changed('living_area', (text) => String(Math.round(Number(text) / 10.7639))),
    'unlikely_units',
  ],
  ['acres in cells', changed('lot_size', (text) => `${Number(text) / 43_560} ac`), 'right'],
  [
    'acres by name',
    csv(
      CLEAN.map((row) => ({ ...row, lot_size: String(Number(row.lot_size) / 43_560) })),
      ',',
      HEADER.map((name) => (name === 'lot_size' ? 'Acres' : name)),
    ),
    'right',
  ],
  [
    'acres under the name of square feet',
    changed('lot_size', (text) => String(Number(text) / 43_560)),
    'unlikely_units',
  ],
  [
    'baths as full/half',
    changed('bathrooms', (text) => `${Math.floor(Number(text))}/${text.includes('.') ? 1 : 0}`),
    'right',
  ],
  [
    'full and half baths',
    csv(
      without(CLEAN, 'bathrooms').map((row, i) => ({
        ...row,
        full_baths: String(Math.floor(Number(CLEAN[i].bathrooms))),
        half_baths: CLEAN[i].bathrooms.includes('.') ? '1' : '0',
      })),
    ),
    'right',
  ],
  ['baths and half baths', csv(CLEAN.map((row) => ({ ...row, half_baths: '1' }))), 'half_baths_not_read'],
  [
    'baths as full.half next to others',
    changed('bathrooms', (text, i) => (i === 1 ? text : text.replace('.5', '.1'))),
    'bath_notation',
  ],
  ['baths as full.half', changed('bathrooms', (text) => text.replace('.5', '.1')), 'bath_notation'],
  [
    'baths that a spreadsheet has turned into dates',
    changed('bathrooms', (text) => (text.includes('.') ? `1-${MONTHS[Math.floor(Number(text)) - 1]}` : text)),
    /date_for_number in bathrooms .*as text/,
  ],
  ['ids marked as text', changed('parcel_id', (text, i) => (i % 2 ? `="${text}"` : `'${text}`)), 'right'],
  ['years of two digits', changed('year_built', (text) => text.slice(2)), 'unlikely_units'],
  [
    'names of the API',
    renamed({ bedrooms: 'beds', bathrooms: 'baths', living_area: 'sqft', year_built: 'yr_blt' }),
    'right',
  ],
  [
    'names of public files',
    renamed({
      parcel_id: 'APN',
      sale_date: 'Date Sold',
      sale_price: 'Sale Amount',
      address: 'Situs Address',
      postal_code: 'Zip',
      latitude: 'Lat',
      longitude: 'Lon',
      living_area: 'GLA',
    }),
    'right',
  ],
  [
    'types under an unknown name',
    csv(CLEAN.map((row, i) => ({ ...row, Use: i % 5 ? 'Single Family' : 'Condominium' }))),
    'missing_columns',
  ],
  [
    'unknown names of beds, baths and area',
    renamed({ bedrooms: 'NO_OF_BEDRMS', bathrooms: 'BATH_FIXT', living_area: 'RES_SQFT' }),
    'missing_columns',
  ],
  ['no name of the price', renamed({ sale_price: 'X1' }), /no column sale_price.*--mapping/],
  ['swapped coordinates', located(({ latitude, longitude }) => [longitude, latitude]), 'swapped_coordinates'],
  [
    'swapped coordinates without sign',
    located(({ latitude, longitude }) => [longitude.slice(1), latitude]),
    'swapped_coordinates',
  ],
  ['no minus', changed('longitude', (text) => text.slice(1)), 'wrong_sign'],
  ['no minus in some rows', changed('longitude', (text, i) => (i % 9 ? text : text.slice(1))), 'wrong_sign'],
  [
    'state plane',
    located((_, i) => [String(1_600_000 + 311 * i), String(3_100_000 + 97 * i)]),
    'projected_coordinates',
  ],
  [
    'millionths of degrees',
    located(({ latitude, longitude }) => [`${Number(latitude) * 1e6}`, `${Number(longitude) * 1e6}`]),
    'projected_coordinates',
  ],
  [
    'degrees, minutes and seconds',
    located(({ latitude, longitude }) => [`${dms(latitude)} N`, `${dms(longitude)} W`]),
    'right',
  ],
  ['degrees with hyphens', located((_, i) => [`38-26-${i} N`, `105-13-${i} W`]), 'degrees_minutes_seconds'],
  ['a point in each column', located((row) => [pointOf(row), pointOf(row)]), 'right'],
  [
    'points in one column',
    csv(without(CLEAN, 'latitude', 'longitude').map((row, i) => ({ ...row, geom: pointOf(CLEAN[i]) }))),
    /missing_columns.*"geom" may be it.*\{"longitude": "geom"\}/s,
  ],
  [
    'degrees in X and Y',
    renamed({ latitude: 'Y', longitude: 'X' }),
    /missing_columns.*\{"latitude": "Y"\}.*\{"longitude": "X"\}/s,
  ],
  ['a home in another state', changed('latitude', (text, i) => (i === 7 ? '47.6' : text)), 'far_coordinates'],
  ['coordinates of the ZIP code', located(() => ['38.4400', '-105.2200']), 'shared_coordinates'],
  [
    'coordinates of one decimal',
    located(({ latitude, longitude }) => [latitude.slice(0, 4), longitude.slice(0, 6)]),
    'shared_coordinates',
  ],
  ['parcel ids with decimals', changed('parcel_id', (text) => `${text}.0`), 'rounded_ids'],
  ['parcel ids with commas', changed('parcel_id', (text) => grouped(text, ',')), 'rounded_ids'],
  ['rounded parcel ids', changed('parcel_id', (text) => `${text[0]}.${text.slice(1, 3)}E+09`), 'rounded_ids'],
  ['parcel ids that lost their last digits', changed('parcel_id', () => '4170100000'), 'shared_parcel_ids'],
  [
    'garbled text',
    Buffer.from(windows1252(Buffer.from(csv(CLEAN)).toString('latin1')).toString('latin1')),
    'garbled_text',
  ],
  ['DOS', windows1252(csv(CLEAN).replaceAll('é', '\x82').replaceAll('ñ', '\xa4')), 'garbled_text'],
  ['Macintosh', windows1252(csv(CLEAN).replaceAll('é', '\x8e').replaceAll('ñ', '\x96')), 'garbled_text'],
  ['question marks', csv(CLEAN).replaceAll(/[éñ]/g, '?'), 'garbled_text'],
  ['characters of HTML', csv(CLEAN).replaceAll('é', '&eacute;').replaceAll('ñ', '&ntilde;'), 'garbled_text'],
  ['lost characters', csv(CLEAN).replaceAll('é', '\ufffd').replaceAll('ñ', '\ufffd'), 'garbled_text'],
  [
    'corrected prices',
    csv([
      ...CLEAN,
      ...CLEAN.slice(0, 6).map((row) => ({ ...row, sale_price: String(Number(row.sale_price) + 5000) })),
    ]),
    'changed_prices',
  ],
  ['prices of a dollar', changed('sale_price', (text, i) => (i % 8 ? '6000' : text)), 'most_rows_flagged'],
  ['rows that a comma breaks', csv(CLEAN).replaceAll(' Calle', ', Calle'), /wrong_number_of_cells .*quotes/],
  ['a quote that is not closed', csv(CLEAN).replace('100 Calle', '"100 Calle'), /quote is not closed/],
  ['a column twice', renamed({ bathrooms: 'bedrooms' }), /"bedrooms" twice\. Rename/],
  ['a damaged gzip', gzipSync(csv(CLEAN)).subarray(0, 300), /ends too early.*again/],
];
