import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type RatioCases, casesOf, pointCases } from './cases.ts';
import { type Figure, figuresOf, createScratch, prepare, veiGroups } from './figures.ts';

function figures(cases: RatioCases, weights = new Int32Array(cases.n).fill(1)): Record<Figure, number> {
  const prepared = prepare(cases);
  const size = weights.reduce((sum, weight) => sum + weight, 0);
  return figuresOf(prepared, weights, createScratch(size));
}

function close(actual: number, expected: number, name: string, tolerance = 1e-9): void {
  if (Number.isNaN(expected)) assert.ok(Number.isNaN(actual), `${name}: ${actual}, expected none`);
  else
    assert.ok(
      Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected)),
      `${name}: ${actual} ≠ ${expected}`,
    );
}

test('three sales computed by hand give the IAAO figures', () => {
  const found = figures(
    pointCases(Float64Array.of(100e3, 200e3, 400e3), Float64Array.of(110e3, 200e3, 360e3)),
  );
  close(found.medianRatio, 1, 'median ratio');
  close(found.meanRatio, 1, 'mean ratio');
  close(found.cod, 100 * (0.2 / 3), 'COD');
  close(found.prd, 700 / 670, 'PRD');
  close(found.prb, -0.10778, 'PRB', 1e-5);
  close(found.mki, 0.870647, 'MKI', 1e-6);
  assert.ok(Number.isNaN(found.vei), 'VEI of three sales');
  close(found.mdape, 0.1, 'MdAPE');
  close(found.ppe10, 1, 'PPE10');
  close(found.ppe5, 1 / 3, 'PPE5');
  close(found.r2, 1 - (1e8 + 16e8) / 4.666666666666667e10, 'R²');
  close(found.rmsle, Math.sqrt((Math.log(1.1) ** 2 + Math.log(0.9) ** 2) / 3), 'RMSLE');
});

test('VEI is measured from 20 sales on, and of ten cheap and ten expensive homes equals that by hand', () => {
  const price = (n: number) => Float64Array.from({ length: n }, (_, i) => (i < 10 ? 100e3 : 400e3));
  const values = (n: number) => price(n).map((usd) => usd * (usd < 200e3 ? 1.1 : 0.9));
  // The median ratio is the mean of 1.1 and 0.9: 100 · (0.9 − 1.1) / 1.
  close(figures(pointCases(price(20), values(20))).vei, -20, 'VEI');
  assert.ok(Number.isNaN(figures(pointCases(price(19), values(19))).vei), 'VEI of 19 sales');
});

test('a single extreme ratio moves the COD but not the COD trimmed at three interquartile ranges', () => {
  const price = new Float64Array(12).fill(100);
  const value = Float64Array.of(90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 1000);
  const found = figures(pointCases(price, value));
  const kept = figures(pointCases(price.slice(0, 11), value.slice(0, 11)));
  close(found.codTrimmed, kept.cod, 'trimmed COD');
  assert.ok(found.cod > 70);
});

const money = fc.integer({ min: 10_000, max: 2_000_000 });
const someCases = fc.array(
  fc.record({
    price: money,
    value: fc.option(money, { nil: NaN }),
    sd: fc.double({ min: 0.01, max: 0.6, noNaN: true }),
  }),
  {
    minLength: 1,
    maxLength: 120,
  },
);

type Row = { price: number; value: number; sd: number };

function toCases(rows: readonly Row[]): RatioCases {
  const column = (of: (row: Row) => number) => Float64Array.from(rows, of);
  const bounds = (z: number) => ({
    low: column((row) => row.value * (1 - z * row.sd)),
    high: column((row) => row.value * (1 + z * row.sd)),
  });
  return {
    n: rows.length,
    price: column((row) => row.price),
    value: column((row) => row.value),
    intervals: { 80: bounds(1.28), 90: bounds(1.64), 95: bounds(1.96) },
    fsd: column((row) => row.sd),
  };
}

const mean = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0) / numbers.length;
function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

test('every figure equals its definition written plainly', () => {
  fc.assert(
    fc.property(someCases, (rows) => {
      const found = figures(toCases(rows));
      const hits = rows.filter((row) => !Number.isNaN(row.value));
      close(found.hitRate, hits.length / rows.length, 'hit rate');
      const ratios = hits.map((row) => row.value / row.price);
      const errors = hits.map((row) => Math.abs(row.value - row.price) / row.price);
      const m = median(ratios);
      close(found.medianRatio, m, 'median');
      close(found.mdape, median(errors), 'mdape');
      close(found.mape, mean(errors), 'mape');
      close(found.ppe20, mean(errors.map((e) => Number(e <= 0.2))), 'ppe20');
      close(found.rt20, mean(ratios.map((r) => Number(r > 1.2))), 'rt20');
      close(found.cod, (100 * mean(ratios.map((r) => Math.abs(r - m)))) / m, 'cod');
      const sum = (of: (row: Row) => number) => hits.map(of).reduce((a, b) => a + b, 0);
      close(found.prd, mean(ratios) / (sum((row) => row.value) / sum((row) => row.price)), 'prd');
      close(found.vei, plainVei(hits, m), 'vei');
      close(found.prb, plainPrb(hits, m), 'prb', 1e-7);
      close(found.width90, mean(hits.map((row) => 2 * 1.64 * row.sd)), 'width');
      close(
        found.coverage90,
        mean(hits.map((row) => Number(Math.abs(row.price - row.value) <= 1.64 * row.sd * row.value))),
        'coverage',
      );
      close(found.winkler90, mean(hits.map(plainWinkler)), 'winkler');
    }),
    { numRuns: 150, seed: 1 },
  );
});

function plainWinkler({ price, value, sd }: Row): number {
  const outside = Math.max(0, Math.abs(price - value) - 1.64 * sd * value);
  return (2 * 1.64 * sd * value + 20 * outside) / value;
}

function plainPrb(hits: readonly Row[], m: number): number {
  const x = hits.map((row) => Math.log2(0.5 * (row.value / m + row.price)));
  const y = hits.map((row) => (row.value / row.price - m) / m);
  const variance = mean(x.map((v) => (v - mean(x)) ** 2));
  if (!(variance > 1e-12)) return NaN;
  return mean(x.map((v, i) => (v - mean(x)) * (y[i] - mean(y)))) / variance;
}

function plainVei(hits: readonly Row[], m: number): number {
  const groups = veiGroups(hits.length);
  if (hits.length < 20) return NaN;
  const proxy = (row: Row) => 0.5 * row.price + (0.5 * row.value) / m;
  const sorted = [...hits].sort((a, b) => proxy(a) - proxy(b));
  const group = (g: number) =>
    sorted.filter((_, i) => Math.floor((i * groups) / hits.length) === g).map((row) => row.value / row.price);
  return (100 * (median(group(groups - 1)) - median(group(0)))) / m;
}

test('a case counted k times equals k equal cases, which is all that a bootstrap needs', () => {
  const counted = fc.array(fc.tuple(money, money, fc.integer({ min: 0, max: 3 })), {
    minLength: 2,
    maxLength: 80,
  });
  fc.assert(
    fc.property(counted, (rows) => {
      const cases = toCases(rows.map(([price, value]) => ({ price, value, sd: 0.1 })));
      const weights = Int32Array.from(rows, ([, , count]) => count);
      const repeated = rows.flatMap(([, , count], row) => new Array<number>(count).fill(row));
      const byWeight = figures(cases, weights);
      const byCopy = figures(casesOf(cases, repeated));
      // VEI and FSD groups keep the order of the whole set: not compared.
      for (const figure of Object.keys(byCopy) as Figure[]) {
        if (figure === 'vei' || figure.startsWith('fsdHonesty')) continue;
        close(byWeight[figure], byCopy[figure], figure, 1e-7);
      }
    }),
    { numRuns: 150, seed: 2 },
  );
});
