import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testColumns, testHome } from '../../../test/harness/valuation/market.ts';
import type { DescribedSubject } from '../valuation-types.ts';
import { withGivenFeatures } from './own-features.ts';

test('a feature that the request gives describes every home that may be meant', () => {
  const columns = testColumns(300);
  const market = { columns, model: { trainedOn: Math.max(...columns.availableOn) } };
  const other = testHome({ features: { grade: 'low', view: 'LAKE' } });
  const home = testHome({ features: { grade: 'low' }, alternatives: [{ home: other, probability: 0.3 }] });
  const subject: DescribedSubject = { home, typeSource: 'record', sources: {}, warnings: [] };
  const { home: described, givenFeatures } = withGivenFeatures(subject, market, { Grade: 'HIGH' });
  assert.deepEqual(givenFeatures, ['grade']);
  assert.deepEqual(described.features, { grade: 'high' });
  const [{ home: alternative, probability }] = described.alternatives ?? [];
  assert.deepEqual([alternative.features, probability], [{ grade: 'high', view: 'LAKE' }, 0.3]);
  assert.equal(withGivenFeatures(subject, market, undefined), subject);
});
