import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { calibrate, totalScale, type HomeInMarket, type ScoredSales } from './calibration.ts';
import {
  distributionOf,
  logNormal,
  percentileUsd,
  reshaped,
  wider,
  type Distribution,
} from './distribution.ts';
import { seededRandom } from '../random.ts';
import { sizedLike } from '../train-market.ts';
import { CALIBRATION } from './calibration-constants.ts';

const POINT = 300_000;

/** Errors whose size grows fivefold with the first difficulty; the second is noise. Skewed: cheap sales are frequent. */
function errorsLike(n: number, seed: number): ScoredSales {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const difficulty = Array.from({ length: n }, () => [random(), random()]);
  const column = (value: (i: number) => number) => Float64Array.from({ length: n }, (_, i) => value(i));
  return {
    n,
    error: column((i) => {
      const z = normal();
      return noise(difficulty[i][0]) * (z < 0 ? 1.4 * z : z);
    }),
    logPoint: column(() => Math.log(POINT) + 0.4 * normal()),
    type: new Uint8Array(n),
    lat: column(() => 43 + random() * 0.1),
    lon: column(() => -88 + random() * 0.1),
    variantsSpread: new Float64Array(n),
    indexVariance: new Float64Array(n).fill(15),
    difficulty,
  };
}

function noise(difficulty: number): number {
  return 0.05 * Math.exp(1.6 * difficulty);
}

function homeAt(sales: ScoredSales, i: number, changes: Partial<HomeInMarket> = {}): HomeInMarket {
  return {
    lat: sales.lat[i],
    lon: sales.lon[i],
    type: sales.type[i],
    logPoint: sales.logPoint[i],
    difficulty: sales.difficulty[i],
    variantsSpread: 0,
    indexVariance: 15,
    ...changes,
  };
}

function coverage(
  from: ScoredSales,
  of: ScoredSales,
  low: 5 | 10,
  high: 90 | 95,
  take: (i: number) => boolean = () => true,
): number {
  const calibration = calibrate(from, null);
  let n = 0;
  let covered = 0;
  for (let i = 0; i < of.n; i++) {
    if (!take(i)) continue;
    n++;
    const distribution = distributionOf(calibration, homeAt(of, i), POINT);
    const price = POINT * Math.exp(of.error[i]);
    if (price >= percentileUsd(distribution, low) && price <= percentileUsd(distribution, high)) covered++;
  }
  return covered / n;
}

test('90 and 80 % intervals cover as stated for errors of unequal size, for easy and hard homes', () => {
  const past = errorsLike(1500, 1);
  const next = errorsLike(3000, 2);
  assert.ok(Math.abs(coverage(past, next, 5, 95) - 0.9) < 0.02);
  assert.ok(Math.abs(coverage(past, next, 10, 90) - 0.8) < 0.025);
  const isHard = (i: number) => next.difficulty[i][0] > 0.7;
  assert.ok(Math.abs(coverage(past, next, 5, 95, isHard) - 0.9) < 0.03);
  assert.ok(Math.abs(coverage(past, next, 5, 95, (i) => !isHard(i)) - 0.9) < 0.03);
});

test('a level that all holdout months missed hardly moves intervals, and does not widen them', () => {
  const past = errorsLike(1500, 1);
  const inCrash = { ...past, error: past.error.map((error) => error - 0.25) };
  const [usual, crashed] = [past, inCrash].map((errors) =>
    distributionOf(calibrate(errors, null), homeAt(past, 0), POINT),
  );
  crashed.percentilesUsd.forEach((usd, p) => {
    assert.ok(Math.abs(Math.log(usd / usual.percentilesUsd[p])) < 0.02, `percentile ${p}`);
  });
  assert.ok(Math.abs(coverage(inCrash, errorsLike(3000, 2), 5, 95) - 0.9) < 0.02);
});

test('few scores never give an interval that covers too little', () => {
  const next = errorsLike(1000, 3);
  for (const n of [12, 40, 120]) {
    let sum = 0;
    for (let draw = 0; draw < 8; draw++) sum += coverage(errorsLike(n, 100 + draw), next, 5, 95);
    assert.ok(sum / 8 > 0.88, `${n} scores cover ${sum / 8}`);
  }
});

test('the stated probability of a price within 10% is the share of later prices within 10%, in every tenth', () => {
  const calibration = calibrate(errorsLike(1500, 1), null);
  const next = errorsLike(6000, 2);
  const cases = Array.from({ length: next.n }, (_, i) => {
    const { within10 } = distributionOf(calibration, homeAt(next, i), POINT);
    return { within10, isWithin: Math.abs(Math.expm1(next.error[i])) <= 0.1 };
  });
  const tenths = Map.groupBy(cases, ({ within10 }) => Math.floor(10 * within10));
  for (const group of tenths.values()) {
    if (group.length < 300) continue;
    const stated = group.reduce((sum, { within10 }) => sum + within10, 0) / group.length;
    const observed = group.filter(({ isWithin }) => isWithin).length / group.length;
    assert.ok(Math.abs(stated - observed) < 0.06, `${stated} stated, ${observed} observed`);
  }
});

test('the probability of a price within 10% is between 0 and 1, and falls where the range widens', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 3, noNaN: true }),
      fc.double({ min: 1.05, max: 4, noNaN: true }),
      fc.integer({ min: 5000, max: 5_000_000 }),
      (spread, factor, point) => {
        const narrow = logNormal(point, spread);
        const wide = reshaped(narrow, point, factor);
        assert.ok(narrow.within10 >= wide.within10 && wide.within10 >= 0 && narrow.within10 <= 1);
      },
    ),
  );
  assert.ok(Math.abs(logNormal(POINT, 0.1).within10 - 0.683) < 0.03);
  assert.ok(Math.abs(logNormal(POINT, 0.05).within10 - 0.954) < 0.03);
});

test('a hard home has a wider interval than an easy one', () => {
  const past = errorsLike(1500, 1);
  const calibration = calibrate(past, null);
  const width = (difficulty: number) => {
    const home = homeAt(past, 0, { difficulty: [difficulty, 0.5], logPoint: Math.log(POINT) });
    return widthOf(distributionOf(calibration, home, POINT));
  };
  const ratio = width(0.9) / width(0.1);
  assert.ok(ratio > 2.2 && ratio < 5, `${ratio}`);
});

test('unknown attributes and old sales widen the interval', () => {
  const past = errorsLike(800, 1);
  const calibration = calibrate(past, null);
  const width = (changes: Partial<HomeInMarket>) =>
    widthOf(distributionOf(calibration, homeAt(past, 0, changes), POINT));
  assert.ok(width({ variantsSpread: 0.1 }) > width({ variantsSpread: 0.02 }));
  assert.ok(width({ variantsSpread: 0.02 }) > width({}));
  assert.ok(width({ indexVariance: 400 }) > width({ indexVariance: 100 }));
  assert.ok(width({ indexVariance: 100 }) > width({}));
});

test('a home with unknown attributes is harder to value than the hardest of its variants', () => {
  const past = errorsLike(800, 1);
  const calibration = calibrate(past, null);
  const width = (changes: Partial<HomeInMarket>) =>
    widthOf(distributionOf(calibration, homeAt(past, 0, changes), POINT));
  const [easy, hard] = [
    [0.1, 0.5],
    [0.9, 0.5],
  ];
  const hardest = width({ difficulty: hard, difficultyOfVariants: [hard] });
  assert.ok(hardest > width({ difficulty: hard }));
  assert.equal(width({ difficulty: easy, difficultyOfVariants: [easy, hard] }), hardest);
  assert.equal(width({ difficulty: hard, difficultyOfVariants: [easy] }), hardest);
});

test('of two distributions the one that is wider for its value gives the shape, the first one the value', () => {
  const past = errorsLike(800, 1);
  const calibration = calibrate(past, null);
  const of = (variantsSpread: number, pointUsd: number) =>
    distributionOf(calibration, homeAt(past, 0, { variantsSpread }), pointUsd);
  const [narrow, broad] = [of(0, POINT), of(0.3, 3 * POINT)];
  assert.equal(wider(broad, narrow), broad);
  const widened = wider(narrow, broad);
  assert.equal(percentileUsd(widened, 50), POINT);
  assert.ok(Math.abs(widened.fsd / broad.fsd - 1) < 1e-3);
});

test('a measure of difficulty never narrows the range, even if the holdout sales suggest it', () => {
  const past = errorsLike(800, 1);
  const backward = past.difficulty.map((known) => [1 - known[0], known[1]]);
  const calibration = calibrate({ ...past, difficulty: backward }, null);
  const width = (difficulty: number) =>
    widthOf(distributionOf(calibration, homeAt(past, 0, { difficulty: [difficulty, 0.5] }), POINT));
  assert.equal(width(0.1), width(0.9));
});

test('a type with few or no holdout sales is at least as hard as the hardest type with enough', () => {
  const past = errorsLike(1200, 1);
  // Types 0 and 2 are well measured and 2 is twice as hard; the five sales of type 1 look easy by chance.
  const type = past.type.map((_, i) => (i < 5 ? 1 : i % 2 === 0 ? 0 : 2));
  const factors = [1, 0.1, 2];
  const error = past.error.map((each, i) => each * factors[type[i]]);
  const { scale } = calibrate({ ...past, type, error }, null);
  const scaleOfType = (code: number) => totalScale(scale, homeAt(past, 0, { type: code }));
  assert.ok(scaleOfType(2) > 1.5 * scaleOfType(0));
  for (const rare of [1, 3, 5]) assert.ok(scaleOfType(rare) >= scaleOfType(2) - 1e-9);
});

test('cross-validated errors without difficulty never narrow the intervals of holdout errors', () => {
  const next = errorsLike(1000, 3);
  let sum = 0;
  for (let draw = 0; draw < 8; draw++) {
    const holdout = errorsLike(140, 200 + draw);
    const outOfFold = { ...errorsLike(900, 300 + draw), difficulty: Array.from({ length: 900 }, () => []) };
    const calibration = calibrate(holdout, outOfFold);
    for (let i = 0; i < next.n; i++) {
      const distribution = distributionOf(calibration, homeAt(next, i), POINT);
      const price = POINT * Math.exp(next.error[i]);
      const isIn = price >= percentileUsd(distribution, 5) && price <= percentileUsd(distribution, 95);
      sum += Number(isIn) / next.n / 8;
    }
  }
  assert.ok(sum > 0.89, `covers ${sum}`);
});

test('cross-validated errors shrink toward the size of few holdout errors', () => {
  const outOfFold = errorsLike(400, 2);
  const halved = { ...outOfFold, error: outOfFold.error.map((error) => error / 2) };
  const prior = CALIBRATION.outOfFoldPrior;
  const small = { ...halved, n: prior, error: halved.error.slice(0, prior) };
  const meanOf = (errors: Float64Array) => errors.reduce((sum, e) => sum + Math.abs(e), 0) / errors.length;
  const share = meanOf(sizedLike(small, outOfFold).error) / meanOf(outOfFold.error);
  assert.ok(share > 0.65 && share < 0.85, `${share}`);
  assert.equal(meanOf(sizedLike(errorsLike(0, 1), outOfFold).error), meanOf(outOfFold.error));
});

test('without holdout sales the interval uses cross-validated errors, and is wider', () => {
  const none = errorsLike(0, 1);
  const outOfFold = errorsLike(400, 2);
  const { fsd } = distributionOf(calibrate(none, outOfFold), homeAt(outOfFold, 0), POINT);
  const known = distributionOf(
    calibrate(outOfFold, null),
    homeAt(outOfFold, 0, { difficulty: [0.5, 0.5] }),
    POINT,
  );
  assert.ok(fsd > known.fsd);
  const blank = distributionOf(calibrate(none, null), homeAt(outOfFold, 0), POINT);
  assert.ok(Number.isFinite(blank.fsd) && blank.fsd > 0);
});

function widthOf(distribution: Distribution): number {
  return (percentileUsd(distribution, 95) - percentileUsd(distribution, 5)) / POINT;
}
