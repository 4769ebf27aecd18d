import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CLEAN, csv, type Row } from '../../test/harness/load/clean-sales.ts';
import { parseDay } from '../domain/day.ts';
import { findCandidates } from './candidate-columns.ts';
import { areaOf, multiParcelOf } from './rows/cell-values.ts';
import { readAddress } from './rows/read-rows.ts';
import { inspectFile, type Inspection, type InspectOptions } from './inspect-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'publishers-'));
after(() => rmSync(folder, { recursive: true }));
const today = parseDay('2025-01-01') ?? assert.fail();

function write(rows: readonly Row[]): string {
  const path = join(folder, 'file.csv');
  writeFileSync(path, csv(rows));
  return path;
}

function inspect(rows: readonly Row[], options: Partial<InspectOptions> = {}): Promise<Inspection> {
  return inspectFile(write(rows), { kind: 'sales', today, ...options });
}

const blocking = ({ findings }: Inspection): string[] =>
  findings.filter(({ isBlocking }) => isBlocking).map(({ check, column }) => `${check} ${column}`);
const leftOut = ({ rejections }: Inspection): Record<string, number> =>
  Object.fromEntries(rejections.map(({ kind, reason, count }) => [`${kind} ${reason}`, count]));

/** Homes with other columns in place of some. */
function homes(without: readonly string[], more: (row: Row, i: number) => Row): Row[] {
  return CLEAN.map((row, i) => {
    const kept = Object.entries(row).filter(([name]) => !without.includes(name));
    return { ...Object.fromEntries(kept), ...more(row, i) };
  });
}

/** How a column is read, without members that are not given. */
function sourceOf({ sources }: Inspection, column: string): unknown {
  return JSON.parse(JSON.stringify(sources[column] ?? null));
}

/** The fix of a check, applied. */
async function fixed(rows: readonly Row[], check: string, at = 0): Promise<Inspection> {
  const { findings, sources } = await inspect(rows);
  const { fixes = [] } = findings.find((finding) => finding.check === check) ?? {};
  const { mapping } = fixes[at] ?? assert.fail(`no fix of ${check}`);
  return inspect(rows, { mapping: { ...sources, ...mapping } });
}

test('a price per square foot is not the living area, and no feature', async () => {
  const rows = homes(['living_area'], (row) => ({
    '$/SQUARE FEET': String(Number(row.sale_price) / 1000),
    'SQUARE FEET': row.living_area,
  }));
  assert.equal((await inspect(rows)).sources.living_area, 'SQUARE FEET');
  const { rejected } = await findCandidates([write(rows)], { kind: 'sales', mapping: {} });
  assert.match(rejected.find(({ name }) => name === '$/SQUARE FEET')?.reason ?? '', /price/);
});

test('homes that are for sale, land, shops and leases are not loaded as sales of homes', async () => {
  const types = ['Single Family Residential', 'Condo/Co-op', 'Multi-Family (2-4 Unit)', 'Vacant Land'];
  const rows = homes([], (row, i) => ({
    sale_date: i % 10 === 0 ? '' : row.sale_date,
    'PROPERTY TYPE': types[i % 4],
    STATUS: i % 10 === 0 ? 'Active' : 'Sold',
  }));
  const found = await inspect(rows);
  assert.deepEqual([found.usableRows, blocking(found)], [39, []]);
  assert.deepEqual(leftOut(found), { 'skipped not_residential': 15, 'skipped not_sold': 6 });
  const wider = homes([], (_, i) => ({
    PropertyType: ['Residential', 'Residential Lease', 'Commercial Sale'][i % 3],
    PropertySubType: i % 3 === 2 ? '' : 'Condominium',
  }));
  assert.deepEqual(leftOut(await inspect(wider)), { 'skipped not_residential': 40 });
});

test('a home for sale is never loaded at its asking price, and the status of a parcel is asked about', async () => {
  const asking: readonly [string, string, string][] = [
    ['Last Sale Date', 'Status', 'For Sale'],
    ['Date', 'StandardStatus', 'Active Under Contract'],
    ['Closing Date', 'StandardStatus', 'Pending'],
  ];
  for (const [date, status, word] of asking) {
    const rows = homes(['sale_date', 'sale_price'], (row, i) => ({
      [date]: row.sale_date,
      Price: row.sale_price,
      [status]: i % 2 === 0 ? word : 'Closed',
    }));
    assert.deepEqual(leftOut(await inspect(rows)), { 'skipped not_sold': 30 }, word);
  }
  const ofParcels = homes([], () => ({ Status: 'Active' }));
  const asked = await inspect(ofParcels);
  assert.deepEqual([asked.usableRows, leftOut(asked)], [0, { 'rejected active_and_sold': 60 }]);
  const decided = await fixed(ofParcels, 'unreadable_column');
  assert.deepEqual([decided.usableRows, leftOut(decided)], [60, {}]);
});

test('the words of assessors for valid sales are read, and their codes are never taken as yes', async () => {
  const rows = homes([], (_, i) => ({ QUALIFIED: i % 5 === 0 ? 'U' : 'Q' }));
  const found = await inspect(rows);
  assert.deepEqual([found.sources.arms_length, found.usableRows], ['QUALIFIED', 60]);
  const coded = await inspect(homes([], (_, i) => ({ arms_length: i % 5 === 0 ? '11' : '01' })));
  assert.deepEqual(leftOut(coded), { 'rejected not_yes_or_no': 60 });
});

test('reasons, deeds and codes of sales that are not valid stop an import until they are read', async () => {
  const reasons = homes([], (_, i) => ({ SALEDESC: i % 5 === 0 ? 'LOVE AND AFFECTION SALE' : 'VALID SALE' }));
  assert.deepEqual(blocking(await inspect(reasons)), ['sale_validity arms_length']);
  assert.deepEqual(sourceOf(await fixed(reasons, 'sale_validity'), 'arms_length'), {
    source: 'SALEDESC',
    map: { 'LOVE AND AFFECTION SALE': 'no', 'VALID SALE': 'yes' },
  });
  const codes = homes([], (_, i) => ({ QUAL_CD1: ['01', '01', '02', '11'][i % 4] }));
  const read = await fixed(codes, 'sale_validity', 1);
  assert.deepEqual(blocking(read), []);
  assert.deepEqual(sourceOf(read, 'arms_length'), {
    source: 'QUAL_CD1',
    map: { '01': 'yes', '02': 'yes', '11': 'no' },
  });
  const unused = homes([], (_, i) => ({ 'Non Use Code': i % 9 === 0 ? '25 - Other' : '' }));
  assert.deepEqual(sourceOf(await fixed(unused, 'sale_validity'), 'arms_length'), {
    source: 'Non Use Code',
    map: { '25 - Other': 'no' },
  });
  // Names of types and streets are none.
  const others = homes([], (_, i) => ({ use: 'SINGLE FAMILY', lane: i < 2 ? 'Family Lane' : 'Oak' }));
  assert.ok(!blocking(await inspect(others)).some((check) => check.startsWith('sale_validity')));
});

test('loans, quitclaims, foreclosures, sales in the family and of shares stop an import until they are read', async () => {
  const cases: readonly [name: string, off: string, on: string][] = [
    ['document_type', 'MORTGAGE', 'DEED'],
    ['Doc Type', 'Deed of Trust', 'Warranty Deed'],
    ['Deed Type', 'QC', 'WD'],
    ['SpecialListingConditions', 'Real Estate Owned', 'Standard'],
    ['REO', 'Y', 'N'],
    ['Percent Interest', '50', '100'],
  ];
  for (const [name, off, on] of cases) {
    const rows = homes([], (_, i) => ({ [name]: i % 5 === 0 ? off : on }));
    assert.deepEqual(blocking(await inspect(rows)), ['sale_validity arms_length'], name);
    const read = await fixed(rows, 'sale_validity');
    assert.deepEqual([blocking(read), leftOut(read)], [[], {}], name);
    const { map } = Object.assign({ map: {} }, sourceOf(read, 'arms_length'));
    assert.deepEqual(map, { [off]: 'no', [on]: 'yes' }, name);
  }
  const flags = homes([], (_, i) => ({
    Foreclosure: i % 5 ? 'N' : 'Y',
    'Interfamily Flag': i % 7 ? '' : 'Y',
  }));
  assert.deepEqual(sourceOf(await fixed(flags, 'sale_validity'), 'arms_length'), {
    join: ['Foreclosure', 'Interfamily Flag'],
    map: { Y: 'no', N: 'yes', 'Y Y': 'no', 'N Y': 'no' },
  });
  // The share of an owner in all rows, and loans that paid for a home, say nothing.
  const others = homes([], () => ({ 'Percent Interest': '100', 'Sale Financing': 'Conventional mortgage' }));
  assert.deepEqual(blocking(await inspect(others)), []);
});

test('the words of a condition are read instead of codes that may count from the best', async () => {
  const rows = homes([], (_, i) => ({
    CONDITION: ['5', '2', '7'][i % 3],
    CONDITIONDESC: ['POOR', 'GOOD', 'VERY GOOD'][i % 3],
  }));
  const { sources, usableRows } = await inspect(rows);
  assert.deepEqual([sources.condition, usableRows], ['CONDITIONDESC', 60]);
});

test('parts of an address are joined, and streets without house numbers are found', async () => {
  const parts = homes(['address'], (_, i) => ({
    StreetNumber: String(100 + i),
    StreetDirPrefix: 'N',
    StreetName: 'Oak',
    StreetSuffix: 'St',
  }));
  assert.deepEqual((await inspect(parts)).sources.address, {
    join: ['StreetNumber', 'StreetDirPrefix', 'StreetName', 'StreetSuffix'],
  });
  const streets = homes(['address'], (_, i) => ({
    PROPERTYHOUSENUM: String(100 + i),
    PROPERTYADDRESS: 'N OAK ST',
  }));
  assert.deepEqual(blocking(await inspect(streets)), ['addresses_without_numbers address']);
  const joined = await fixed(streets, 'addresses_without_numbers');
  assert.deepEqual(sourceOf(joined, 'address'), { join: ['PROPERTYHOUSENUM', 'PROPERTYADDRESS'] });
  assert.deepEqual(blocking(joined), []);
});

test('the address of the home is read where the file has that of its owner, too', async () => {
  const mail = { ADDRESS: 'PO BOX 7', CITY: 'Austin', STATE: 'TX', ZIP: '73301' };
  const rows = homes(['address', 'city', 'state_code', 'postal_code'], (row) => ({
    ...mail,
    SITE_ADDRESS: row.address,
    SITE_CITY: row.city,
    'Situs State': row.state_code,
    'Property Zip': row.postal_code,
  }));
  const { sources } = await inspect(rows);
  assert.deepEqual(
    ['address', 'city', 'state_code', 'postal_code'].map((column) => sources[column]),
    ['SITE_ADDRESS', 'SITE_CITY', 'Situs State', 'Property Zip'],
  );
  const ofOwners = homes(['address', 'city', 'state_code', 'postal_code'], () => mail);
  assert.deepEqual(blocking(await inspect(ofOwners)), ['mailing_addresses address']);
  assert.deepEqual(blocking(await fixed(ofOwners, 'mailing_addresses')), []);
});

test('a unit in a column of its own completes the street line, unless the line has it', async () => {
  const rows = homes(['parcel_id', 'address', 'latitude', 'longitude'], (_, i) => ({
    ADDRESS: i < 5 ? `100 Oak St Apt ${i + 1}` : '100 Oak St',
    'APARTMENT NUMBER': String(i + 1),
    lat: '38.44',
    lon: '-105.22',
    sale_date: '2021-03-04',
    sale_price: '200000',
    bedrooms: '2',
    bathrooms: '2',
    living_area: '900',
    lot_size: '',
    year_built: '2000',
  }));
  const found = await inspect(rows);
  // Without their units, they would be one sale and 54 repeats of it.
  assert.deepEqual([found.usableRows, found.repeatedRows], [60, 0]);
  const street = (address: string, unit: string): string =>
    readAddress((column) => ({ address, unit_number: unit })[column] ?? '').street;
  assert.equal(street('100 Oak St', 'Apt 5'), '100 Oak St #5');
  assert.equal(street('100 Oak St #5b', '5B'), '100 Oak St #5b');
  assert.equal(street('100 Oak St #15', '5'), '100 Oak St #15 #5');
  for (const unit of ['', '0', '-', 'SF']) assert.equal(street('100 Oak St', unit), '100 Oak St');
  assert.equal(street('', '5'), '');
});

test('year and month of a sale in two columns, a recording date alone, and further sales of a row are not lost', async () => {
  const months = homes(['sale_date', 'sale_price'], (row) => ({
    SALE_PRC1: row.sale_price,
    SALE_YR1: row.sale_date.slice(0, 4),
    SALE_MO1: row.sale_date.slice(5, 7),
    SALE_PRC2: '100000',
  }));
  const found = await inspect(months);
  assert.deepEqual(found.sources.sale_date, { join: ['SALE_MO1', 'SALE_YR1'], format: 'M YYYY' });
  assert.equal(found.usableRows, 60);
  const others = found.findings.find(({ check }) => check === 'other_sales_not_read');
  assert.match(others?.message ?? '', /"SALE_PRC2" is not read/);
  const deeds = homes(['sale_date'], (row) => ({ 'Date Recorded': row.sale_date }));
  const { sources } = await inspect(deeds);
  assert.deepEqual([sources.sale_date, sources.recorded_date], ['Date Recorded', 'Date Recorded']);
  const digits = homes(['sale_date'], (row) => ({
    SaleDate: row.sale_date.slice(5, 7) + row.sale_date.slice(0, 4),
  }));
  assert.equal((await inspect(digits)).usableRows, 60);
});

test('types that a wider type hides, and codes of types, stop an import', async () => {
  const hidden = homes([], (_, i) => ({
    property_type: 'Residential',
    'Building style': i % 2 === 0 ? 'Condo' : 'Townhouse',
  }));
  assert.deepEqual(blocking(await inspect(hidden)), ['missing_columns property_type']);
  const coded = homes([], (_, i) => ({ DOR_UC: ['001', '004'][i % 2] }));
  assert.deepEqual(blocking(await inspect(coded)), ['missing_columns property_type']);
  const read = await fixed(coded, 'missing_columns');
  assert.deepEqual(read.rejections[0].values.map(({ value }) => value).sort(), ['001', '004']);
  const map = { '001': 'houses', '004': 'not a home' };
  const mapped = await inspect(coded, {
    mapping: { ...read.sources, property_type: { source: 'DOR_UC', map } },
  });
  assert.deepEqual([leftOut(mapped), blocking(mapped)], [{ 'skipped not_residential': 30 }, []]);
});

test('areas in square meters and acres are converted by the names of their columns', async () => {
  const rows = homes(['living_area', 'lot_size'], (row) => ({
    'Living area m²': String(Math.round(Number(row.living_area) / 10.7639)),
    'Lot Ac': String(Number(row.lot_size) / 43_560),
  }));
  const found = await inspect(rows);
  assert.deepEqual(found.sources.living_area, { source: 'Living area m²', times: 10.7639 });
  assert.deepEqual(found.sources.lot_size, { source: 'Lot Ac', times: 43_560 });
  assert.deepEqual(blocking(found), []);
});

test('lots are read in the unit that each row states', async () => {
  for (const [area, unit, acres, feet] of [
    ['lot_size', 'LOT_UNITS', 'A', 'S'],
    ['lotAreaValue', 'lotAreaUnits', 'acres', 'sqft'],
    ['LotSizeArea', 'LotSizeUnits', 'Acres', 'Square Feet'],
  ]) {
    const rows = homes(['lot_size'], (row, i) =>
      i % 4 === 0
        ? { [area]: '2', [unit]: acres }
        : { [area]: i % 4 === 1 ? '' : row.lot_size, [unit]: feet },
    );
    const found = await inspect(rows);
    assert.deepEqual([found.sources.lot_size, found.usableRows], [{ join: [area, unit] }, 60]);
    assert.deepEqual(
      [`2 ${acres}`, `4356 ${feet}`, acres, feet].map((text) => areaOf(text, '')),
      [87_120, 4356, null, null],
    );
  }
});

test('three-quarter baths are added to full and half baths', async () => {
  for (const [full, threeQuarter, half] of [
    ['BathFullCount', 'Bath3qtrCount', 'BathHalfCount'],
    ['BathroomsFull', 'BathroomsThreeQuarter', 'BathroomsHalf'],
  ]) {
    const rows = homes(['bathrooms'], () => ({ [full]: '1', [threeQuarter]: '1', [half]: '1' }));
    assert.deepEqual((await inspect(rows)).sources.bathrooms, {
      sum: [full, { source: threeQuarter, times: 0.75 }, { source: half, times: 0.5 }],
    });
  }
});

test('a price of several parcels is not that of one home', async () => {
  const rows = homes([], (_, i) => ({ num_parcels_sale: i % 10 === 0 ? '3' : '1' }));
  const { sources } = await inspect(rows);
  assert.deepEqual(sources.multi_parcel, { source: 'num_parcels_sale', map: { 0: 'no', 1: 'no' } });
});

test('flags of several parcels are read by their names, with the codes of Florida', async () => {
  for (const [name, several] of [
    ['MULTI_PAR_SAL1', 'C'],
    ['Multiple Parcel Sale', 'M'],
  ]) {
    const rows = homes([], (_, i) => ({ [name]: i % 10 === 0 ? several : '' }));
    assert.deepEqual(leftOut(await inspect(rows)), {}, name);
    assert.equal((await inspect(rows)).sources.multi_parcel, name);
  }
  assert.deepEqual(
    ['C', 'M', 'Y', 'S', 'N', ''].map((text) => multiParcelOf(text, '')),
    [1, 1, 1, 0, 0, null],
  );
});

test('sales of the land on which a home was built later are skipped', async () => {
  const cases = [
    ['VI_CD1', 'V', 'I'],
    ['Vacant/Improved', 'Vacant', 'Improved'],
    ['sale_type', 'LAND', 'LAND AND BUILDING'],
  ];
  for (const [name, land, home] of cases) {
    const found = await inspect(homes([], (_, i) => ({ [name]: i % 6 === 0 ? land : home })));
    assert.deepEqual([leftOut(found), blocking(found)], [{ 'skipped land_sale': 10 }, []], name);
  }
  // The same column may have the words of sales that are not valid.
  const invalid = homes([], (_, i) => ({ 'Sale Type': i % 6 === 0 ? 'Foreclosure' : 'Resale' }));
  assert.deepEqual(blocking(await inspect(invalid)), ['sale_validity arms_length']);
});

test('long parcel ids of which a quarter have lost their zero are found', async () => {
  const rows = homes(['parcel_id'], (_, i) => ({
    PIN: i % 4 === 0 ? String(1_234_567_890_000 + 91 * i) : String(12_345_678_900_000 + 91 * i),
  }));
  assert.deepEqual(blocking(await inspect(rows)), ['lost_zeros parcel_id']);
});

test('an attribute that cannot be read is found as a whole, and so are points in one column', async () => {
  const stories = homes([], (_, i) => ({ Stories: i % 2 === 0 ? 'S' : 'M' }));
  assert.deepEqual(blocking(await inspect(stories)), ['unreadable_column num_stories']);
  assert.equal((await fixed(stories, 'unreadable_column')).usableRows, 60);
  const garages = homes([], (_, i) => ({ 'Garage Spaces': i % 3 === 0 ? '0' : '420' }));
  assert.deepEqual(blocking(await inspect(garages)), ['unlikely_units garage_spaces']);
  const points = homes(['latitude', 'longitude'], ({ latitude, longitude }) => ({
    Location: `POINT (${longitude} ${latitude})`,
  }));
  const read = await fixed(points, 'missing_columns');
  assert.deepEqual([blocking(read), read.unplaced.length], [[], 0]);
});

test('an assessed value is no feature where transfers in the family hide that it follows the price', async () => {
  const rows = homes([], (row, i) => ({
    sale_price: i % 6 === 0 ? String(1000 * (1 + ((i * 7) % 11))) : row.sale_price,
    JUSTWORTH: String(Math.round(Number(row.sale_price) * 0.0006)),
    FAIRMARKETTOTAL: '1',
    SALEDESC: 'x',
    CLASSDESC: 'RESIDENTIAL',
  }));
  const { rejected } = await findCandidates([write(rows)], { kind: 'sales', mapping: {} });
  const reasons = Object.fromEntries(rejected.map(({ name, reason }) => [name, reason]));
  assert.match(reasons.JUSTWORTH, /follows the price/);
  assert.match(reasons.FAIRMARKETTOTAL, /price/);
  assert.match(reasons.SALEDESC, /about the sale/);
  assert.match(reasons.CLASSDESC, /the same in all rows/);
});

test('monthly rents with their period, and studios, are read', async () => {
  const rows = homes(['sale_price', 'sale_date', 'living_area'], (row, i) => ({
    price: `$1,${100 + i}${i % 2 === 0 ? '+/mo' : '/mo'}`,
    datePosted: row.sale_date,
    livingArea: row.living_area,
    bedrooms: i % 4 === 0 ? 'Studio' : '2',
  }));
  const found = await inspect(rows, { kind: 'rents' });
  assert.deepEqual([found.usableRows, found.sources.size, found.rejections], [60, 'livingArea', []]);
});
