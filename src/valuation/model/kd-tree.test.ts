import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildKdTree, createNeighbors, nearestInTree } from './kd-tree.ts';
import { seededRandom } from '../random.ts';

test('the nearest points are those of a full scan, ties by id, without the own group', () => {
  for (const [n, dimensions, steps] of [
    [1, 2, 5],
    [9, 2, 3],
    [300, 2, 6],
    [500, 2, 1000],
    [700, 5, 4],
    [700, 7, 1000],
  ]) {
    const random = seededRandom(n + dimensions);
    // Few steps make many points coincide, as homes of one building do.
    const points = Float64Array.from({ length: n * dimensions }, () => Math.floor(random() * steps) / steps);
    const ids = Int32Array.from({ length: n }, (_, i) => (i * 7919) % 100_003);
    const groups = new Int32Array(100_003);
    ids.forEach((id) => (groups[id] = Math.floor(random() * 20)));
    const tree = buildKdTree(points, ids, dimensions);
    const found = createNeighbors(40);
    for (let q = 0; q < 40; q++) {
      const query = Float64Array.from({ length: dimensions }, () => Math.floor(random() * steps) / steps);
      const excluded = q % 3 === 0 ? -1 : q % 20;
      const expected = Array.from(ids, (id, i) => {
        let square = 0;
        for (let d = 0; d < dimensions; d++) square += (points[i * dimensions + d] - query[d]) ** 2;
        return { id, distance: Math.sqrt(square), square };
      })
        .filter(({ id }) => groups[id] !== excluded)
        .sort((a, b) => a.square - b.square || a.id - b.id)
        .slice(0, 40);
      nearestInTree(tree, query, 40, groups, excluded, found);
      assert.deepEqual(
        Array.from(found.ids.subarray(0, found.count)),
        expected.map(({ id }) => id),
      );
      assert.deepEqual(
        Array.from(found.distances.subarray(0, found.count)),
        expected.map(({ distance }) => distance),
      );
    }
  }
});

test('a tree without points finds nothing', () => {
  const found = createNeighbors(3);
  nearestInTree(
    buildKdTree(new Float64Array(0), new Int32Array(0), 2),
    Float64Array.of(0, 0),
    3,
    new Int32Array(0),
    -1,
    found,
  );
  assert.equal(found.count, 0);
});
