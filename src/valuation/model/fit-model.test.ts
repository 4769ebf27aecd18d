import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packArchive } from '../../array-archive.ts';
import { dayOf } from '../../domain/day.ts';
import { type Attributes, attributesOf, type OwnFeatures } from '../../domain/property.ts';
import type { Sale } from '../../domain/sale.ts';
import { PlumblineError } from '../../errors.ts';
import { createPredictor } from './property-model.ts';
import { buildSaleColumns } from '../columns/build-columns.ts';
import type { Home } from '../subject.ts';
import { firstTrainableDay, fitModel, trainingRows } from './fit-model.ts';
import { asOfRows, homeOfSale, type SaleColumns } from '../columns/sale-columns.ts';
import { decodeModel, encodeModel } from './market-model.ts';
import { seededRandom } from '../random.ts';
import { WINDOW } from './constants.ts';

const TRAINED_ON = dayOf(2024, 6, 30);
const NO_FEATURES: OwnFeatures = {};
const QUICK = { effort: 0.15 };

/** A town whose prices follow size, place, a grade and a rising market, with a little noise. */
function townSales(n: number, seed = 1): Sale[] {
  const random = seededRandom(seed);
  return Array.from({ length: n }, (_, i) => {
    const area = 700 + Math.floor(2300 * random());
    const [x, y] = [random(), random()];
    const type = random() < 0.8 ? ('houses' as const) : ('condos' as const);
    const grade = ['plain', 'good', 'fine'][Math.floor(3 * random())];
    const withGrade: OwnFeatures = { grade };
    const soldOn = TRAINED_ON - 20 - Math.floor(700 * random());
    const log =
      11.5 +
      0.8 * Math.log(area / 1500) +
      0.5 * x -
      0.3 * y * x +
      (grade === 'fine' ? 0.25 : 0) +
      (type === 'condos' ? -0.2 : 0) +
      0.0002 * (soldOn - TRAINED_ON) +
      0.08 * (random() + random() - 1);
    return {
      recordId: `r${seed}-${i}`,
      parcelId: random() < 0.9 ? `p${Math.floor(random() * n * 0.8)}` : null,
      soldOn,
      recordedOn: null,
      datePrecision: 'day' as const,
      priceUsd: Math.round(Math.exp(log)),
      address: { street: `${i} ELM ST`, city: 'Plum', stateCode: 'OH', postalCode: '' },
      lat: 40 + 0.1 * y,
      lon: -83 + 0.1 * x,
      type,
      attributes: attributesOf({
        livingAreaSqft: random() < 0.95 ? area : null,
        bedrooms: Math.round(area / 700),
        yearBuilt: 1920 + Math.floor(100 * random()),
      }),
      features: random() < 0.9 ? withGrade : NO_FEATURES,
      isArmsLength: null,
    };
  });
}

const columnsOf = (sales: readonly Sale[]) => buildSaleColumns(sales, { recordingLagDays: 14 });
const bytesOf = (columns: SaleColumns) => encodeModel(fitModel(columns, TRAINED_ON, QUICK));

test('the same sales in any order give the same bytes', () => {
  const sales = townSales(500);
  assert.deepEqual(bytesOf(columnsOf(sales.toReversed())), bytesOf(columnsOf(sales)));
});

test('no sale recorded after the training day changes a byte of the model', () => {
  const sales = townSales(500);
  const later = townSales(120, 2).map((sale, i) => ({
    ...sale,
    // Closed before the training day but recorded after it, or closed after it.
    soldOn: TRAINED_ON - 13 + (i % 90),
    priceUsd: 3 * sale.priceUsd,
    features: { grade: `new ${i % 7}`, view: String(i) },
  }));
  assert.deepEqual(bytesOf(columnsOf([...sales, ...later])), bytesOf(columnsOf(sales)));
});

test('a training long after the newest sale learns from as many years of sales as one soon after it', () => {
  const columns = columnsOf(townSales(500));
  const soon = trainingRows(columns, TRAINED_ON, 12);
  assert.ok(soon.length > 100 && soon.length < 300);
  const late = TRAINED_ON + 3000;
  assert.ok(Math.abs(trainingRows(columns, late, 12).length - soon.length) < 30);
  const model = fitModel(columns, late, QUICK);
  assert.ok(model.windowsEnd < TRAINED_ON);
  assert.equal(decodeModel(encodeModel(model)).windowsEnd, model.windowsEnd);
});

test('a decoded model predicts the same, also with later sales and new levels', () => {
  const sales = townSales(400);
  const columns = columnsOf(sales);
  const bytes = bytesOf(columns);
  const grown = columnsOf([
    ...sales,
    ...townSales(60, 3).map((sale) => ({ ...sale, soldOn: TRAINED_ON + 5 })),
  ]);
  const first = createPredictor(fitModel(columns, TRAINED_ON, QUICK), columns);
  const second = createPredictor(decodeModel(bytes), grown);
  const moment = { asOf: TRAINED_ON + 40, knownBy: TRAINED_ON };
  for (let row = 0; row < 60; row++) {
    const home = homeOfSale(columns, row);
    assert.deepEqual(second.predict([home], moment), first.predict([home], moment));
    const sale = { row, comp: home, soldOn: columns.soldOn[row] };
    const mixed = [{ ...sale, home, isAtSubject: true, hasSubjectsHistory: true }];
    assert.deepEqual(second.valuesBetween(home, moment, mixed), first.valuesBetween(home, moment, mixed));
    assert.equal(second.logValueOfSale(row), first.logValueOfSale(row));
  }
});

test('unseen homes are valued far better than by the market’s mean', () => {
  const columns = columnsOf(townSales(1500));
  const predictor = createPredictor(fitModel(columns, TRAINED_ON, { effort: 0.4 }), columns);
  const fresh = columnsOf(townSales(300, 9));
  let [model, level] = [0, 0];
  const logPrices = Array.from(columns.priceUsd, Math.log).sort((a, b) => a - b);
  for (let row = 0; row < fresh.n; row++) {
    const home = { ...homeOfSale(fresh, row), parcelId: null };
    const [{ logValue }] = predictor.predict([home], { asOf: fresh.soldOn[row], knownBy: TRAINED_ON });
    model += Math.abs(logValue - Math.log(fresh.priceUsd[row])) / fresh.n;
    level += Math.abs(logPrices[750] - Math.log(fresh.priceUsd[row])) / fresh.n;
  }
  assert.ok(model < 0.08 && model < level / 3, `model ${model}, level ${level}`);
});

test('the out-of-fold value of a sale does not follow its own price', () => {
  const sales = townSales(600);
  const [odd] = sales;
  const dearer = sales.map((sale) => (sale === odd ? { ...sale, priceUsd: 2 * sale.priceUsd } : sale));
  const valueOf = (of: readonly Sale[]) => {
    const columns = columnsOf(of);
    const predictor = createPredictor(fitModel(columns, TRAINED_ON, QUICK), columns);
    const row = columns.priceUsd.findIndex(
      (_, i) => columns.lat[i] === odd.lat && columns.lon[i] === odd.lon,
    );
    return predictor.logValueOfSale(row);
  };
  assert.ok(Math.abs(valueOf(dearer) - valueOf(sales)) < 0.05);
});

test('a market of a few dozen sales is fitted, with any attribute unknown', () => {
  const bare = townSales(40).map((sale) => ({
    ...sale,
    attributes: attributesOf({}),
    features: {},
    parcelId: null,
  }));
  const columns = columnsOf(bare);
  const predictor = createPredictor(fitModel(columns, TRAINED_ON, QUICK), columns);
  const home = { ...homeOfSale(columns, 0), type: 'mobile' as const };
  const [{ logValue, difficulty }] = predictor.predict([home], {
    asOf: TRAINED_ON + 900,
    knownBy: TRAINED_ON,
  });
  assert.ok(logValue > 10 && logValue < 13);
  assert.ok(difficulty.every(Number.isFinite));
});

test('one parcel number on every sale, or one price, still gives a model', () => {
  for (const change of [{ parcelId: 'same' }, { priceUsd: 200_000, lat: 40, lon: -83 }]) {
    const columns = columnsOf(
      townSales(80).map((sale, i) => ({ ...sale, ...change, soldOn: TRAINED_ON - 20 - i })),
    );
    const predictor = createPredictor(fitModel(columns, TRAINED_ON, QUICK), columns);
    const moment = { asOf: TRAINED_ON, knownBy: TRAINED_ON };
    for (let row = 0; row < 10; row++) {
      const [{ logValue }] = predictor.predict([homeOfSale(columns, row)], moment);
      assert.ok(logValue > 10.5 && logValue < 13.5, `ln value ${logValue}`);
    }
  }
});

test('too few sales are rejected with a message that gives their number', () => {
  const columns = columnsOf(townSales(12));
  assert.throws(
    () => fitModel(columns, TRAINED_ON, QUICK),
    (error) =>
      error instanceof PlumblineError && error.code === 'insufficient_data' && /12 .*30/.test(error.message),
  );
});

test('a larger home is worth more, and attribute scales show which attributes matter', () => {
  const columns = columnsOf(townSales(1200));
  const predictor = createPredictor(fitModel(columns, TRAINED_ON, { effort: 0.4 }), columns);
  const home = homeOfSale(columns, 5);
  const sized = (livingAreaSqft: number) =>
    predictor.predict([{ ...home, attributes: { ...home.attributes, livingAreaSqft } }], {
      asOf: TRAINED_ON,
      knownBy: TRAINED_ON,
    })[0].logValue;
  assert.ok(sized(2800) > sized(900) + 0.3);
  assert.ok(predictor.attributeScale('livingAreaSqft') > 3 * predictor.attributeScale('yearBuilt'));
  assert.equal(predictor.attributeScale('hasPool'), 0);
});

test('100 sqft more never lower a value noticeably, half a bath never changes it by a fifth, and a second unit changes no house', () => {
  const columns = columnsOf(townSales(1200));
  const predictor = createPredictor(fitModel(columns, TRAINED_ON, { effort: 0.4 }), columns);
  const moment = { asOf: TRAINED_ON, knownBy: TRAINED_ON };
  const logValueOf = (home: Home, changed: Partial<Attributes>) =>
    predictor.predict([{ ...home, attributes: { ...home.attributes, ...changed } }], moment)[0].logValue;
  let homes = 0;
  let falls = 0;
  for (let row = 0; row < columns.n; row += 3) {
    const home = homeOfSale(columns, row);
    const { livingAreaSqft } = home.attributes;
    if (livingAreaSqft === null || home.type !== 'houses') continue;
    const before = logValueOf(home, {});
    if (logValueOf(home, { livingAreaSqft: livingAreaSqft + 100 }) < before + Math.log(0.995)) falls++;
    assert.ok(Math.abs(logValueOf(home, { bathrooms: 2.5 }) - logValueOf(home, { bathrooms: 2 })) < 0.18);
    assert.equal(logValueOf(home, { totalUnits: 2 }), before);
    homes++;
  }
  assert.ok(homes > 200 && falls <= 0.02 * homes, `${falls} of ${homes}`);
});

test('larger errors are expected of homes whose prices vary more', () => {
  const random = seededRandom(4);
  const isOld = ({ attributes }: Pick<Sale, 'attributes'>) => (attributes.yearBuilt ?? 0) < 1960;
  const columns = columnsOf(
    townSales(1000).map((sale) => {
      const noise = 0.6 * (random() - 0.5);
      return { ...sale, priceUsd: Math.round(sale.priceUsd * Math.exp(isOld(sale) ? noise : 0)) };
    }),
  );
  const predictor = createPredictor(fitModel(columns, TRAINED_ON, { effort: 0.3 }), columns);
  const moment = { asOf: TRAINED_ON, knownBy: TRAINED_ON };
  const expected = (yearBuilt: number) => {
    const homes = Array.from({ length: 40 }, (_, row) => homeOfSale(columns, row));
    const built = homes.map((home) => ({ ...home, attributes: { ...home.attributes, yearBuilt } }));
    // The last measure of difficulty is ln of the expected size.
    return Math.exp(
      predictor.predict(built, moment).reduce((sum, { difficulty }) => sum + (difficulty.at(-1) ?? NaN), 0) /
        40,
    );
  };
  const [old, recent] = [expected(1930), expected(2000)];
  assert.ok(old > 1.5 * recent, `old ${old}, recent ${recent}`);
});

test('a model of another version is one that cannot be used, not a bug', () => {
  const bytes = packArchive({ model: 1 }, {});
  assert.throws(() => decodeModel(bytes), { code: 'gone', message: /format 1.*Train the market again/ });
});

test('the first day of a training is the first with enough usable sales on record', () => {
  const columns = columnsOf(townSales(200));
  // Half of the early sales are flagged, some of them only when others are on record.
  const flaggedOn = columns.flaggedOn.slice();
  for (let row = 0; row < 60; row += 2) flaggedOn[row] = columns.availableOn[row] + 3 * row;
  const flagged = { ...columns, flaggedOn };
  const isEnough = (day: number): boolean => asOfRows(flagged, day).length >= WINDOW.minUsable;
  let expected = columns.availableOn[0];
  while (!isEnough(expected)) expected++;
  assert.notEqual(expected, columns.availableOn[WINDOW.minUsable - 1], 'flags make it later');
  assert.equal(firstTrainableDay(flagged), expected);
  assert.equal(firstTrainableDay(columnsOf(townSales(WINDOW.minUsable - 1))), null);
});
