import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PropertyValuation } from '../../api/valuations.ts';
import { challengeBody, NO_CHANGES } from './changes.ts';
import { changesOfChallenge } from './revised-changes.ts';

type Challenged = Parameters<typeof changesOfChallenge>[0];
type Item = PropertyValuation['comparables']['items'][number];

function itemOf(item: Partial<Item> & Pick<Item, 'comp_id' | 'choice'>): Item {
  const unknown = {
    bedrooms: null,
    bathrooms: null,
    living_area: null,
    lot_size: null,
    year_built: null,
    num_stories: null,
    condition: null,
  };
  return Object.assign(Object.create(null), { property_type: 'houses', ...unknown, ...item });
}

test('the next version of a challenge begins with all of its changes, in the order of their ids', () => {
  const place = { formatted_address: null, latitude: 43, longitude: -88 };
  const sale = { sale_price: 200_000, sale_date: '2026-01-02' };
  const items = [
    itemOf({ comp_id: 'added-2', choice: 'added', ...sale, ...place, bedrooms: 3, condition: 4 }),
    itemOf({ comp_id: 'p', choice: 'pinned' }),
    itemOf({ comp_id: 'added-1', choice: 'added', ...sale, ...place, formatted_address: '1 Oak St' }),
  ];
  const adjustment = { comp_id: 'added-1', field: 'site', amount: 7, reason: 'a corner' } as const;
  const response: Pick<PropertyValuation, 'comparables' | 'changes'> = Object.assign(Object.create(null), {
    comparables: { items },
    changes: {
      facts: [{ field: 'total_bedrooms', before: 2, after: 3 }],
      facts_reason: 'measured',
      assessment: { value: 500_000, year: 2026 },
      excluded: [{ comp_id: 'x', reason: 'on a highway' }],
      adjustments: [{ ...adjustment, computed_amount: 1 }],
      renovations: { items: [{ description: 'Roof', cost: 100, year: null, amount: 25 }] },
    },
  });
  const { changes, facts, appeal } = changesOfChallenge(response satisfies Challenged, []);
  assert.deepEqual(appeal, { facts_reason: 'measured', assessment: { value: 500_000, year: 2026 } });
  assert.deepEqual(challengeBody(changes, facts), {
    property_fields: { total_bedrooms: 3 },
    comparables: {
      pinned: [{ comp_id: 'p' }],
      excluded: [{ comp_id: 'x', reason: 'on a highway' }],
      added: [
        { ...sale, address: '1 Oak St', property_fields: { property_type: 'houses' } },
        {
          ...sale,
          latitude: 43,
          longitude: -88,
          property_fields: { property_type: 'houses', total_bedrooms: 3, condition: 4 },
        },
      ],
      only_pinned: true,
    },
    adjustments: [adjustment],
    renovations: [{ description: 'Roof', cost: 100, value_share: 0.25 }],
  });
  const details = [
    { field: 'property_type', value: 'condos' },
    { field: 'has_pool', value: true },
    { field: 'features.Grade', value: 'B' },
  ];
  const known = changesOfChallenge(response, [{ comp_id: 'added-1', entered_details: details }]);
  assert.deepEqual(
    known.changes.added.map(({ property_fields: fields }) => fields?.has_pool ?? fields?.condition),
    [true, 4],
    'also details that the response lacks',
  );
  assert.deepEqual(known.changes.added[0].property_fields?.features, { Grade: 'B' });
  assert.deepEqual(changesOfChallenge({ comparables: response.comparables }, []), {
    changes: NO_CHANGES,
    facts: {},
    appeal: {},
  });
});
