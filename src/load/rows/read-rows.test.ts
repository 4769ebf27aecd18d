import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf } from '../../domain/day.ts';
import { propertyTypeOf } from '../../domain/property-type-words.ts';
import { readAddressPoint, readParcel, readSale, type ReadSettings } from './read-rows.ts';
import { RowRejection } from '../rejections.ts';

const SETTINGS: ReadSettings = { today: dayOf(2026, 1, 31), features: [], datePrecision: null };
const SALE = { sale_price: '250000', sale_date: '2021-03-04', latitude: '43', longitude: '-88' };

const cellsOf = (row: Record<string, string>) => (column: string) => row[column] ?? '';
const saleOf = (row: Record<string, string>, settings = SETTINGS) =>
  readSale(cellsOf({ ...SALE, ...row }), settings);

function rejectionOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof RowRejection) return `${error.kind} ${error.reason} ${error.field ?? ''}`.trim();
    throw error;
  }
  return 'none';
}

test('numbers, yes/no, conditions and unknown values are read as publishers write them', () => {
  const { priceUsd, attributes, isArmsLength } = saleOf({
    sale_price: ' $357,000.50 ',
    bedrooms: '0',
    bathrooms: '2.5',
    living_area: '2,615',
    lot_size: '0',
    year_built: 'NULL',
    num_stories: '1.5',
    condition: 'Very Good',
    has_pool: '512',
    has_deck: '0',
    has_porch: 'Yes',
    has_adu: 'N/A',
    fireplace_count: '1e0',
    arms_length: 'n',
  });
  assert.equal(priceUsd, 357_000.5);
  assert.equal(isArmsLength, false);
  const { bedrooms, bathrooms, livingAreaSqft, lotSizeSqft, yearBuilt, stories, condition } = attributes;
  assert.deepEqual(
    [bedrooms, bathrooms, livingAreaSqft, lotSizeSqft, yearBuilt, stories, condition],
    [0, 2.5, 2615, null, null, 1.5, 5],
  );
  const { hasPool, hasDeck, hasPorch, hasAdu, hasLaundry, fireplaceCount } = attributes;
  assert.deepEqual(
    [hasPool, hasDeck, hasPorch, hasAdu, hasLaundry, fireplaceCount],
    [1, 0, 1, null, null, 1],
  );
});

test('a month is a month, unless the operator sets the precision', () => {
  assert.deepEqual(
    [saleOf({ sale_date: '2004-01' }).soldOn, saleOf({ sale_date: '2004-01' }).datePrecision],
    [dayOf(2004, 1, 1), 'month'],
  );
  assert.equal(saleOf({}).datePrecision, 'day');
  assert.equal(saleOf({}, { ...SETTINGS, datePrecision: 'none' }).datePrecision, 'none');
  const asMonth = saleOf({}, { ...SETTINGS, datePrecision: 'month' });
  assert.deepEqual([asMonth.soldOn, asMonth.datePrecision], [dayOf(2021, 3, 1), 'month']);
  assert.equal(saleOf({ recorded_date: '2021-04' }).recordedOn, dayOf(2021, 4, 30));
});

test('0,0 is not a location, ZIP codes regain their zeros, and states become their code', () => {
  const { lat, address } = saleOf({
    latitude: '0',
    longitude: '0',
    address: '  12  N  MAIN\tST ',
    postal_code: '2139.0',
    state_code: 'massachusetts',
  });
  assert.equal(lat, null);
  assert.deepEqual(address, { street: '12 N MAIN ST', city: '', stateCode: 'MA', postalCode: '02139' });
});

const rejections: readonly [Record<string, string>, string][] = [
  [{ sale_price: '' }, 'skipped no_price sale_price'],
  [{ sale_price: '$0' }, 'skipped no_price sale_price'],
  [{ sale_price: '-5' }, 'rejected negative sale_price'],
  [{ sale_price: 'sale_price' }, 'rejected not_a_number sale_price'],
  [{ sale_price: '0x10' }, 'rejected not_a_number sale_price'],
  [{ sale_price: '1e999' }, 'rejected not_a_number sale_price'],
  [{ sale_price: '1e13' }, 'rejected too_large sale_price'],
  [{ bedrooms: '9e99' }, 'rejected too_large bedrooms'],
  [{ sale_date: '' }, 'rejected missing sale_date'],
  [{ sale_date: '2021-02-30' }, 'rejected not_a_date sale_date'],
  [{ sale_date: '2028-01-01' }, 'rejected date_in_future sale_date'],
  [{ sale_date: '1066-10-14' }, 'rejected date_before_1900 sale_date'],
  [{ recorded_date: '2028-01-01' }, 'rejected date_in_future recorded_date'],
  [{ latitude: '91' }, 'rejected outside_the_earth latitude'],
  [{ longitude: '-181' }, 'rejected outside_the_earth longitude'],
  [{ bedrooms: '-1' }, 'rejected negative bedrooms'],
  [{ bedrooms: 'four' }, 'rejected not_a_number bedrooms'],
  [{ has_pool: 'maybe' }, 'rejected not_yes_or_no has_pool'],
  [{ condition: 'constructor' }, 'rejected not_a_number condition'],
  [{ condition: '7' }, 'rejected condition_outside_1_to_5 condition'],
  [{ property_type: 'castle' }, 'rejected unknown_property_type property_type'],
  [{ address: 'a\u0000b' }, 'rejected control_character address'],
];
for (const [row, rejection] of rejections) {
  test(`a sale with ${JSON.stringify(row)} is ${rejection}`, () => {
    assert.equal(
      rejectionOf(() => saleOf(row)),
      rejection,
    );
  });
}

test('a parcel needs an id, an address point its coordinates', () => {
  assert.equal(
    rejectionOf(() => readParcel(cellsOf({ latitude: '43', longitude: '-88' }), SETTINGS)),
    'rejected missing parcel_id',
  );
  assert.equal(
    rejectionOf(() => readAddressPoint(cellsOf({ address: '1 A ST', latitude: 'NA', longitude: '-88' }))),
    'rejected no_coordinates latitude',
  );
});

test('property types are read in the words of publishers; units distinguish small buildings from large ones', () => {
  const words: readonly [string, number | null, string | null][] = [
    ['houses', null, 'houses'],
    ['House', null, 'houses'],
    ['SINGLE-FAMILY', 1, 'houses'],
    ['Town House', null, 'townhomes'],
    ['Condominium', null, 'condos'],
    ['duplex', 2, 'small_multifamily'],
    ['Multi-Family', 3, 'small_multifamily'],
    ['Multi-Family', null, 'multifamily'],
    ['Apartment Building', 24, 'multifamily'],
    ['small_multifamily', 9, 'small_multifamily'],
    ['Manufactured Home', null, 'mobile'],
    ['castle', null, null],
  ];
  for (const [word, units, type] of words) assert.equal(propertyTypeOf(word, units), type, word);
  assert.equal(saleOf({ total_units: '3' }).type, 'small_multifamily');
  assert.equal(saleOf({}).type, 'houses');
});
