import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../valuation/random.ts';
import type { Point } from './document.ts';
import { placeDiscs } from './place-discs.ts';

const RADIUS = 7;
const ROOM = { width: 500, height: 230, taken: [[0, 200, 120, 230]] } as const;

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(ax - bx, ay - by);

test('no disc covers another, the subject, the scale or the edge, and one with room stays at its place', () => {
  const random = seededRandom(3);
  const subject: Point = [250, 115];
  for (const spread of [1, 20, 400]) {
    const own: Point[] = Array.from({ length: 20 }, () => [
      250 + spread * (random() - 0.5),
      115 + 0.4 * spread * (random() - 0.5),
    ]);
    const placed = placeDiscs(own, RADIUS, [subject], ROOM);
    placed.forEach((at, i) => {
      assert.ok([subject, ...placed.slice(0, i)].every((other) => distance(at, other) >= 2 * RADIUS));
      assert.ok(at[0] >= RADIUS && at[0] <= 493 && at[1] >= RADIUS && at[1] <= 223);
      assert.ok(at[0] > 120 || at[1] < 200);
      const hasRoom = [subject, ...placed.slice(0, i)].every(
        (other) => distance(own[i], other) > 2.2 * RADIUS,
      );
      if (hasRoom) assert.deepEqual(at, own[i]);
      assert.ok(distance(at, own[i]) < 90, 'it stays near its place');
    });
  }
});

test('where nothing is free, a disc stays at its place', () => {
  const room = { width: 20, height: 20, taken: [] };
  assert.deepEqual(placeDiscs([[10, 10]], RADIUS, [[10, 10]], room), [[10, 10]]);
});
