import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfData } from './end-of-data.ts';

test('the end of old data is offered as a date if a model can serve it', () => {
  assert.equal(endOfData('2022-12', '2026-11-29', '2022-12-31'), '2022-12-31');
  assert.equal(endOfData('2022-12', '2026-11-29', '2026-11-29'), null, 'trained later');
  assert.equal(endOfData('2026-10', '2026-11-29', '2026-06-30'), null, 'not old');
});
