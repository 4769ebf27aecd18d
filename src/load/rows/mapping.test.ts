import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SALE_FLAGS } from '../../valuation/flags/sale-flags.ts';
import { CHECKS } from '../checks/finding.ts';
import { COLUMNS_OF } from './columns.ts';
import { compileDateFormat } from './cell-values.ts';
import { readDate } from './date-forms.ts';
import { bindColumns, chooseSources, parseMapping, type CellOf } from './mapping.ts';
import { RowRejection } from '../rejections.ts';

const BASE = { sale_price: 'price', sale_date: 'date', latitude: 'lat', longitude: 'lon' };
const HEADER = ['price', 'date', 'lat', 'lon', 'a', 'b'];

function cellsOf(mapping: Record<string, unknown>, row: readonly string[]): CellOf {
  const parsed = parseMapping({ ...BASE, ...mapping }, 'sales', 'm.json');
  const bound = bindColumns('s.csv', HEADER, 'sales', parsed, []);
  return bound.bind({ line: 2, cells: row });
}

test('the living area is read before the area of the building, which includes its garage', () => {
  for (const name of ['Finished Living Area', 'Heated Sq Ft', 'Total Living Area', 'GLA']) {
    for (const header of [
      ['Building Area', name],
      [name, 'Gross Building Area'],
    ]) {
      assert.deepEqual(chooseSources('sales', header, {}).living_area, { source: name });
    }
  }
});

test('a mapping renames, joins, adds, scales, replaces and gives constants', () => {
  const row = ['1', '2', '3', '4', '5', '2010'];
  assert.equal(cellsOf({ bedrooms: 'A' }, row)('bedrooms'), '5', 'names in any case');
  assert.equal(cellsOf({ address: { join: ['a', 'b'] } }, row)('address'), '5 2010');
  assert.equal(cellsOf({ sale_date: { join: ['a', 'b'], format: 'M YYYY' } }, row)('sale_date'), '2010-05');
  assert.equal(
    cellsOf({ bathrooms: { sum: ['a', { source: 'lat', times: 0.5 }] } }, row)('bathrooms'),
    '6.5',
  );
  assert.equal(cellsOf({ bathrooms: { sum: ['a', 'b'] } }, ['', '', '', '', '', 'NA'])('bathrooms'), '');
  assert.equal(cellsOf({ lot_size: { source: 'a', times: 43_560 } }, row)('lot_size'), '217800');
  assert.equal(
    cellsOf({ condition: { source: 'a', map: { 5: 'good', 6: null } } }, row)('condition'),
    'good',
  );
  assert.equal(cellsOf({ condition: { source: 'a', map: { 5: null } } }, row)('condition'), '');
  assert.equal(cellsOf({ condition: { source: 'a', map: { 4: 'fair' } } }, row)('condition'), '5');
  assert.equal(cellsOf({ total_units: { const: 1 } }, row)('total_units'), '1');
});

test('columns without a mapping are read by their own name, the rest is reported as unread', () => {
  const bound = bindColumns('s.csv', ['sale_price', 'Sale_Date', 'address', 'grade'], 'sales', {}, []);
  assert.deepEqual(bound.unread, ['grade']);
  const cell = bound.bind({ line: 2, cells: ['1', '2010-05', '5 A St', 'B'] });
  assert.deepEqual(['sale_price', 'sale_date', 'address', 'grade'].map(cell), ['1', '2010-05', '5 A St', '']);
});

test('dates are read by their format, with or without a time of day; other text rejects the row', () => {
  const cases: readonly [string, string, string | null][] = [
    ['YYYYMMDD', '20141013T000000', '2014-10-13'],
    ['M/D/YYYY', '3/11/2019', '2019-03-11'],
    ['M/D/YYYY', '03/11/2019 10:30', '2019-03-11'],
    ['D.M.YYYY', '11.3.2019', '2019-03-11'],
    ['YYYY-MM', '2004-01', '2004-01'],
    ['M YYYY', '5 2010', '2010-05'],
    ['YYYYMMDD', '2014-10-13', null],
    ['M/D/YYYY', '3-11-2019', null],
  ];
  for (const [format, text, date] of cases) assert.equal(compileDateFormat(format)(text), date, text);
  assert.equal(readDate('2022-04-01T00:00:00Z'), '2022-04-01');
  assert.equal(readDate('4/1/2022'), '2022-04-01');
  assert.equal(readDate('soon'), null);
  const cell = cellsOf({ sale_date: { source: 'date', format: 'YYYY-MM' } }, [
    '1',
    'soon',
    '3',
    '4',
    '5',
    '6',
  ]);
  assert.throws(
    () => cell('sale_date'),
    (error) => error instanceof RowRejection && error.field === 'sale_date',
  );
});

test('columns are read by the names that other files use, each once, and our own names come first', () => {
  const sourcesOf = (header: string[], mapping = {}) => bindColumns('s.csv', header, 'sales', mapping, []);
  const usual = [
    'Sold Price',
    'Date Sold',
    'LAT',
    'Lng',
    'Site Address',
    'Beds',
    'Baths',
    'SqFt',
    'yr_blt',
    'Acres',
  ];
  const { sources, unread } = sourcesOf([...usual, 'has_private_pool', 'Year', 'Notes']);
  assert.deepEqual(unread, ['Year', 'Notes']);
  assert.deepEqual(
    Object.entries(sources)
      .map(([column, { source, times }]) => `${column}=${source}${times ? `*${times}` : ''}`)
      .sort(),
    [
      'address=Site Address',
      'bathrooms=Baths',
      'bedrooms=Beds',
      'has_pool=has_private_pool',
      'latitude=LAT',
      'living_area=SqFt',
      'longitude=Lng',
      'lot_size=Acres*43560',
      'sale_date=Date Sold',
      'sale_price=Sold Price',
      'year_built=yr_blt',
    ],
  );
  const base = ['sale_price', 'sale_date', 'address'];
  assert.deepEqual(sourcesOf([...base, 'bedrooms', 'beds']).unread, ['beds']);
  assert.deepEqual(sourcesOf([...base, 'Full Baths', 'Half_Bath', 'Total Baths']).sources.bathrooms, {
    sum: ['Full Baths', { source: 'Half_Bath', times: 0.5 }],
  });
  const chosen = sourcesOf([...base, 'beds'], { bedrooms: { const: '' }, total_units: { source: 'beds' } });
  assert.deepEqual(chosen.sources.bedrooms, { const: '' });
  assert.deepEqual(sourcesOf(['price', 'date', 'X', 'Y']).sources.latitude, { source: 'Y' });
  assert.equal(sourcesOf(['price', 'date', 'X', 'Y', 'address']).sources.latitude, undefined);
});

const wrong: readonly [string, unknown, RegExp][] = [
  ['a list', [], /JSON object/],
  ['an unknown column', { price: 'a' }, /"price" is not a column of sales/],
  ['an unknown member', { address: { from: 'a' } }, /column "address": "from" is not one of source/],
  ['two sources', { address: { source: 'a', const: 'b' } }, /exactly one of source, join, sum and const/],
  [
    'a format of a column that is not a date',
    { address: { source: 'a', format: 'YYYY' } },
    /only dates have a format/,
  ],
  ['a format without month', { sale_date: { source: 'a', format: 'YYYY' } }, /is not a date format/],
  ['a map of lists', { condition: { source: 'a', map: { x: [] } } }, /values must be text/],
];
for (const [what, mapping, message] of wrong) {
  test(`a mapping with ${what} is rejected by file and column`, () => {
    assert.throws(() => parseMapping(mapping, 'sales', 'm.json'), message);
  });
}

test('a missing source column and a missing required column are named with the columns that exist', () => {
  const bind = (mapping: Record<string, unknown>, features: string[] = []) =>
    bindColumns('s.csv', HEADER, 'sales', parseMapping(mapping, 'sales', 'm.json'), features);
  assert.throws(
    () => bind({ ...BASE, address: 'Site' }),
    /s\.csv has no column "Site" \(for address\)\. It has: price/,
  );
  assert.throws(() => bind(BASE, ['grade']), /s\.csv has no column "grade"/);
  assert.throws(
    () => bindColumns('s.csv', ['price', 'a'], 'sales', {}, []),
    /s\.csv has no column sale_date, which an import of sales needs/,
  );
  assert.throws(
    () => bindColumns('s.csv', ['price', 'date'], 'sales', {}, []),
    /no column latitude and longitude, or address, or parcel_id/,
  );
});

test('the mapping files that are shipped are valid', () => {
  const folder = new URL('../../../docs/operations/mappings/', import.meta.url);
  const files = readdirSync(folder);
  assert.ok(files.length >= 2);
  for (const file of files) {
    const written: object = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    const kindOfColumn = { sale_price: 'sales', rent: 'rents', occurred_at: 'crime' } as const;
    const [, kind = 'addresses'] = Object.entries(kindOfColumn).find(([column]) => column in written) ?? [];
    const mapping = parseMapping(written, kind, file);
    assert.ok(Object.keys(mapping).length > 0, file);
  }
});

test('the pages on imports name every column, flag, check and reason for rejection', () => {
  const root = new URL('../../../', import.meta.url);
  const page = ['import', 'import-places', 'map-layers']
    .map((name) => readFileSync(new URL(`docs/operations/${name}.md`, root), 'utf8'))
    .join('\n');
  const sources = readdirSync(new URL('src/load/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|^read-values/.test(name))
    .map((name) => readFileSync(new URL(`src/load/${name}`, root), 'utf8'))
    .join('\n');
  const reasons = [
    ...sources.matchAll(/(?:reject|skip|RowRejection)\(\s*(?:'(?:rejected|skipped)',\s*)?'([a-z_0-9]+)'/g),
  ];
  assert.ok(reasons.length > 15);
  const names = [
    ...Object.values(COLUMNS_OF).flat(),
    ...SALE_FLAGS.filter((flag) => flag !== 'none'),
    ...CHECKS,
    ...reasons.map(([, reason]) => reason).filter((reason) => reason !== 'rejected' && reason !== 'skipped'),
  ];
  for (const name of names) assert.ok(page.includes(`\`${name}\``), `${name} is not on the page`);
});
