import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf, formatDay } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import type { FeatureColumn, SaleColumns } from '../columns/sale-columns.ts';
import { seededRandom } from '../random.ts';
import { testColumns, testHome } from '../../../test/harness/valuation/market.ts';
import { createHomeReader, planFeatures, rawLength } from './features.ts';
import { findRecodedAttributes, findRecodings } from './recoded-features.ts';

const START = dayOf(2018, 1, 1);
const N = 3_000;
const rows = Int32Array.from({ length: N }, (_, i) => i);
const soldOn = Int32Array.from(rows, (i) => START + i);
/** Houses, and every third sale a condo. */
const type = Uint8Array.from(rows, (i) => (i % 3 === 0 ? 2 : 0));
const CHANGED_ON = dayOf(2022, 3, 1);

function featureOf(textOf: (row: number) => string): FeatureColumn {
  const texts = Array.from(rows, textOf);
  const levels = [...new Set(texts)];
  return { name: 'style', levels, codes: Int32Array.from(texts, (text) => levels.indexOf(text)) };
}

function found(textOf: (row: number) => string): string[] {
  const recodings = findRecodings({ soldOn, type }, featureOf(textOf), rows);
  return recodings.map(({ type: of, since }) => `${of} ${formatDay(since)}`);
}

test('codes that are exchanged or replaced are found, for the types and from the month on', () => {
  const random = seededRandom(1);
  const styles = Array.from(rows, () => (random() < 0.7 ? 1 : random() < 0.5 ? 2 : 3));
  const isLater = (row: number) => soldOn[row] >= CHANGED_ON;
  const renumbered = (row: number) => String(isLater(row) ? 1 + (styles[row] % 3) : styles[row]);
  assert.deepEqual(found(renumbered).sort(), ['condos 2022-03-01', 'houses 2022-03-01']);
  const renamedForCondos = (row: number) =>
    type[row] === 2 && isLater(row) ? `Mid rise ${styles[row]}` : `Apartment ${styles[row]}`;
  assert.deepEqual(found(renamedForCondos), ['condos 2022-03-01']);
});

/** Buildings whose style names their units: half of the sales have one of four codes, the others one of 60. */
function namesOfMany(random: () => number): string[] {
  return Array.from(rows, () =>
    random() < 0.5 ? `${Math.floor(4 * random())} flats` : `${4 + Math.floor(60 * random())} flats`,
  );
}

test('codes are also found to be replaced where so many are in use that each is rare', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const names = namesOfMany(seededRandom(seed));
    // 60 condos and 120 houses a year: half a year has too few for a comparison of its own.
    const few = { soldOn: soldOn.map((day) => START + (day - START) * 2), type };
    const later = (row: number) => few.soldOn[row] >= CHANGED_ON;
    const recoded = featureOf((row) => (later(row) ? `AP${names[row].length} (conventional)` : names[row]));
    const recodings = findRecodings(few, recoded, rows);
    assert.deepEqual(recodings.map(({ type: of, since }) => `${of} ${formatDay(since)}`).sort(), [
      'condos 2022-03-01',
      'houses 2022-03-01',
    ]);
    assert.deepEqual(
      findRecodings(
        few,
        featureOf((row) => names[row]),
        rows,
      ),
      [],
    );
  }
});

test('codes that drift, names that are all different and rare types are no change of codes', () => {
  const random = seededRandom(2);
  const share = Array.from(rows, () => random());
  assert.deepEqual(
    found((row) => (share[row] < row / N ? 'new' : 'old')),
    [],
  );
  assert.deepEqual(
    found((row) => `plan ${row}`),
    [],
  );
  assert.deepEqual(
    found((row) => (share[row] < 0.3 ? 'a' : 'b')),
    [],
  );
  assert.deepEqual(
    found((row) => (row < 60 ? 'a' : 'b')),
    [],
  );
});

test('a measurement of many values over two centuries takes neither minutes nor gigabytes', () => {
  const n = 60_000;
  const many = Int32Array.from({ length: n }, (_, i) => i);
  const feature = { name: 'assessed', levels: Array.from(many, String), codes: many };
  const columns = { soldOn: many, type: new Uint8Array(n) };
  const start = performance.now();
  assert.deepEqual(findRecodings(columns, feature, many), []);
  assert.ok(performance.now() - start < 1000);
});

test('an attribute on another scale, counted otherwise or in another unit is found, for its column', () => {
  const base = testColumns(1_200);
  const half = base.soldOn[600];
  const { livingAreaSqft, bathrooms } = base.attributes;
  const found = (attributes: Partial<SaleColumns['attributes']>): string[] => {
    const columns = { ...base, attributes: { ...base.attributes, ...attributes } };
    return [...new Set(findRecodedAttributes(columns).map(({ name }) => name))];
  };
  const later = (values: Float32Array, change: (value: number) => number) =>
    values.map((value, row) => (base.soldOn[row] >= half ? change(value) : value));
  assert.deepEqual(found({}), []);
  assert.deepEqual(found({ livingAreaSqft: later(livingAreaSqft, (area) => area / 10.76) }), ['living_area']);
  assert.deepEqual(found({ livingAreaSqft: later(livingAreaSqft, (area) => 1.05 * area) }), []);
  const condition = livingAreaSqft.map((_, row) => 2 + (row % 3));
  assert.deepEqual(found({ condition }), []);
  assert.deepEqual(found({ condition: later(condition, (value) => 6 - value) }), []);
  assert.deepEqual(found({ condition: later(condition, (value) => value + 3) }), ['condition']);
  const known = bathrooms.map((_, row) => 1 + (row % 4) / 2);
  assert.deepEqual(found({ bathrooms: later(known, (baths) => baths + 0.25) }), ['bathrooms']);
});

test('a recoded feature is unknown for its type, in the sample and in homes, and known for others', () => {
  const base = testColumns(900);
  const half = base.soldOn[450];
  const texts = Array.from(base.soldOn, (day, row) => {
    const code = row % 4 === 0 ? 'b' : 'a';
    return base.type[row] === base.type[0] && day >= half ? `new ${code}` : code;
  });
  const levels = [...new Set(texts)];
  const feature = { name: 'style', levels, codes: Int32Array.from(texts, (text) => levels.indexOf(text)) };
  const columns = { ...base, features: [feature] };
  const plan = planFeatures(columns, Int32Array.from(base.soldOn.keys()));
  assert.deepEqual(plan.own[0]?.recodedTypes ?? [], [base.type[0]]);
  const valueOf = (code: number) => {
    const raw = new Float64Array(rawLength(plan));
    const features = { style: 'a' };
    createHomeReader(plan)(testHome({ type: PROPERTY_TYPES[code], features }), raw);
    return raw[raw.length - 1];
  };
  const other = base.type.find((code) => code !== base.type[0]) ?? assert.fail('the market has one type');
  assert.ok(Number.isNaN(valueOf(base.type[0])));
  assert.ok(Number.isFinite(valueOf(other)));
});
