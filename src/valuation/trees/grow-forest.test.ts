import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../random.ts';
import { binColumns } from './bin-columns.ts';
import { predictForest, type Forest } from './forest.ts';
import { bindForests } from './predict-rows.ts';
import { growForest } from './grow-forest.ts';
import type { GrowSettings, Loss } from './grow-tree.ts';

const PLAIN: GrowSettings = {
  trees: 4,
  learningRate: 0.5,
  maxLeaves: 6,
  maxDepth: 4,
  minChildWeight: 2,
  l2: 1,
  rowShare: 1,
  columnShare: 1,
  loss: { kind: 'squared' },
  seed: 7,
};

const LOSSES = [
  { kind: 'squared' },
  { kind: 'pseudo_huber', delta: 0.2 },
  { kind: 'cauchy', scale: 0.2 },
] as const satisfies Loss[];

interface Data {
  readonly columns: Float64Array[];
  readonly target: Float64Array;
  readonly weights: Float64Array;
}

function makeData(n: number, seed: number, missingShare = 0.15): Data {
  const random = seededRandom(seed);
  const columns = Array.from({ length: 3 }, () =>
    Float64Array.from({ length: n }, () => (random() < missingShare ? NaN : random())),
  );
  const target = Float64Array.from({ length: n }, (_, i) => {
    const [a, b] = [columns[0][i], columns[1][i]];
    return (Number.isNaN(a) ? 0.7 : Math.sin(5 * a)) + (b > 0.5 ? 0.6 : 0) + 0.2 * random();
  });
  return { columns, target, weights: Float64Array.from({ length: n }, () => 0.5 + random()) };
}

const rowOf = (data: Data, i: number) => Float64Array.from(data.columns, (column) => column[i]);

const grow = (data: Data, settings: GrowSettings): Forest =>
  growForest(
    { table: binColumns(data.columns, data.target.length), target: data.target, weights: data.weights },
    settings,
  ).forest;

/** By brute force: every cut of every column of every leaf is tried on the rows themselves. */
function oraclePredictions(data: Data, settings: GrowSettings): Float64Array {
  const { columns, target, weights } = data;
  const all = Array.from(target, (_, i) => i);
  const total = all.reduce((sum, i) => sum + weights[i], 0);
  const prediction = new Float64Array(target.length).fill(
    all.reduce((sum, i) => sum + weights[i] * target[i], 0) / total,
  );
  const sums = (rows: number[]) => ({
    g: rows.reduce((sum, i) => sum + weights[i] * (target[i] - prediction[i]), 0),
    h: rows.reduce((sum, i) => sum + weights[i], 0),
  });
  const worth = ({ g, h }: { g: number; h: number }) => (g * g) / (h + settings.l2);
  const bestCut = (rows: number[]) => {
    let best = { gain: 1e-9, left: [] as number[], right: [] as number[] };
    for (const column of columns) {
      for (const cut of rows.map((i) => column[i]).filter((value) => !Number.isNaN(value))) {
        for (const missingLeft of [false, true]) {
          const goesLeft = (i: number) => (Number.isNaN(column[i]) ? missingLeft : column[i] <= cut);
          const left = rows.filter(goesLeft);
          const right = rows.filter((i) => !goesLeft(i));
          if (sums(left).h < settings.minChildWeight || sums(right).h < settings.minChildWeight) continue;
          const gain = worth(sums(left)) + worth(sums(right)) - worth(sums(rows));
          if (gain > best.gain + 1e-12) best = { gain, left, right };
        }
      }
    }
    return best.left.length === 0 ? null : best;
  };
  for (let tree = 0; tree < settings.trees; tree++) {
    const leaves = [{ rows: all, depth: 0, cut: bestCut(all) }];
    while (leaves.length < settings.maxLeaves) {
      const open = leaves.filter(({ cut, depth }) => cut !== null && depth < settings.maxDepth);
      open.sort((a, b) => (b.cut?.gain ?? 0) - (a.cut?.gain ?? 0));
      const leaf = open[0];
      if (!leaf?.cut) break;
      const { left, right } = leaf.cut;
      const depth = leaf.depth + 1;
      leaves.splice(leaves.indexOf(leaf), 1, { rows: left, depth, cut: bestCut(left) });
      leaves.push({ rows: right, depth, cut: bestCut(right) });
    }
    const values = leaves.map(({ rows }) => {
      const { g, h } = sums(rows);
      return (settings.learningRate * g) / (h + settings.l2);
    });
    leaves.forEach(({ rows }, l) => rows.forEach((i) => (prediction[i] += values[l])));
  }
  return prediction;
}

test('trees grown on histograms equal those of a search through every exact cut', () => {
  for (const seed of [1, 2, 3, 4]) {
    const data = makeData(45, seed);
    const forest = grow(data, PLAIN);
    const expected = oraclePredictions(data, PLAIN);
    expected.forEach((value, i) => {
      const got = predictForest(forest, rowOf(data, i));
      assert.ok(Math.abs(got - value) < 1e-9, `seed ${seed} row ${i}: ${got} is not ${value}`);
    });
  }
});

test('predictions made while growing are those of the forest, also for rows that it did not learn from', () => {
  const data = makeData(900, 5);
  const table = binColumns(data.columns, 900);
  const rows = Int32Array.from({ length: 600 }, (_, i) => i + Math.floor(i / 2));
  const { forest, prediction } = growForest(
    { table, target: data.target, weights: null, rows },
    { ...PLAIN, trees: 30, rowShare: 0.6, columnShare: 0.67 },
  );
  prediction.forEach((value, row) => assert.equal(value, predictForest(forest, rowOf(data, row))));
});

test('a missing value goes to the better side, and to the heavier side where none was seen', () => {
  const n = 60;
  const column = Float64Array.from({ length: n }, (_, i) => (i < 20 ? NaN : i));
  const target = Float64Array.from({ length: n }, (_, i) => (i < 20 || i >= 45 ? 1 : 0));
  const stump = { ...PLAIN, trees: 1, maxLeaves: 2, learningRate: 1, l2: 0 };
  const seen = grow({ columns: [column], target, weights: new Float64Array(n).fill(1) }, stump);
  assert.ok(predictForest(seen, Float64Array.of(NaN)) > 0.999);
  const complete = Float64Array.from({ length: n }, (_, i) => i);
  const late = Float64Array.from({ length: n }, (_, i) => (i >= 45 ? 1 : 0));
  const unseen = grow({ columns: [complete], target: late, weights: new Float64Array(n).fill(1) }, stump);
  assert.ok(predictForest(unseen, Float64Array.of(NaN)) < 0.001);
});

test('a monotone column never lowers the prediction', () => {
  const random = seededRandom(11);
  const n = 600;
  const columns = Array.from({ length: 3 }, () => Float64Array.from({ length: n }, () => random()));
  const target = Float64Array.from(
    { length: n },
    (_, i) => Math.sin(9 * columns[0][i]) + columns[1][i] * columns[0][i] + 0.5 * random(),
  );
  const data = { columns, target, weights: new Float64Array(n).fill(1) };
  for (const loss of LOSSES) {
    const settings = { ...PLAIN, trees: 40, maxLeaves: 12, monotone: Int8Array.of(1, 0, -1), loss };
    const forest = grow(data, settings);
    for (let i = 0; i < 50; i++) {
      const home = Float64Array.of(0, random(), random());
      let [last, lastFalling] = [-Infinity, Infinity];
      for (let step = 0; step <= 40; step++) {
        const rising = predictForest(forest, Float64Array.of(step / 40, home[1], home[2]));
        const falling = predictForest(forest, Float64Array.of(home[2], home[1], step / 40));
        assert.ok(rising >= last - 1e-12 && falling <= lastFalling + 1e-12);
        [last, lastFalling] = [rising, falling];
      }
    }
  }
});

test('the same data and seed give the same bytes; another seed does not', () => {
  const data = makeData(400, 8);
  const settings = { ...PLAIN, trees: 20, rowShare: 0.7, columnShare: 0.67 };
  const once = grow(data, settings);
  assert.deepEqual(grow(data, settings), once);
  assert.notDeepEqual(grow(data, { ...settings, seed: 8 }), once);
});

test('every tree lowers the loss on the rows that it is grown on', () => {
  const { columns, target, weights } = makeData(400, 9);
  const written = {
    squared: (residual: number) => residual ** 2 / 2,
    pseudo_huber: (residual: number) => 0.2 ** 2 * Math.sqrt(1 + (residual / 0.2) ** 2),
    cauchy: (residual: number) => (0.2 ** 2 / 2) * Math.log(1 + (residual / 0.2) ** 2),
  };
  for (const loss of LOSSES) {
    const losses = Array.from({ length: 12 }, (_, trees) => {
      const { prediction } = growForest(
        { table: binColumns(columns, target.length), target, weights },
        { ...PLAIN, trees, learningRate: 0.1, loss },
      );
      return prediction.reduce(
        (sum, value, i) => sum + weights[i] * written[loss.kind](target[i] - value),
        0,
      );
    });
    for (const [i, after] of losses.entries())
      if (i > 0) assert.ok(after < losses[i - 1], `${loss.kind} ${i}`);
  }
});

test('with the Cauchy loss, a quarter of rows far off do not move the prediction', () => {
  const n = 400;
  const target = Float64Array.from({ length: n }, (_, i) => (i % 4 === 0 ? -1 : 0));
  const data = { columns: [Float64Array.from(target.keys())], target, weights: new Float64Array(n).fill(1) };
  const mean = (loss: Loss) => {
    const forest = grow(data, { ...PLAIN, trees: 60, maxLeaves: 4, minChildWeight: 40, loss });
    return target.reduce((sum, _, i) => sum + predictForest(forest, Float64Array.of(i)), 0) / n;
  };
  assert.ok(Math.abs(mean({ kind: 'cauchy', scale: 0.2 })) < 0.03);
  assert.ok(mean({ kind: 'pseudo_huber', delta: 0.2 }) < -0.06);
  assert.ok(mean({ kind: 'squared' }) < -0.2);
});

test('the robust loss is not moved by a few extreme targets', () => {
  const n = 200;
  const column = Float64Array.from({ length: n }, (_, i) => i % 10);
  const target = Float64Array.from({ length: n }, (_, i) => (i % 40 === 0 ? 50 : 1));
  const data = { columns: [column], target, weights: new Float64Array(n).fill(1) };
  const settings = { ...PLAIN, trees: 60, learningRate: 0.2 };
  const robust = grow(data, { ...settings, loss: { kind: 'pseudo_huber', delta: 0.1 } });
  const mean = grow(data, settings);
  assert.ok(Math.abs(predictForest(robust, Float64Array.of(0)) - 1) < 0.2);
  assert.ok(predictForest(mean, Float64Array.of(0)) > 5);
});

test('rows predicted together equal rows predicted alone, to the last bit', () => {
  const data = makeData(400, 11);
  const forests = [3, 30].map((trees) => grow(data, { ...PLAIN, trees, maxLeaves: 20, maxDepth: 6 }));
  const random = seededRandom(12);
  const anyValue = () => (random() < 0.2 ? NaN : random());
  for (const n of [0, 1, 2, 3, 50]) {
    for (let round = 0; round < 40; round++) {
      const shared = data.columns.map(() => (random() < 0.5 ? anyValue() : null));
      const rows = Array.from({ length: n }, () => shared.map((value) => value ?? anyValue()));
      const values = Float64Array.from(shared.flatMap((_, column) => rows.map((row) => row[column])));
      const alone = forests.map((forest) =>
        Float64Array.from(rows, (row) => predictForest(forest, Float64Array.from(row))),
      );
      const { predict } = bindForests(forests)({ n, values });
      assert.deepEqual(forests.map(predict), alone);
    }
  }
});
