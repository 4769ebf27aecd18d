import { gzipSync } from 'node:zlib';
import {
  cells,
  changed,
  CLEAN,
  csv,
  firstTwelve,
  grouped,
  HEADER,
  MONTHS,
  moved,
  parts,
  renamed,
  serial,
  serial1904,
  typed,
  windows1252,
  without,
} from './clean-sales.ts';
import { DIRTY_PLACES, type DirtyFile } from './dirty-places.ts';
import { zipBytes } from './shapefile.ts';
import { workbookBytes } from './workbook.ts';

function resoBaths() {
  return without(CLEAN, 'bathrooms').map((row, i) => ({
    ...row,
    BathroomsTotalInteger: String(Math.ceil(Number(CLEAN[i].bathrooms))),
    BathroomsFull: String(Math.floor(Number(CLEAN[i].bathrooms))),
    BathroomsHalf: CLEAN[i].bathrooms.includes('.') ? '1' : '0',
  }));
}

export const DIRTY_FILES: readonly DirtyFile[] = [
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
  ['serial dates of 1904', changed('sale_date', (iso) => String(serial1904(iso))), 'serial_dates'],
  [
    'a workbook of serial dates of 1904',
    workbookBytes([
      HEADER,
      ...CLEAN.map((row) => Object.values({ ...row, sale_date: serial1904(row.sale_date) })),
    ]),
    'serial_dates',
  ],
  [
    'a workbook of dates of 1904 pasted as dates of 1900',
    workbookBytes([HEADER, ...CLEAN.map((row) => typed({ ...row, sale_date: moved(row.sale_date, -1462) }))]),
    'shifted_dates',
  ],
  ['dates of another time zone', changed('sale_date', (iso) => moved(iso, -1)), 'shifted_dates'],
  [
    'merged cells',
    workbookBytes(cells(CLEAN.map((row, i) => (i % 3 ? { ...row, year_built: '' } : row))), {
      merged: CLEAN.flatMap((_, i) => (i % 3 ? [] : [`N${i + 2}:N${i + 4}`])),
    }),
    'merged_cells',
  ],
  ['hidden rows', workbookBytes(cells(CLEAN), { isHidden: (row) => row % 9 === 5 }), 'hidden_rows'],
  ['merged titles', workbookBytes([['Sales of 2021'], [], ...cells(CLEAN)], { merged: ['A1:F2'] }), 'right'],
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
  [
    'half of the prices in thousands of dollars',
    changed('sale_price', (text, i) => (i % 2 ? text : String(Number(text) / 1000))),
    'unlikely_units',
  ],
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
  [
    'square meters in some rows',
    changed('living_area', (text, i) => (i % 4 ? text : String(Math.round(Number(text) / 10.7639)))),
    'unlikely_units',
  ],
  [
    'lots in square meters',
    changed('lot_size', (text) => String(Math.round(Number(text) / 10.7639))),
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
  ['baths of RESO, full and half', csv(resoBaths()), 'right'],
  ['baths of RESO, all and half', csv(without(resoBaths(), 'BathroomsFull')), 'half_baths_not_read'],
  ['stories of codes', csv(CLEAN.map((row) => ({ ...row, Stories: 'M' }))), 'unreadable_column'],
  [
    'transfers in the family',
    csv(CLEAN.map((row, i) => ({ ...row, SALEDESC: i % 5 === 0 ? 'FAMILY SALE' : 'VALID SALE' }))),
    'sale_validity',
  ],
  [
    'streets and numbers in two columns',
    csv(CLEAN.map((row, i) => ({ ...row, address: 'Calle José', house_no: String(100 + 2 * i) }))),
    'addresses_without_numbers',
  ],
  ['mail of owners', changed('address', (text, i) => (i % 9 ? text : `P.O. Box ${i}`)), 'mailing_addresses'],
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
  ['baths times 10', changed('bathrooms', (text) => String(10 * Number(text))), 'unlikely_units'],
  [
    '0 for an unknown number of bedrooms',
    changed('bedrooms', (text, i) => (i % 9 ? text : '0')),
    'zero_rooms',
  ],
  ['baths with fractions', changed('bathrooms', (text) => text.replace('.5', ' 1/2')), 'right'],
  ['baths with the sign of a half', changed('bathrooms', (text) => text.replace('.5', '½')), 'right'],
  ['baths of which some are 1/2', changed('bathrooms', (text, i) => (i % 9 ? text : '1/2')), 'bath_notation'],
  ['ids marked as text', changed('parcel_id', (text, i) => (i % 2 ? `="${text}"` : `'${text}`)), 'right'],
  [
    'living areas of 0 next to another area',
    csv(CLEAN.map((row) => ({ ...row, living_area: '0', heated_sqft: row.living_area }))),
    'missing_columns',
  ],
  [
    'no bedrooms in their column, and others in another',
    csv(CLEAN.map((row) => ({ ...row, bedrooms: '', num_beds: row.bedrooms }))),
    'missing_columns',
  ],
  [
    'years of 1800 for unknown years',
    changed('year_built', (text, i) => (i % 5 ? text : '1800')),
    'placeholder_years',
  ],
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
  ['no name of the price', renamed({ sale_price: 'X1' }), /no column sale_price.*map one of these to it/],
  ...DIRTY_PLACES,
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
