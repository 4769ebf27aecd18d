import { ATTRIBUTES, attributesOf, PROPERTY_TYPES, type Attribute } from '../../../src/domain/property.ts';
import {
  homeOfSale,
  NEVER,
  asOfRows,
  type SaleColumns,
} from '../../../src/valuation/columns/sale-columns.ts';
import type { Predictor } from '../../../src/valuation/model/predictor.ts';
import type { MarketIndex } from '../../../src/valuation/price-index/bound-index.ts';
import { filterMarket } from '../../../src/valuation/price-index/market-filter.ts';
import { monthOf } from '../../../src/valuation/price-index/market-path.ts';
import { lastCoveredDay } from '../../../src/valuation/price-index/price-index.ts';
import { seededRandom } from '../../../src/valuation/random.ts';
import { stringColumnOf } from '../../../src/valuation/typed-columns.ts';
import type { Home } from '../../../src/valuation/subject.ts';
import type { ModelBuilder } from '../../../src/valuation/train-job.ts';

/**
 * A made-up market for tests with known true prices: the first day of its sales, and how many days they span.
 */
export const TEST_MARKET = { from: 16_000, days: 730, lat: 43, lon: -88 } as const;

/** The true value of a home in ln USD on day 0 of the market. The market rises 4% a year. */
export function trueLogValue(home: Home): number {
  const { livingAreaSqft, bathrooms, yearBuilt } = home.attributes;
  return (
    7.5 +
    0.7 * Math.log(livingAreaSqft ?? 1500) +
    0.08 * (bathrooms ?? 2) +
    0.002 * ((yearBuilt ?? 1960) - 1960) +
    2 * (home.lat - TEST_MARKET.lat) +
    (home.type === 'condos' ? -0.2 : 0)
  );
}

export function trueIndex(day: number): number {
  return (0.04 * (day - TEST_MARKET.from)) / 365;
}

/** The noise of a sale in ln USD: three times as large in the north as in the south. */
function trueNoise(home: Pick<Home, 'lat'>): number {
  return 0.08 + 1.6 * Math.max(0, home.lat - TEST_MARKET.lat);
}

/**
 * Houses and condos. One in ten sales repeats a parcel. No condition is known, and only some bathroom counts.
 */
export function testColumns(n: number, seed = 1): SaleColumns {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const soldOn = Int32Array.from(
    { length: n },
    (_, i) => TEST_MARKET.from + Math.floor((i * TEST_MARKET.days) / n),
  );
  const parcel = Int32Array.from({ length: n }, (_, i) =>
    i > 10 && random() < 0.1 ? Math.floor(random() * i) : i,
  );
  const attributes = {} as Record<Attribute, Float32Array>;
  for (const attribute of ATTRIBUTES) attributes[attribute] = new Float32Array(n).fill(NaN);
  const lat = new Float64Array(n);
  const lon = new Float64Array(n);
  const type = new Uint8Array(n);
  const priceUsd = new Float64Array(n);
  const texts = (prefix: string) => stringColumnOf(Array.from({ length: n }, (_, i) => `${prefix}${i}`));
  const columns: SaleColumns = {
    n,
    kind: 'sales',
    recordingLagDays: 14,
    recordId: texts('S'),
    parcelId: stringColumnOf(Array.from(parcel, (code) => `P${code}`)),
    street: texts('street '),
    city: texts('city '),
    stateCode: texts('s'),
    postalCode: texts('5'),
    soldOn,
    availableOn: soldOn.map((day) => day + 14),
    parcel,
    priceUsd,
    lat,
    lon,
    type,
    attributes,
    features: [
      {
        name: 'grade',
        levels: ['low', 'high'],
        codes: Int32Array.from({ length: n }, () => (random() < 0.5 ? 0 : 1)),
      },
    ],
    armsLength: new Uint8Array(n).fill(2),
    lastSeenOn: null,
    flag: new Uint8Array(n),
    flaggedOn: new Int32Array(n).fill(NEVER),
  };
  for (let i = 0; i < n; i++) {
    lat[i] = TEST_MARKET.lat + random() * 0.1;
    lon[i] = TEST_MARKET.lon + random() * 0.1;
    type[i] = PROPERTY_TYPES.indexOf(random() < 0.75 ? 'houses' : 'condos');
    attributes.livingAreaSqft[i] = Math.round(800 + 2000 * random());
    attributes.bedrooms[i] = 1 + Math.floor(5 * random());
    attributes.bathrooms[i] = random() < 0.1 ? NaN : 1 + Math.floor(6 * random()) / 2;
    attributes.yearBuilt[i] = 1900 + Math.floor(110 * random());
    const home = homeOfSale(columns, i);
    const log = trueLogValue(home) + trueIndex(soldOn[i]) + trueNoise(home) * normal();
    priceUsd[i] = Math.round(Math.exp(log));
  }
  return columns;
}

/**
 * Replaces the real model: it knows the true function, but learns the price level from the sales known on the
 * training day, so that a leak would show.
 */
export const testBuilder: ModelBuilder = {
  fit(columns, trainedOn) {
    const rows = asOfRows(columns, trainedOn);
    let level = 0;
    for (const row of rows) {
      level +=
        Math.log(columns.priceUsd[row]) -
        trueLogValue(homeOfSale(columns, row)) -
        trueIndex(columns.soldOn[row]);
    }
    return new Uint8Array(Float64Array.of(trainedOn, rows.length === 0 ? 0 : level / rows.length).buffer);
  },
  bind(model, columns) {
    const [trainedOn, level] = new Float64Array(model.slice().buffer);
    return testPredictor(columns, trainedOn, level);
  },
};

/** An index that does not move. */
export function flatIndex(trainedOn: number): MarketIndex {
  const month = monthOf(trainedOn);
  const path = filterMarket([{ month, mean: 0, standardError: 0.01 }], [], null);
  return {
    jumps: [],
    pathKnownBy: () => path,
    firstMonth: month,
    marketAt: () => 0,
    salesKnownBy: () => [],
    besideMarket: () => 0,
    areaAt: () => 0,
  };
}

export function testPredictor(columns: SaleColumns, trainedOn: number, level = 0): Predictor {
  const base = (home: Home) => trueLogValue(home) + trueIndex(trainedOn) + level;
  const known = Float64Array.from(asOfRows(columns, trainedOn));
  return {
    trainedOn,
    windowsEnd: trainedOn,
    coveredUntil: lastCoveredDay(
      known.map((row) => columns.soldOn[row]),
      trainedOn,
    ),
    index: flatIndex(trainedOn),
    columns,
    predict: (homes, moment) =>
      homes.map((home) => ({
        logValue: base(home) + trueIndex(moment.asOf) - trueIndex(trainedOn),
        logValueAtTraining: base(home),
        // As many measures as the real model has.
        difficulty: Float64Array.of(trueNoise(home), home.lon - TEST_MARKET.lon, 0, 0, 0, 0, 0, 0),
        members: Float64Array.of(base(home)),
      })),
    valuesBetween: (_, __, homes) => Float64Array.from(homes, ({ home }) => base(home)),
    logValueOfSale: (row) => base(homeOfSale(columns, row)),
    foldOfSale: () => -1,
    indexChange: (_, from, to) => trueIndex(to) - trueIndex(from),
    changeSinceTraining: (_home, { asOf }) => trueIndex(asOf) - trueIndex(trainedOn),
    // A year without newer sales: 10%.
    indexVariance: ({ asOf, knownBy }) => (0.1 * Math.max(0, asOf - knownBy)) ** 2 / 365 ** 2,
    attributeScale: (attribute) => (attribute === 'livingAreaSqft' ? 0.25 : 0.03),
  };
}

/** A subject in the middle of the test market with all its attributes. */
export function testHome(changes: Partial<Home> = {}): Home {
  return {
    lat: TEST_MARKET.lat + 0.05,
    lon: TEST_MARKET.lon + 0.05,
    type: 'houses',
    attributes: attributesOf({ livingAreaSqft: 1500, bedrooms: 3, bathrooms: 2, yearBuilt: 1960 }),
    features: { grade: 'high' },
    parcelId: null,
    ...changes,
  };
}
