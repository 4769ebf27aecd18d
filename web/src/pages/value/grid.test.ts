import assert from 'node:assert/strict';
import { detailWords, otherDetails } from '../../../../src/domain/other-details.ts';
import { test } from 'node:test';
import { comparableRows } from './comparables-csv.ts';
import type { RentComparable, SaleComparable } from '../../api/valuations.ts';
import {
  adjustedRange,
  columnsOf,
  differenceText,
  estimatesOf,
  FIRST_VIEW,
  isComplete,
  nameOfSale,
  otherTexts,
  priorSaleText,
  rentGrid,
  restOf,
  rowsShown,
  saleGrid,
} from './grid.ts';

type Field = SaleComparable['adjustments'][number]['field'];

const line = (field: Field, amount: number) => ({ field, subject: null, comp: null, amount });

const PLACE = {
  formatted_address: '1 Main St, Plumb Falls',
  street_address: '1 Main St',
  city: null,
  state_code: null,
  postal_code: null,
  latitude: 42,
  longitude: -101,
  distance_mi: 0.1,
  property_type: 'houses',
  bedrooms: 3,
  bathrooms: null,
  living_area: 1200,
  lot_size: null,
  year_built: 1950,
  total_units: null,
  num_stories: null,
  condition: null,
  similarity: 0.5,
  net_adjustment_pct: 1,
  gross_adjustment_pct: 2,
  net_adjustment_pct_without_market_conditions: 3,
  gross_adjustment_pct_without_market_conditions: 4,
  arms_length: null,
  source: { name: null, record_id: 'R', license: null, retrieved_at: null },
} as const;

function sale(
  comp_id: string,
  sale_price: number,
  weight: number,
  adjustments: SaleComparable['adjustments'],
): SaleComparable {
  const adjusted_price = adjustments.reduce((sum, { amount }) => sum + amount, sale_price);
  return {
    ...PLACE,
    comp_id,
    sale_price,
    sale_date: '2026-01-31',
    days_since_sale: 10,
    price_per_sqft: null,
    time_adjusted_price: sale_price,
    adjustments,
    adjusted_price,
    weight,
  };
}

const SALES = [
  sale('A', 200_000, 0.75, [
    line('market_conditions', 1000),
    line('site', -5000),
    line('living_area', 0),
    line('unexplained', 3),
  ]),
  sale('B', 300_000, 0.25, [
    line('market_conditions', -2000),
    line('site', 0),
    line('living_area', 90_000),
    line('unexplained', 0),
  ]),
];

test('each row’s price plus its adjustments is its adjusted price, and the weighted rows give the estimate', () => {
  const grid = saleGrid(SALES, null);
  for (const { price, lines, adjusted } of grid.rows) {
    const shown = grid.fields.map((field) => lines.get(field)?.amount ?? 0);
    assert.equal(
      shown.reduce((sum, amount) => sum + amount, price),
      adjusted,
    );
  }
  assert.equal(grid.weighted, Math.round(0.75 * 196_003 + 0.25 * 388_000));
  assert.ok(isComplete(grid));
  assert.ok(!isComplete(saleGrid(SALES.slice(0, 1), null)));
});

test('columns are in the order of the form', () => {
  assert.deepEqual(saleGrid(SALES, null).fields, ['market_conditions', 'site', 'living_area', 'unexplained']);
  assert.deepEqual(saleGrid([], null).fields, []);
});

test('the grid of a unit has only the listings that are compared with it', () => {
  const {
    sale_price: _,
    sale_date: __,
    days_since_sale: ___,
    time_adjusted_price: ____,
    adjusted_price: _____,
    price_per_sqft: ______,
    ...rest
  } = SALES[0];
  const listing = (comp_id: string, unit_index: number[]): RentComparable => ({
    ...rest,
    comp_id,
    rent: 1500,
    listed_date: '2026-01-31',
    last_seen_date: null,
    days_on_market: null,
    rent_per_sqft: null,
    time_adjusted_rent: 1500,
    adjustments: [line('market_conditions', 10)],
    adjusted_rent: 1510,
    is_furnished: null,
    unit_index,
  });
  const listings = [listing('X', [0]), listing('Y', [0, 1]), listing('Z', [1])];
  assert.deepEqual(
    rentGrid(listings, null, 1).rows.map(({ id, number }) => [id, number]),
    [
      ['Y', 1],
      ['Z', 2],
    ],
  );
});

test('the smallest adjustments share a column at first, and every row adds up either way', () => {
  const moving = ['living_area', 'location', 'site', 'age', 'condition', 'bedrooms', 'baths'] as const;
  const sales = [
    sale('A', 200_000, 0.5, [
      line('market_conditions', 1000),
      ...moving.map((field, i) => line(field, 7000 - 1000 * i)),
      line('unexplained', 3),
    ]),
    sale('B', 300_000, 0.5, [line('bedrooms', -10), line('baths', 4), line('unexplained', -7)]),
  ];
  const grid = saleGrid(sales, null);
  const columns = columnsOf(grid, false);
  assert.deepEqual(columns, [
    { kind: 'line', field: 'market_conditions' },
    ...moving.slice(0, 3).map((field) => ({ kind: 'line', field })),
    { kind: 'rest', fields: moving.slice(3) },
    { kind: 'line', field: 'unexplained' },
  ]);
  assert.equal(columnsOf(grid, true).length, grid.fields.length);
  for (const row of grid.rows) {
    for (const shown of [columns, columnsOf(grid, true)]) {
      const moved = shown.map((column) =>
        column.kind === 'rest'
          ? restOf(row, column.fields).amount
          : (row.lines.get(column.field)?.amount ?? 0),
      );
      assert.equal(
        moved.reduce((sum, amount) => sum + amount, row.price),
        row.adjusted,
      );
    }
  }
  assert.deepEqual(restOf(grid.rows[1], moving.slice(3)), { amount: -6, count: 2 });
  assert.deepEqual(
    columnsOf(fourOf(moving), false).map(({ kind }) => kind),
    Array(6).fill('line'),
  );
});

function fourOf(moving: readonly string[]) {
  const fields = ['market_conditions', ...moving.slice(0, 4), 'unexplained'];
  return { fields, bySize: fields };
}

test('the details of the line “other” are listed one by one, also with names of several words', () => {
  const comp = 'has_deck no, garage_spaces 0, Ext Wall Brick';
  const subject = 'has_deck yes, garage_spaces 2, Ext Wall Block';
  assert.deepEqual(otherDetails({ comp, subject }), [
    { field: 'has_deck', comp: 'no', subject: 'yes' },
    { field: 'garage_spaces', comp: '0', subject: '2' },
    { field: 'Ext Wall', comp: 'Brick', subject: 'Block' },
  ]);
  assert.deepEqual(otherDetails({ comp: 'View a, b', subject: 'View c' }), []);
  assert.deepEqual(otherDetails({ comp: null, subject: null }), []);
  const sold = otherDetails({
    comp: 'has_deck no, earlier_sale none',
    subject: 'has_deck yes, earlier_sale 125000',
  });
  assert.deepEqual(sold.map(detailWords), ['Deck or balcony: no → yes', 'Earlier sale: none → $125,000']);
});

test('the list is limited by distance, age and number, and sorted by any column', () => {
  const near = { ...SALES[0], comp_id: 'near', distance_mi: 0.1, sale_date: '2025-06-30' };
  const far = { ...SALES[1], comp_id: 'far', distance_mi: 3, sale_date: '2026-01-31' };
  const grid = saleGrid([near, far], null);
  const shown = (view: Partial<typeof FIRST_VIEW>): string[] =>
    rowsShown(grid, { ...FIRST_VIEW, ...view }, '2026-02-28').map(({ id }) => id);
  assert.deepEqual(shown({}), ['near', 'far']);
  assert.deepEqual(shown({ radiusMi: 1 }), ['near']);
  assert.deepEqual(shown({ months: 6 }), ['far']);
  assert.deepEqual(shown({ count: 1 }), ['near']);
  const sortedBy = (column: string): string[] => shown({ sorting: { column, isDescending: true } });
  for (const column of ['number', 'date', 'distance', 'price', 'adjusted', 'living_area', 'living_area,site'])
    assert.deepEqual(sortedBy(column), ['far', 'near'], column);
  for (const column of ['weight', 'market_conditions'])
    assert.deepEqual(sortedBy(column), ['near', 'far'], column);
});

test('a detail that no record has shows the estimate that the amount rests on, and its source', () => {
  const inputs = [
    { field: 'year_built', value: 1949.6, source: 'comparables', support: 15 },
    { field: 'total_bathrooms', value: 2, source: 'record', support: null },
  ] as const;
  const age = { field: 'age', subject: null, comp: 70, amount: 5 } as const;
  const { rows } = saleGrid(
    [sale('a', 100, 1, [age, line('site', 1)])],
    null,
    estimatesOf(inputs, '2026-05-01'),
  );
  assert.deepEqual(rows[0].lines.get('age')?.estimate, { value: 76, source: '15 nearby homes' });
  assert.equal(rows[0].lines.get('site')?.estimate, null);
});

test('the range of the adjusted prices has the middle price, or the mean of the two in the middle', () => {
  const rowsOf = (...prices: readonly number[]) =>
    saleGrid(
      prices.map((price, i) => sale(String(i), price, 1, [])),
      null,
    );
  assert.deepEqual(adjustedRange(rowsOf(300, 100, 200)), { least: 100, median: 200, most: 300 });
  assert.deepEqual(adjustedRange(rowsOf(400, 100, 300, 200)), { least: 100, median: 250, most: 400 });
});

test('a line says what the two homes have, and marks an estimate', () => {
  const area = { amount: 0, subject: 876, comp: 1939, estimate: null, isCompEstimate: false };
  assert.equal(differenceText('living_area', area), '1,939 → 876 sq ft');
  assert.equal(differenceText('living_area', { ...area, comp: 876 }), '876 sq ft');
  const estimate = { value: 900, source: '15 nearby homes' };
  assert.equal(differenceText('living_area', { ...area, subject: null, estimate }), '1,939 → 900 sq ft est.');
  const isCompEstimate = true;
  assert.equal(differenceText('living_area', { ...area, isCompEstimate }), '1,939 est. → 876 sq ft');
  assert.equal(differenceText('living_area', { ...area, comp: 876, isCompEstimate }), '876 est. → 876 sq ft');
  const unknown = { amount: 0, subject: null, comp: null, estimate: null, isCompEstimate: false };
  assert.equal(differenceText('condition', unknown), 'unknown');
  assert.equal(differenceText('unexplained', unknown), null);
});

test('every row of the file of comparables adds up, and has the same columns', () => {
  const chosen = { ...SALES[1], choice: 'pinned' } as const;
  const prior = { sale_date: '2019-03-03', sale_price: 185_000, is_used: true };
  const record = { comp_id: chosen.comp_id, prior_sale: prior, known_details: null, entered_details: [] };
  const rows = comparableRows([SALES[0], chosen], [record]);
  const [first, second] = rows;
  assert.deepEqual(Object.keys(first), Object.keys(second));
  assert.deepEqual([first.number, first.choice, second.choice], [1, null, 'pinned']);
  assert.deepEqual([first.prior_sale_date, first.prior_sale_price], [null, null]);
  assert.deepEqual([second.prior_sale_date, second.prior_sale_price], ['2019-03-03', 185_000]);
  for (const row of rows) {
    const amounts = Object.entries(row).filter(([name]) => name.startsWith('adjustment_'));
    assert.ok(amounts.length > 2);
    assert.equal(
      amounts.reduce((sum, [, amount]) => sum + Number(amount), Number(row.sale_price)),
      row.adjusted_price,
    );
  }
});

test('what an added sale was compared with is marked where it was neither entered nor recorded', () => {
  const lines: SaleComparable['adjustments'] = [
    { field: 'living_area', subject: 876, comp: 1200, amount: 5 },
    { field: 'bedrooms', subject: 3, comp: 2, amount: 5 },
    {
      field: 'other',
      subject: 'has_deck yes, Grade B, earlier_sale none',
      comp: 'has_deck no, Grade C, earlier_sale 125000',
      amount: 5,
    },
  ];
  const record = {
    comp_id: 'added-1',
    prior_sale: null,
    known_details: ['total_bedrooms', 'Grade'],
    entered_details: [],
  };
  const of = (known_details: string[] | null) =>
    saleGrid([sale('added-1', 100, 1, lines)], null, undefined, [{ ...record, known_details }]).rows[0];
  const added = of(record.known_details);
  assert.equal(added.lines.get('living_area')?.isCompEstimate, true);
  assert.equal(added.lines.get('bedrooms')?.isCompEstimate, false);
  assert.deepEqual(otherTexts(added), [
    'Deck or balcony: no est. → yes',
    'Grade: C → B',
    'Earlier sale: $125,000 → none',
  ]);
  const found = of(null);
  assert.ok(![...found.lines.values()].some(({ isCompEstimate }) => isCompEstimate));
  assert.ok(!otherTexts(found).join().includes('est.'));
  assert.equal(priorSaleText(found), 'no prior sale on record');
});

test('an excluded sale is named by its street and unit', () => {
  const sold = { sale_price: 1, sale_date: '2026-01-01', adjusted_price: 1, similarity: 1 };
  const sale = { comp_id: 'a', reason: 'x', ...sold };
  const named = [
    '9 N Lake Av, Unit 5B, Milwaukee, WI',
    '9 N Lake Av #3, Milwaukee, WI',
    '9 Oak St',
    null,
  ].map((formatted_address) => nameOfSale({ ...sale, formatted_address }));
  assert.deepEqual(named, ['9 N Lake Av, Unit 5B', '9 N Lake Av #3', '9 Oak St', 'a']);
});
