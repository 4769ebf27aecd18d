import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAccuracy } from './train.ts';

test('a training prints the error on its holdout sales or listings, or that it has none', () => {
  const measured = { ppe10: 0.5, coverage90: 0.9, window: '2022-07-01 … 2022-12-31' };
  const accuracy = [
    { stratum: 'condos', n: 100, mdape: 0.07, ...measured },
    { stratum: 'all', n: 1458, mdape: 0.1122, ...measured },
  ];
  assert.equal(
    describeAccuracy({ kind: 'property', accuracy }),
    'Median error (MdAPE) 11.22% on 1,458 holdout sales.',
  );
  assert.equal(
    describeAccuracy({ kind: 'rental', accuracy }),
    'Median error (MdAPE) 11.22% on 1,458 holdout listings.',
  );
  assert.match(describeAccuracy({ kind: 'property', accuracy: [] }), /no holdout sales/);
});
