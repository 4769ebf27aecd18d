import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../valuation/random.ts';
import { distanceMi, METRES_PER_MILE } from '../distance.ts';
import { houseOrder } from './house-order.ts';
import { GAP_M, lineUpHouses, type House } from './line-up.ts';

const LAT = 43.05;
const LON = -87.9;
const LAT_M = 1 / 111_195;
const LON_M = LAT_M / Math.cos((LAT * Math.PI) / 180);

const random = seededRandom(3);

/** A place so many metres east and north of a corner. */
const at = (east: number, north: number): Pick<House, 'lat' | 'lon'> => ({
  lat: LAT + north * LAT_M,
  lon: LON + east * LON_M,
});

/** Lots of 15 m on both sides of a street that runs east, houses 18 to 24 m off its middle. */
function street(lots: number, { from = 0, number = 100, sides = [0, 1] } = {}): House[] {
  return Array.from({ length: lots }, (_, i) => i).flatMap((i) =>
    sides.map((side) => ({
      ...at(from + 15 * i + 4 * random(), (side === 0 ? -1 : 1) * (18 + 6 * random())),
      number: number + 4 * i + side,
    })),
  );
}

interface Place {
  readonly lat: number;
  readonly lon: number;
}
const pointsOf = (line: Float64Array): Place[] =>
  Array.from({ length: line.length / 2 }, (_, i) => ({ lon: line[2 * i], lat: line[2 * i + 1] }));
const metresApart = (a: Place, b: Place): number => distanceMi(a.lat, a.lon, b.lat, b.lon) * METRES_PER_MILE;
const lengthOf = (line: Float64Array): number =>
  pointsOf(line).reduce((sum, point, i, all) => sum + (i === 0 ? 0 : metresApart(all[i - 1], point)), 0);
const eastOf = ({ lon }: Place): number => (lon - LON) / LON_M;
const northOf = ({ lat }: Place): number => (lat - LAT) / LAT_M;

test('houses of both sides give one line along the middle of their street', () => {
  const lines = lineUpHouses(street(40));
  assert.equal(lines.length, 1);
  for (const point of pointsOf(lines[0])) assert.ok(Math.abs(northOf(point)) < 6, String(northOf(point)));
  // From the first lot to the last, without running to and fro.
  const length = lengthOf(lines[0]);
  assert.ok(length > 560 && length < 610, String(length));
});

test('the same houses in any order give the same lines', () => {
  const houses = street(20);
  const shuffled = houses.map((house) => ({ house, key: random() })).sort((a, b) => a.key - b.key);
  assert.deepEqual(lineUpHouses(shuffled.map(({ house }) => house)), lineUpHouses(houses));
});

test('a stretch with houses on one side keeps the middle that its neighbours tell', () => {
  const both = street(20);
  const one = street(10, { from: 300, number: 180, sides: [1] });
  const [line, ...others] = lineUpHouses([...both, ...one]);
  assert.equal(others.length, 0);
  const end = pointsOf(line).at(-1);
  assert.ok(end && eastOf(end) > 420 && Math.abs(northOf(end)) < 8);
});

test('a gap that no street needs breaks the line; a shorter one does not', () => {
  const gaps = (gapM: number): number =>
    lineUpHouses([...street(10), ...street(10, { from: 150 + gapM, number: 300 })]).length;
  assert.equal(gaps(GAP_M - 60), 1);
  assert.equal(gaps(GAP_M + 60), 2);
});

test('streets of one name in two towns are two lines, each in its own town', () => {
  const lines = lineUpHouses([...street(30), ...street(30, { from: 5000 })]);
  assert.equal(lines.length, 2);
  for (const line of lines) assert.ok(lengthOf(line) < 500);
});

test('a street that is numbered anew halfway is still one line along its way', () => {
  const lines = lineUpHouses([...street(30), ...street(30, { from: 460 })]);
  assert.equal(lines.length, 1);
  const length = lengthOf(lines[0]);
  assert.ok(length > 850 && length < 950, String(length));
  for (const point of pointsOf(lines[0])) assert.ok(Math.abs(northOf(point)) < 12);
});

test('a street that bends is followed round the bend', () => {
  // A quarter of a circle of 200 m, houses 20 m inside and outside of it.
  const houses = Array.from({ length: 30 }, (_, i) => i).flatMap((i) =>
    [180, 220].map((radius, side) => ({
      ...at(radius * Math.cos((i / 29) * (Math.PI / 2)), radius * Math.sin((i / 29) * (Math.PI / 2))),
      number: 100 + 4 * i + side,
    })),
  );
  const lines = lineUpHouses(houses);
  assert.equal(lines.length, 1);
  for (const point of pointsOf(lines[0])) {
    assert.ok(Math.abs(Math.hypot(eastOf(point), northOf(point)) - 200) < 6);
  }
});

test('houses that stand alone give no line', () => {
  assert.deepEqual(lineUpHouses([]), []);
  assert.deepEqual(lineUpHouses([{ ...at(0, 0), number: 1 }]), []);
  assert.deepEqual(
    lineUpHouses([
      { ...at(0, 0), number: 1 },
      { ...at(900, 0), number: 3 },
    ]),
    [],
  );
});

test('house numbers of every kind grow along their street', () => {
  const rising = [
    ['98', '100', '1102'],
    ['45-02', '45-12', '46-01'],
    ['W156N8480', 'W156N8492'],
    ['9A', '11', '12B'],
  ];
  for (const numbers of rising) {
    const orders = numbers.map((number) => houseOrder(number) ?? Number.NaN);
    assert.deepEqual(
      orders,
      orders.toSorted((a, b) => a - b),
    );
    assert.ok(orders.every(Number.isFinite));
  }
  assert.equal(houseOrder(''), null);
  assert.equal(houseOrder('A'), null);
});
