import { Type } from 'typebox';
import { answer } from './response-object.ts';

const nullableInteger = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description });

export const UsageQuery = Type.Object(
  {
    period: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'A calendar month in UTC, as `2026-03`.',
        'x-when-omitted': 'the current month',
      }),
    ),
  },
  { title: 'UsageQuery' },
);

const OperationUsage = answer('OperationUsage', {
  operation: Type.String({ description: 'As the scope that opens it: `avm:property`.' }),
  requests: Type.Integer(),
  credits_used: Type.Integer(),
});

export const UsageBody = answer('Usage', {
  account_id: Type.String(),
  plan: Type.String(),
  period: Type.String(),
  requests: Type.Integer({ description: 'Answers that were charged: 2xx, without dry runs.' }),
  credits_used: Type.Integer(),
  credits_limit: nullableInteger('Credits a month; null where the plan has no cap.'),
  credits_remaining: nullableInteger(
    'What requests in flight have set aside is not in it; null where the plan has no cap.',
  ),
  resets_at: Type.String({ format: 'date-time', description: 'When the next period begins.' }),
  operations: Type.Array(OperationUsage),
});
