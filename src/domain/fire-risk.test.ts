import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fireRiskOf } from './fire-risk.ts';

const PUBLISHED = join(import.meta.dirname, '../../../shared/data/fire/wrc_bp_thresholds.json');

interface PublishedClass {
  readonly level: number;
  readonly label: string;
}

const probability = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: -9, max: 0, noNaN: true }).map((power) => 10 ** power),
  fc.integer({ min: 0, max: 9 }).map((k) => 1e-4 * 10 ** (k / 3)),
);

/** The rule, computed directly: the first third of a decade that reaches the probability. */
function naiveLevel(p: number): number {
  if (p === 0) return 0;
  for (let k = 0; k <= 9; k++) if (p <= 1e-4 * 10 ** (k / 3)) return k + 1;
  return 11;
}

function naiveCategory(level: number): string {
  if (level === 0) return 'none';
  if (level === 1) return 'low';
  if (level <= 3) return 'low_moderate';
  if (level <= 6) return 'moderate';
  return level <= 8 ? 'moderate_high' : 'high';
}

test('level and category are as documented for every probability, bounds included', () => {
  fc.assert(
    fc.property(probability, (p) => {
      const { level, category } = fireRiskOf(p);
      assert.equal(level, naiveLevel(p));
      assert.equal(category, naiveCategory(level));
    }),
    { numRuns: 2000 },
  );
  assert.deepEqual(
    [1e-4, 0.001, 0.01, 0.1, 0.1000001, 1].map((p) => fireRiskOf(p).level),
    [1, 4, 7, 10, 11, 11],
  );
});

test('chance and years agree, are whole, and are null if nothing burns', () => {
  fc.assert(
    fc.property(probability, (p) => {
      const { annualChance, returnPeriodYears } = fireRiskOf(p);
      if (p === 0) return assert.deepEqual([annualChance, returnPeriodYears], [null, null]);
      assert.equal(returnPeriodYears, Math.min(Number.MAX_SAFE_INTEGER, Math.floor(1 / p)));
      assert.equal(annualChance, `1-in-${returnPeriodYears}`);
    }),
  );
  assert.equal(fireRiskOf(Math.fround(0.0032)).annualChance, '1-in-312');
  assert.equal(fireRiskOf(1e-45).annualChance, '1-in-9007199254740991');
});

test('no data is unknown, not zero; every known risk states what burns', () => {
  assert.equal(fireRiskOf(null).category, 'unknown');
  assert.equal(fireRiskOf(0).category, 'none');
  for (const p of [0, 1e-5, 0.05]) assert.match(fireRiskOf(p).description, /not of a house being lost/);
});

test(
  'levels 0 to 9 and their labels are those that the Forest Service publishes',
  { skip: !existsSync(PUBLISHED) && `there is no ${PUBLISHED}` },
  () => {
    const { breaks, classes_published: classes } = JSON.parse(readFileSync(PUBLISHED, 'utf8')) as {
      breaks: number[];
      classes_published: PublishedClass[];
    };
    // The published breaks are rounded to seven decimals, ours are exact. A tiny step to either side
    // separates the two levels.
    for (const [at, bound] of breaks.entries()) {
      assert.equal(fireRiskOf(bound === 0 ? 0 : bound - 1e-7).level, at, `below ${bound}`);
      assert.equal(fireRiskOf(bound + 1e-7).level, at + 1, `above ${bound}`);
    }
    for (const { level, label } of classes.filter((published) => published.level > 0)) {
      const middle = level === 10 ? 0.07 : (breaks[level - 1] + breaks[level]) / 2;
      assert.equal(fireRiskOf(middle).categoryDisplay.toLowerCase(), label.toLowerCase(), `level ${level}`);
    }
  },
);
