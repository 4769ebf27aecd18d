import { Type, type Static, type TSchema } from 'typebox';
import { NO_SUCH_ACCOUNT } from '../../accounts/account-of.ts';
import {
  ACCOUNT_ID,
  MAX_ACCOUNT_NAME_LENGTH,
  changeLimits,
  createAccount,
  setLogo,
  setPlan,
} from '../../accounts/manage-accounts.ts';
import { MAX_USER_NAME_LENGTH, prepareUser } from '../../accounts/manage-users.ts';
import { MOST, type Plan, type Rates } from '../../accounts/plans.ts';
import { planOf } from '../../accounts/authenticate.ts';
import { MAX_REASON_CHARACTERS } from '../../operations/market/review-sales.ts';
import { usageOfYear } from '../../accounts/usage.ts';
import { isOperator } from '../../accounts/roles.ts';
import { actingIn } from '../../accounts/sessions.ts';
import type { Logo } from '../../domain/report.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { boolean, integer, nullable, optional, responseObject, string } from '../../schemas/members.ts';
import { listAccounts } from '../../store/accounts.ts';
import { findLogo } from '../../store/report-shares.ts';
import { instantOrNull } from '../../domain/instant.ts';
import { type ConsoleRoute, get, post } from './console-route.ts';
import { idParameter } from '../request-context.ts';
import { ACCOUNT_LIMITS, type Account, type AccountLimits } from '../../store/tables/accounts.ts';
import { NewPassword } from './users.ts';

const PlanName = string('A plan that /console/api/plans lists.', { maxLength: 63 });

const NewAccountBody = Type.Object({
  id: string('1 to 63 lowercase letters, digits and hyphens.', { maxLength: 63 }),
  name: string('Name of the owner.', { minLength: 1, maxLength: MAX_ACCOUNT_NAME_LENGTH }),
  plan: PlanName,
  first_user: Type.Optional(
    Type.Object(
      {
        name: string('The name for signing in, such as an email address.', {
          minLength: 1,
          maxLength: MAX_USER_NAME_LENGTH,
        }),
        password: NewPassword,
      },
      { description: 'An administrator of the new account.' },
    ),
  ),
});

/** The limits that an account can have in place of its plan's. */
function limitMembers<Member extends TSchema>(member: (what: string, least: number) => Member) {
  return {
    per_second: member('Requests per second', 1),
    per_minute: member('Requests per minute', 1),
    per_day: member('Requests per day', 1),
    credits_per_month: member('Credits per month', 0),
    open_jobs: member('Batches queued or running at a time', 1),
    batch_items_per_day: member('Items of batches per UTC day', 1),
    stored_mb: member('Megabytes of valuations and requests of batches kept', 1),
  };
}

const SetLimitsBody = Type.Object({
  ...limitMembers((what, minimum) =>
    optional.integer(`${what}; null = the plan’s.`, { minimum, maximum: MOST }),
  ),
  reason: string('Why; kept in the audit log.', { minLength: 1, maxLength: MAX_REASON_CHARACTERS }),
});

const SetPlanBody = Type.Object({ plan: PlanName });

export const AccountBody = responseObject('Account', {
  id: string(),
  name: string(),
  plan: string(),
  created_at: nullable.string('Null for the built-in account.'),
  limits: nullable.object(
    responseObject(
      'AccountLimits',
      limitMembers(() => nullable.integer()),
    ),
    'Limits of this account in place of its plan’s; null where the plan’s apply.',
  ),
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
  batch_items_per_day: nullable.integer('Items of batches per UTC day; null = no limit.'),
  stored_mb: nullable.integer('Megabytes of valuations and requests of batches kept; null = no limit.'),
});

export const PlansBody = responseObject('Plans', {
  plans: Type.Array(PlanBody, { description: 'All plans for operators; otherwise the plan of the account.' }),
});

export const LogoBody = responseObject('AccountLogo', {
  url: nullable.string('The image as a data URL; null without a logo.'),
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

function accountMembers({
  accountId,
  name,
  plan,
  createdAt,
  limits,
}: Account): ResponseOf<typeof AccountBody> {
  return {
    id: accountId,
    name,
    plan,
    createdAt: instantOrNull(createdAt === 0 ? null : createdAt),
    limits: limits && {
      perSecond: limits.perSecond ?? null,
      perMinute: limits.perMinute ?? null,
      perDay: limits.perDay ?? null,
      creditsPerMonth: limits.creditsPerMonth ?? null,
      openJobs: limits.openJobs ?? null,
      batchItemsPerDay: limits.batchItemsPerDay ?? null,
      storedMb: limits.storedMb ?? null,
    },
  };
}

/** Null if every limit is the plan's. */
function limitsOf(given: Static<typeof SetLimitsBody>): AccountLimits | null {
  const limits = ACCOUNT_LIMITS.flatMap(([name, member]) => {
    const limit = given[member] ?? null;
    return limit === null ? [] : [[name, limit] as const];
  });
  return limits.length === 0 ? null : Object.fromEntries(limits);
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
    batchItemsPerDay: plan.batchItemsPerDay,
    storedMb: plan.storedMb,
  };
}

function rateMembers({ second, minute, day }: Rates) {
  return { perSecond: second ?? null, perMinute: minute ?? null, perDay: day ?? null };
}

function dataUrlOf(logo: Logo | null): string | null {
  return logo && `data:${logo.type};base64,${logo.base64}`;
}

/** Accounts, their plans and usage. Only operators may change accounts. */
export const ACCOUNT_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/plans', 'listPlans', 'signed_in', {
    response: PlansBody,
    handle: async ({ deps, session }) => {
      const { plans } = deps.people;
      const isOwn = ({ name }: Plan): boolean => name === session.plan;
      const shown = [...plans.values()].filter((plan) => isOperator(session) || isOwn(plan));
      // The account's own limits are in place of its plan's.
      return { plans: shown.map((plan) => planMembers(isOwn(plan) ? planOf(plans, session) : plan)) };
    },
  }),
  get('/console/api/accounts', 'listAccounts', 'operator', {
    response: AccountsBody,
    handle: async ({ store }) => ({ accounts: (await listAccounts(store)).map(accountMembers) }),
  }),
  post('/console/api/accounts', 'createAccount', 'operator', {
    input: NewAccountBody,
    hasPassword: true,
    response: AccountBody,
    handle: async ({ deps, session, read }) => {
      const { id: accountId, name, plan, first_user: first } = read();
      const { actor } = actingIn(session);
      const firstUser = first
        ? await prepareUser(deps.people, { ...first, accountId, role: 'administrator' })
        : null;
      return accountMembers(await createAccount(deps.people, actor, { accountId, name, plan }, firstUser));
    },
  }),
  post('/console/api/accounts/{id}/limits', 'setAccountLimits', 'operator', {
    input: SetLimitsBody,
    response: AccountBody,
    handle: async ({ deps, request, session, read }) => {
      const given = read();
      const accountId = idParameter(request, NO_SUCH_ACCOUNT, { form: ACCOUNT_ID });
      const change = { limits: limitsOf(given), reason: given.reason };
      return accountMembers(await changeLimits(deps.people, actingIn(session).actor, accountId, change));
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
  get('/console/api/account/logo', 'readLogo', 'signed_in', {
    response: LogoBody,
    handle: async ({ store, session }) => ({ url: dataUrlOf(await findLogo(store, session.accountId)) }),
  }),
  post('/console/api/account/logo/set', 'setLogo', 'administrator', {
    takesBytes: true,
    response: LogoBody,
    handle: async ({ deps, request: { body }, session }) => {
      const { accountId, actor } = actingIn(session);
      const file = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      return { url: dataUrlOf(await setLogo(deps.people, actor, accountId, file)) };
    },
  }),
  post('/console/api/account/logo/remove', 'removeLogo', 'administrator', {
    response: LogoBody,
    handle: async ({ deps, session }) => {
      const { accountId, actor } = actingIn(session);
      return { url: dataUrlOf(await setLogo(deps.people, actor, accountId, null)) };
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
