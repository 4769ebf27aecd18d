import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeCursor, pageOf, placeOfCursor } from './pages.ts';

test('a cursor is accepted exactly as it was returned, and rejected with any character more, less or different', () => {
  const { nextCursor } = pageOf(['a', 'b', 'c'], 2, (last) => `é-${last}`);
  assert.ok(nextCursor);
  assert.equal(placeOfCursor(nextCursor, /^é-(.)$/)?.[1], 'b');
  assert.equal(placeOfCursor(null, /^/), null);
  const changed = [`${nextCursor}x`, `${nextCursor}=`, `${nextCursor} `, ` ${nextCursor}`, `${nextCursor}!`];
  for (const cursor of [...changed, nextCursor.slice(0, -1), '', '*', encodeCursor('other')]) {
    assert.throws(() => placeOfCursor(cursor, /^é-(.)$/), { code: 'invalid_cursor' }, `"${cursor}"`);
  }
});
