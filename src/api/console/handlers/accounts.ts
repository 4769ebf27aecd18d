import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { createAccount, NO_SUCH_ACCOUNT, setPlan, ACCOUNT_ID } from '../../../accounts/manage-accounts.ts';
import { isOperator } from '../../../accounts/roles.ts';
import type { Plan, Rates } from '../../../accounts/plans.ts';
import { actingIn } from '../../../accounts/sessions.ts';
import { PlumblineError } from '../../../errors.ts';
import { listAccounts, type Account } from '../../../store/accounts.ts';
import type { ApiDeps } from '../../route.ts';
import { readAsked } from '../../request/read-http-request.ts';
import { createRequestReader } from '../../request/read-request.ts';
import { admittedSession, pathParameter } from '../../request-context.ts';
import { instant } from '../instant.ts';
import {
  NewAccountBody,
  SetPlanBody,
  type AccountBody,
  type AccountsBody,
  type PlanBody,
  type PlansBody,
} from '../schemas/accounts.ts';

const newAccountRequest = createRequestReader({
  schema: NewAccountBody,
  check: () => [],
  make: ({ id, name, plan }) => ({ accountId: id, name, plan }),
});

const planRequest = createRequestReader({
  schema: SetPlanBody,
  check: () => [],
  make: ({ plan }) => plan,
});

/** What there is to be had; to those who run one account, what it has. */
export async function getPlans(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof PlansBody>> {
  const session = admittedSession(request);
  const plans = [...deps.people.plans.values()];
  const shown = isOperator(session) ? plans : plans.filter(({ name }) => name === session.plan);
  return { plans: shown.map(presentPlan) };
}

export async function getAccounts(deps: ApiDeps): Promise<Static<typeof AccountsBody>> {
  return { accounts: (await listAccounts(deps.people.store)).map(presentAccount) };
}

export async function postAccount(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof AccountBody>> {
  const { actor } = actingIn(admittedSession(request));
  const asked = readAsked(deps, request, reply, newAccountRequest);
  return presentAccount(await createAccount(deps.people, actor, asked));
}

export async function postAccountPlan(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof AccountBody>> {
  const { actor } = actingIn(admittedSession(request));
  const plan = readAsked(deps, request, reply, planRequest);
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
