import type { Static } from 'typebox';
import type { UsageBody } from '../../schemas/usage.ts';

const usage: Static<typeof UsageBody> = {
  account_id: 'acme-lending',
  plan: 'standard',
  period: '2026-03',
  requests: 2,
  credits_used: 75,
  credits_limit: 100000,
  credits_remaining: 99925,
  resets_at: '2026-04-01T00:00:00.000Z',
  operations: [
    { operation: 'avm:property', requests: 1, credits_used: 35 },
    { operation: 'avm:rental', requests: 1, credits_used: 40 },
  ],
};

export const USAGE_EXAMPLES: Readonly<Record<string, unknown>> = {
  Usage: usage,
  UsageQuery: { period: '2026-03' },
};
