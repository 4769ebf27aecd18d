import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRICE_INDEX } from '../model/constants.ts';
import { seededRandom } from '../random.ts';
import { findLevelJumps, jumpsUntil, refineLevelJumps } from './level-jumps.ts';
import { ownFigures } from './own-figures.ts';
import { marketIndexAt, marketPathOf } from './price-index.ts';

const LAST = 18_000;

/** Three years of residuals with a trend and a season, and a jump in the last months. */
function marketOf(seed: number, perMonth: number, noise: number, jump = { days: 0, size: 0 }) {
  const random = seededRandom(seed);
  const trend = 0.16 * (random() - 0.5);
  const season = 0.04 * random();
  const levelOn = (day: number) =>
    (trend * (day - LAST)) / 365 +
    season * Math.sin((2 * Math.PI * day) / 365) +
    (day > LAST - jump.days ? jump.size : 0);
  const soldOn = Float64Array.from({ length: 36 * perMonth }, () => LAST - Math.floor(random() * 1095));
  const residual = soldOn.map((day) => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return levelOn(day) + noise * normal;
  });
  return { sales: { soldOn, residual }, levelOn };
}

test('the index is at the new level after a jump that at least 100 sales have seen', () => {
  let seed = 0;
  const missed: number[] = [];
  for (const percent of [-20, -10, 0, 10, 20, 35]) {
    for (const days of [30, 60, 90]) {
      const size = Math.log(1 + percent / 100);
      const { sales, levelOn } = marketOf(++seed, 150, 0.12, { days, size });
      const jumps = findLevelJumps(sales);
      const left = sales.residual.map((r, i) => r - jumpsUntil(jumps, sales.soldOn[i]));
      const own = ownFigures(sales.soldOn, left, PRICE_INDEX.firstClip);
      const path = marketPathOf({ own }, { kind: 'rents' }, LAST);
      // A year earlier, the season is the same.
      const change = marketIndexAt({ jumps }, path, LAST) - marketIndexAt({ jumps }, path, LAST - 365);
      missed.push(change - (levelOn(LAST) - levelOn(LAST - 365)));
      assert.equal(jumps.length, percent === 0 ? 0 : 1);
    }
  }
  const sizes = missed.map(Math.abs).toSorted((a, b) => a - b);
  assert.ok(sizes[8] < 0.02 && sizes[17] < 0.06, JSON.stringify(missed));
});

test('a market that only rises, falls or has a season has no jump', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const [perMonth, noise] = [20 + 30 * (seed % 10), 0.08 + 0.04 * (seed % 5)];
    assert.deepEqual(findLevelJumps(marketOf(seed, perMonth, noise).sales), [], String(seed));
  }
});

test('a jump that is smaller in the residuals without it is corrected, or dropped where it is too small for one', () => {
  const day = LAST - 60;
  const refined = (size: number) => {
    const { sales } = marketOf(1, 150, 0.12, { days: 60, size });
    return refineLevelJumps([{ day, size: 0.12 }], sales);
  };
  assert.equal(refined(0.1).length, 1);
  assert.ok(Math.abs(refined(0.1)[0].size - 0.22) < 0.03);
  assert.deepEqual(refined(-0.1), []);
});

test('jumps add up from their days on', () => {
  const jumps = [
    { day: 10, size: 0.2 },
    { day: 20, size: -0.1 },
  ];
  assert.deepEqual(
    [9, 10, 19, 20].map((day) => jumpsUntil(jumps, day)),
    [0, 0.2, 0.2, 0.1],
  );
});
