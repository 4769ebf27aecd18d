import { Type } from 'typebox';
import {
  ACCOUNT_ID,
  MAX_ACCOUNT_NAME_LENGTH,
  NO_SUCH_ACCOUNT,
  createAccount,
  setPlan,
} from '../../accounts/manage-accounts.ts';
import type { Plan, Rates } from '../../accounts/plans.ts';
import { usageOfYear } from '../../accounts/usage.ts';
import { isOperator } from '../../accounts/roles.ts';
import { actingIn } from '../../accounts/sessions.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { boolean, integer, nullable, responseObject, string } from '../../schemas/members.ts';
import { listAccounts } from '../../store/accounts.ts';
import { instantOrNull } from '../../domain/instant.ts';
import { type ConsoleRoute, get, post } from './console-route.ts';
import { idParameter } from '../request-context.ts';
import type { Account } from '../../store/tables/accounts.ts';

const PlanName = string('A plan that /console/api/plans lists.', { maxLength: 63 });

const NewAccountBody = Type.Object({
  id: string('1 to 63 lowercase letters, digits and hyphens.', { maxLength: 63 }),
  name: string('Name of the owner.', { minLength: 1, maxLength: MAX_ACCOUNT_NAME_LENGTH }),
  plan: PlanName,
});

const SetPlanBody = Type.Object({ plan: PlanName });

export const AccountBody = responseObject('Account', {
  id: string(),
  name: string(),
  plan: string(),
  created_at: nullable.string('Null for the built-in account.'),
});

export const AccountsBody = responseObject('Accounts', {
  accounts: Type.Array(AccountBody, { description: 'By id.' }),
});

const limit = (window: string) => nullable.integer(`Requests per ${window}; null = no limit.`);

const Requests = responseObject('RequestLimits', {
  per_second: limit('second'),
  per_minute: limit('minute'),
  per_day: limit('day'),
});

const PlanBody = responseObject('Plan', {
  name: string(),
  endpoints: Type.Array(string(), { description: 'Scopes that it includes; * is all.' }),
  requests: Requests,
  requests_per_key: Requests,
  credits_per_month: nullable.integer('Null = no cap.'),
  batch: boolean(),
  open_jobs: nullable.integer('Batches queued or running at a time; null = no limit.'),
});

export const PlansBody = responseObject('Plans', {
  plans: Type.Array(PlanBody, { description: 'All plans for operators; otherwise the plan of the account.' }),
});

export const UsageMonthsBody = responseObject('UsageMonths', {
  months: Type.Array(
    responseObject('MonthUsage', {
      period: string('A calendar month in UTC, such as `2026-03`.'),
      operation: string(),
      requests: integer('Charged responses.'),
      credits_used: integer(),
    }),
    {
      description: 'This month and the eleven before, oldest first. Operations without charges are left out.',
    },
  ),
});

function accountMembers({ accountId, name, plan, createdAt }: Account): ResponseOf<typeof AccountBody> {
  return { id: accountId, name, plan, createdAt: instantOrNull(createdAt === 0 ? null : createdAt) };
}

function planMembers(plan: Plan): ResponseOf<typeof PlanBody> {
  return {
    name: plan.name,
    endpoints: [...plan.scopes],
    requests: rateMembers(plan.rates),
    requestsPerKey: rateMembers(plan.keyRates),
    creditsPerMonth: plan.creditsPerMonth,
    batch: plan.isBatchAllowed,
    openJobs: plan.openJobs,
  };
}

function rateMembers({ second, minute, day }: Rates) {
  return { perSecond: second ?? null, perMinute: minute ?? null, perDay: day ?? null };
}

/** Accounts, their plans and usage. Only operators may change accounts. */
export const ACCOUNT_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/plans', 'listPlans', 'signed_in', {
    response: PlansBody,
    handle: async ({ deps, session }) => {
      const plans = [...deps.people.plans.values()];
      const shown = isOperator(session) ? plans : plans.filter(({ name }) => name === session.plan);
      return { plans: shown.map(planMembers) };
    },
  }),
  get('/console/api/accounts', 'listAccounts', 'operator', {
    response: AccountsBody,
    handle: async ({ store }) => ({ accounts: (await listAccounts(store)).map(accountMembers) }),
  }),
  post('/console/api/accounts', 'createAccount', 'operator', {
    input: NewAccountBody,
    response: AccountBody,
    handle: async ({ deps, session, read }) => {
      const { id: accountId, name, plan } = read();
      const { actor } = actingIn(session);
      return accountMembers(await createAccount(deps.people, actor, { accountId, name, plan }));
    },
  }),
  post('/console/api/accounts/{id}/plan', 'setAccountPlan', 'operator', {
    input: SetPlanBody,
    response: AccountBody,
    handle: async ({ deps, request, session, read }) => {
      const { plan } = read();
      const accountId = idParameter(request, NO_SUCH_ACCOUNT, { form: ACCOUNT_ID });
      return accountMembers(await setPlan(deps.people, actingIn(session).actor, accountId, plan));
    },
  }),
  // A year in one response. The API reports one month at a time.
  get('/console/api/usage/months', 'listUsageMonths', 'usage:read', {
    response: UsageMonthsBody,
    handle: async ({ deps, session }) => {
      const rows = await usageOfYear(deps.people, session.accountId);
      const months = rows.map(({ period, operation, requests, credits }) => {
        return { period, operation, requests, creditsUsed: credits };
      });
      return { months };
    },
  }),
];
