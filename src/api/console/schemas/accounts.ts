import { Type } from 'typebox';
import { ACCOUNT_NAME_LENGTH_MAX } from '../../../accounts/manage-accounts.ts';
import { answer } from '../../../schemas/response-object.ts';
import { nullableInteger, nullableString } from '../../../schemas/members.ts';

const PLAN_NAME_LENGTH_MAX = 63;

const PlanName = Type.String({
  description: 'One of those that /console/api/plans lists.',
  maxLength: PLAN_NAME_LENGTH_MAX,
});

export const NewAccountBody = Type.Object(
  {
    id: Type.String({ description: '1 to 63 small letters, digits and hyphens.', maxLength: 63 }),
    name: Type.String({ description: 'Whose it is.', minLength: 1, maxLength: ACCOUNT_NAME_LENGTH_MAX }),
    plan: PlanName,
  },
  { title: 'NewAccount' },
);

export const SetPlanBody = Type.Object({ plan: PlanName }, { title: 'SetPlan' });

export const AccountBody = answer('Account', {
  id: Type.String(),
  name: Type.String(),
  plan: Type.String(),
  created_at: nullableString({ description: 'Null of the installation’s own, which has always been there.' }),
});

export const AccountsBody = answer('Accounts', {
  accounts: Type.Array(AccountBody, { description: 'By id.' }),
});

const limit = (window: string) => nullableInteger({ description: `Requests a ${window}; null = no limit.` });

const Requests = answer('RequestLimits', {
  per_second: limit('second'),
  per_minute: limit('minute'),
  per_day: limit('day'),
});

export const PlanBody = answer('Plan', {
  name: Type.String(),
  endpoints: Type.Array(Type.String(), {
    description: 'What it includes, as scopes of keys; * is everything.',
  }),
  requests: Requests,
  requests_per_key: Requests,
  credits_per_month: nullableInteger({ description: 'Null = counted, never refused.' }),
  batch: Type.Boolean(),
  open_jobs: nullableInteger({ description: 'Batches queued or under way at a time; null = no limit.' }),
});

export const PlansBody = answer('Plans', {
  plans: Type.Array(PlanBody, { description: 'All of them for operators; for everybody else their own.' }),
});
