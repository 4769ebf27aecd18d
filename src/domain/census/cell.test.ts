import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { knownCell, percentageOf, unknownCell, type CensusCell } from './cell.ts';

/** The handbook's formula, written in standard errors (margin / 1.645), as one would compute it by hand. */
function naivePercentage(part: CensusCell, base: CensusCell): [number | null, number | null] {
  if (part.value === null || base.value === null || base.value === 0) return [null, null];
  const p = part.value / base.value;
  const percent = Math.round(p * 100 * 100) / 100;
  if (part.marginOfError === null || base.marginOfError === null) return [percent, null];
  const sePart = part.marginOfError / 1.645;
  const seBase = base.marginOfError / 1.645;
  let se = sePart / base.value;
  if (part.value !== base.value) {
    const inside = sePart * sePart - p * p * seBase * seBase;
    se = Math.sqrt(inside < 0 ? sePart * sePart + p * p * seBase * seBase : inside) / base.value;
  }
  return [percent, se * 1.645 * 100];
}

const margin = fc.option(fc.integer({ min: 0, max: 5000 }), { freq: 6 });
const count = fc.record({ value: fc.integer({ min: 0, max: 20_000 }), margin });

test('a derived percentage and its margin are those of the handbook’s formula', () => {
  fc.assert(
    fc.property(count, count, (a, b) => {
      const [low, high] = a.value <= b.value ? [a, b] : [b, a];
      const part = knownCell(low.value, low.margin);
      const base = knownCell(high.value, high.margin);
      const derived = percentageOf(part, base);
      const [percent, marginOfError] = naivePercentage(part, base);
      assert.equal(derived.value, percent);
      if (percent === null) return assert.equal(derived.nullReason, 'base_is_zero');
      assert.ok(percent >= 0 && percent <= 100);
      if (marginOfError === null) return assert.equal(derived.marginOfError, null);
      assert.ok(derived.marginOfError !== null && derived.marginOfError >= 0);
      assert.ok(Math.abs(derived.marginOfError - marginOfError) <= 0.005 + marginOfError * 1e-9);
    }),
    { numRuns: 2000 },
  );
});

test('worked example of the handbook: 203,119 of 630,498 women, margins 5,070 and 831, are 32.22 % ± 0.80', () => {
  const share = percentageOf(knownCell(203_119, 5070), knownCell(630_498, 831));
  assert.deepEqual([share.value, share.marginOfError], [32.22, 0.8]);
});

test('a share of 100% has a margin of error', () => {
  assert.equal(percentageOf(knownCell(2, 3), knownCell(2, 3)).marginOfError, 150);
});

test('a percentage of an unknown figure gives the reason', () => {
  assert.equal(percentageOf(unknownCell('suppressed'), knownCell(5)).nullReason, 'suppressed');
  assert.equal(percentageOf(knownCell(5), unknownCell('not_loaded')).nullReason, 'not_loaded');
  assert.equal(percentageOf(knownCell(0, 12), knownCell(0, 12)).nullReason, 'base_is_zero');
});
