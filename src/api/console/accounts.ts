import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  ACCOUNT_ID,
  ACCOUNT_NAME_LENGTH_MAX,
  NO_SUCH_ACCOUNT,
  createAccount,
  setPlan,
} from '../../accounts/manage-accounts.ts';
import type { Plan, Rates } from '../../accounts/plans.ts';
import { isOperator } from '../../accounts/roles.ts';
import { actingIn } from '../../accounts/sessions.ts';
import { PlumblineError } from '../../errors.ts';
import { boolean, nullable, responseObject, string } from '../../schemas/members.ts';
import { type Account, listAccounts } from '../../store/accounts.ts';
import { admittedSession, pathParameter } from '../request-context.ts';
import { readRequest } from '../request/read-http-request.ts';
import { createRequestReader } from '../request/read-request.ts';
import type { ApiDeps } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';
import { instant } from './instant.ts';

const PLAN_NAME_LENGTH_MAX = 63;

const PlanName = string('One of those that /console/api/plans lists.', { maxLength: PLAN_NAME_LENGTH_MAX });

const NewAccountBody = Type.Object(
  {
    id: string('1 to 63 small letters, digits and hyphens.', { maxLength: 63 }),
    name: string('Whose it is.', { minLength: 1, maxLength: ACCOUNT_NAME_LENGTH_MAX }),
    plan: PlanName,
  },
  { title: 'NewAccount' },
);

const SetPlanBody = Type.Object({ plan: PlanName }, { title: 'SetPlan' });

export const AccountBody = responseObject('Account', {
  id: string(),
  name: string(),
  plan: string(),
  created_at: nullable.string('Null of the installation’s own, which has always been there.'),
});

export const AccountsBody = responseObject('Accounts', {
  accounts: Type.Array(AccountBody, { description: 'By id.' }),
});

const limit = (window: string) => nullable.integer(`Requests a ${window}; null = no limit.`);

const Requests = responseObject('RequestLimits', {
  per_second: limit('second'),
  per_minute: limit('minute'),
  per_day: limit('day'),
});

const PlanBody = responseObject('Plan', {
  name: string(),
  endpoints: Type.Array(string(), {
    description: 'What it includes, as scopes of keys; * is everything.',
  }),
  requests: Requests,
  requests_per_key: Requests,
  credits_per_month: nullable.integer('Null = counted, never refused.'),
  batch: boolean(),
  open_jobs: nullable.integer('Batches queued or under way at a time; null = no limit.'),
});

export const PlansBody = responseObject('Plans', {
  plans: Type.Array(PlanBody, { description: 'All of them for operators; for everybody else their own.' }),
});

const newAccountRequest = createRequestReader({
  schema: NewAccountBody,
  check: () => [],
  build: ({ id, name, plan }) => ({ accountId: id, name, plan }),
});

const planRequest = createRequestReader({
  schema: SetPlanBody,
  check: () => [],
  build: ({ plan }) => plan,
});

/** What there is to be had; to those who run one account, what it has. */
async function getPlans(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof PlansBody>> {
  const session = admittedSession(request);
  const plans = [...deps.people.plans.values()];
  const shown = isOperator(session) ? plans : plans.filter(({ name }) => name === session.plan);
  return { plans: shown.map(presentPlan) };
}

async function getAccounts(deps: ApiDeps): Promise<Static<typeof AccountsBody>> {
  return { accounts: (await listAccounts(deps.people.store)).map(presentAccount) };
}

async function postAccount(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof AccountBody>> {
  const { actor } = actingIn(admittedSession(request));
  const asked = readRequest(deps, request, reply, newAccountRequest);
  return presentAccount(await createAccount(deps.people, actor, asked));
}

async function postAccountPlan(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof AccountBody>> {
  const { actor } = actingIn(admittedSession(request));
  const plan = readRequest(deps, request, reply, planRequest);
  return presentAccount(await setPlan(deps.people, actor, accountIdOf(request), plan));
}

/** What cannot be an id never reaches the database, and is as missing as any other. */
function accountIdOf(request: FastifyRequest): string {
  const id = pathParameter(request, 'id');
  if (ACCOUNT_ID.test(id)) return id;
  throw new PlumblineError('not_found', NO_SUCH_ACCOUNT);
}

function presentAccount({ accountId, name, plan, createdAt }: Account): Static<typeof AccountBody> {
  return { id: accountId, name, plan, created_at: createdAt === 0 ? null : instant(createdAt) };
}

function presentPlan(plan: Plan): Static<typeof PlanBody> {
  return {
    name: plan.name,
    endpoints: [...plan.scopes],
    requests: presentRates(plan.rates),
    requests_per_key: presentRates(plan.keyRates),
    credits_per_month: plan.creditsPerMonth,
    batch: plan.isBatchAllowed,
    open_jobs: plan.openJobs,
  };
}

function presentRates({ second, minute, day }: Rates) {
  return { per_second: second ?? null, per_minute: minute ?? null, per_day: day ?? null };
}

/** Accounts and their plans: of those who run the installation. */
export const ACCOUNT_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/plans',
    operationId: 'listPlans',
    access: 'signed_in',
    response: PlansBody,
    handle: getPlans,
  },
  {
    method: 'GET',
    path: '/console/api/accounts',
    operationId: 'listAccounts',
    access: 'operator',
    response: AccountsBody,
    handle: getAccounts,
  },
  {
    method: 'POST',
    path: '/console/api/accounts',
    operationId: 'createAccount',
    access: 'operator',
    body: NewAccountBody,
    response: AccountBody,
    handle: postAccount,
  },
  {
    method: 'POST',
    path: '/console/api/accounts/{id}/plan',
    operationId: 'setAccountPlan',
    access: 'operator',
    body: SetPlanBody,
    response: AccountBody,
    handle: postAccountPlan,
  },
];
