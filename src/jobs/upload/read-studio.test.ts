import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessColumns } from './guess-columns.ts';
import { MEMBERS } from './members.ts';
import { createRowReader } from './read-row.ts';

test('a studio has no bedrooms, and the id of a unit is the reference', () => {
  const columns = ['unit id', 'address', 'bedrooms', 'bathrooms'];
  const mapping = guessColumns(MEMBERS.rental, columns);
  const read = createRowReader({ kind: 'rental', columns, mapping, today: '2026-06-30' });
  const { item, problems } = read({ row: 2, cells: ['U1', '1 Main St', 'Studio', '1'] });
  assert.deepEqual(problems, []);
  assert.deepEqual(item, {
    property_id: 'U1',
    location: { address: '1 Main St' },
    property_fields: { units: [{ bedrooms: 0, bathrooms: 1 }] },
  });
});
