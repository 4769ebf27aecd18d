import { Type } from 'typebox';
import { answer } from '../../../schemas/response-object.ts';

const MonthUsage = answer('MonthUsage', {
  period: Type.String({ description: 'A calendar month in UTC, as `2026-03`.' }),
  operation: Type.String(),
  requests: Type.Integer({ description: 'Answers that were charged.' }),
  credits_used: Type.Integer(),
});

export const UsageMonthsBody = answer('UsageMonths', {
  months: Type.Array(MonthUsage, {
    description: 'Of this month and the eleven before, oldest first; what was not charged has no entry.',
  }),
});
