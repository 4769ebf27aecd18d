import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUILT_IN_PLANS, parsePlans } from './plans.ts';
import { includesScope } from './scopes.ts';

const PARTNER = {
  endpoints: ['avm:*', 'coverage:read'],
  requests: { per_second: 3, per_day: 1000 },
  requests_per_key: { per_minute: 10 },
  credits_per_month: 50_000,
  batch: true,
  open_jobs: 3,
  batch_items_per_day: 20_000,
  stored_mb: 500,
};

test('plans of a file are added to the built-in ones, or replace them', () => {
  const plans = parsePlans({ plans: { partner: PARTNER, free: { ...PARTNER, batch: false } } });
  assert.deepEqual([...plans.keys()], ['free', 'standard', 'professional', 'unlimited', 'partner']);
  assert.deepEqual(plans.get('partner'), {
    name: 'partner',
    scopes: ['avm:*', 'coverage:read'],
    rates: { second: 3, day: 1000 },
    keyRates: { minute: 10 },
    creditsPerMonth: 50_000,
    isBatchAllowed: true,
    openJobs: 3,
    batchItemsPerDay: 20_000,
    storedMb: 500,
  });
  assert.equal(plans.get('free')?.creditsPerMonth, 50_000);
  assert.equal(plans.get('standard'), BUILT_IN_PLANS.get('standard'));
});

test('a plan includes only its endpoints', () => {
  const partner = parsePlans({ plans: { partner: PARTNER } }).get('partner');
  assert.ok(partner);
  assert.deepEqual(
    ['avm:rental', 'coverage:read', 'places:fire', 'comprehensive'].map((scope) =>
      includesScope(partner.scopes, scope),
    ),
    [true, true, false, false],
  );
});

test('an invalid member is named', () => {
  const wrong: [unknown, RegExp][] = [
    [null, /^the file is null; it must be an object/],
    [{}, /^plans is missing/],
    [{ plan: {} }, /unknown member "plan"/],
    [{ plans: { 'Big Co': PARTNER } }, /^plans\.Big Co: a plan's name/],
    [{ plans: { a: 1 } }, /^plans\.a is 1/],
    [{ plans: { a: { ...PARTNER, color: 1 } } }, /^plans\.a has the unknown member "color"/],
    [{ plans: { a: { ...PARTNER, endpoints: '*' } } }, /^plans\.a\.endpoints is "\*"/],
    [{ plans: { a: { ...PARTNER, endpoints: ['avm:*', 'avm'] } } }, /^plans\.a\.endpoints\[1\] is "avm"/],
    [{ plans: { a: { ...PARTNER, requests: undefined } } }, /^plans\.a\.requests is missing/],
    [
      { plans: { a: { ...PARTNER, requests: { per_hour: 1 } } } },
      /^plans\.a\.requests has the unknown member "per_hour"/,
    ],
    [{ plans: { a: { ...PARTNER, requests: { per_day: 0 } } } }, /^plans\.a\.requests\.per_day is 0/],
    [
      { plans: { a: { ...PARTNER, requests_per_key: { per_minute: 1.5 } } } },
      /requests_per_key\.per_minute is 1\.5/,
    ],
    [{ plans: { a: { ...PARTNER, credits_per_month: '5' } } }, /^plans\.a\.credits_per_month is "5"/],
    [
      { plans: { a: { ...PARTNER, credits_per_month: undefined } } },
      /^plans\.a\.credits_per_month is missing/,
    ],
    [{ plans: { a: { ...PARTNER, batch: 'no' } } }, /^plans\.a\.batch is "no"/],
    [{ plans: { a: { ...PARTNER, open_jobs: 0 } } }, /^plans\.a\.open_jobs is 0/],
    [{ plans: { a: { ...PARTNER, batch_items_per_day: 0.5 } } }, /^plans\.a\.batch_items_per_day is 0\.5/],
  ];
  for (const [file, message] of wrong) assert.throws(() => parsePlans(file), { message });
});
