import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseDay } from '../domain/day.ts';
import { findCandidates } from './candidate-columns.ts';
import { checkOptions } from './check-options.ts';
import { inspectFile } from './inspect-file.ts';

const COLUMNS =
  'sale_price,sale_date,latitude,longitude,bedrooms,has_basement,grade,style,assessed_value,worth,row_code,notes,empty,state_name,rooms,owner_age,median_income';

/** A file of 100 sales. */
function salesText(): string {
  const rows = Array.from({ length: 100 }, (_, i) => {
    const price = 100_000 + ((i * 7919) % 100) * 3000;
    const bedrooms = 1 + (i % 5);
    const notes = `corner lot, sold by the ${i}th heir`;
    const sale = `${price},2020-01-02,${43 + i / 1000},-88,${bedrooms},${(i % 9) * 100},${i % 7},${['Ranch', 'Colonial'][i % 2]}`;
    const others = `${price * 0.8},${price / 1000 + (i % 3)},K${i},"${notes}",,WI,${bedrooms}`;
    return `${sale},${others},${30 + (i % 40)},${50_000 + i}`;
  });
  return [COLUMNS, ...rows].join('\n');
}

test('every column without a meaning of its own is a candidate, except those that leak the price or say nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candidates-'));
  try {
    const path = join(folder, 'sales.csv');
    writeFileSync(path, salesText());
    const { accepted, rejected } = await findCandidates([path], { kind: 'sales', mapping: {} });
    assert.deepEqual(accepted, ['has_basement', 'grade', 'style']);
    const reasons = Object.fromEntries(rejected.map(({ name, reason }) => [name, reason]));
    assert.deepEqual(Object.keys(reasons).length, 9);
    assert.match(reasons.assessed_value, /follows the price; to compare it .*under Batches/);
    assert.match(reasons.worth, /follows the price more closely than a home can/);
    assert.match(reasons.row_code, /identifier/);
    assert.match(reasons.notes, /identifier|free text/);
    assert.match(reasons.empty, /mostly empty/);
    assert.match(reasons.rooms, /the same as bedrooms/);
    for (const name of ['owner_age', 'median_income']) assert.match(reasons[name], /protected/);
    const inspected = await inspectFile(path, { kind: 'sales', today: parseDay('2026-01-01') ?? 0 });
    const listed = inspected.columns.filter(({ isCandidate }) => isCandidate).map(({ name }) => name);
    assert.deepEqual(listed, accepted, 'an inspection lists what an import would keep');
    for (const { name, noFeatureReason } of inspected.columns) {
      assert.equal(noFeatureReason, reasons[name] ?? null, name);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a column that describes people is refused as a feature, also if the operator names it', () => {
  const today = parseDay('2026-01-01') ?? 0;
  const options = { marketId: 'wi-test', files: ['sales.csv'] };
  for (const name of ['race', 'Median_Age', 'household_income', 'pct_hispanic']) {
    assert.throws(() => checkOptions({ ...options, features: ['grade', name] }, today), /describes people/);
  }
  checkOptions({ ...options, features: ['grade', 'building_age'] }, today);
});
