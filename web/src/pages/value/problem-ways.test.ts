import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earliestDateIn } from './problem-ways.ts';

test('a refusal leads to the first day that is served, never to the day that was refused', () => {
  const noModel =
    'Market plumb has no property model trained on or before 2025-11-22; the earliest date served is 2026-05-31.';
  assert.equal(earliestDateIn(noModel, '2025-11-22'), '2026-05-31');
  assert.equal(
    earliestDateIn('The first model here serves dates from 2026-05-31 on.', '2026-01-31'),
    '2026-05-31',
  );
  const tooFew =
    'On 2026-11-22 market plumb knew fewer than 30 usable sales within 1 miles of this point. Ask for a later date.';
  assert.equal(earliestDateIn(tooFew, '2026-11-22'), null);
  assert.equal(earliestDateIn('Too little is known of it on 2026-11-22.', '2026-11-22'), null);
  assert.equal(earliestDateIn('The first day served is 2026-05-31.', '2026-05-31'), null);
  assert.equal(earliestDateIn('No model is trained here.', '2026-11-22'), null);
});
