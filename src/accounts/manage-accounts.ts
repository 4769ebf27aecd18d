import type { Clock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import {
  DEFAULT_ACCOUNT_ID,
  findAccount,
  insertAccount,
  listAccounts,
  setAccountPlan,
  type Account,
} from '../store/accounts.ts';
import type { Store } from '../store/store.ts';
import type { Plans } from './plans.ts';

export interface AccountDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly plans: Plans;
}

/** Ids stand in logs, settings and commands. */
const ACCOUNT_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;
const NAME_LENGTH_MAX = 100;

/** Makes an account on a plan. It has no key yet. */
export async function createAccount(
  deps: AccountDeps,
  given: Pick<Account, 'accountId' | 'name' | 'plan'>,
): Promise<Account> {
  const { accountId, name, plan } = given;
  if (!ACCOUNT_ID.test(accountId)) {
    throw new PlumblineError(
      'usage',
      `The id of an account is 1 to 63 small letters, digits and hyphens, such as acme-lending; not "${accountId}".`,
    );
  }
  if (name.trim() === '' || name.length > NAME_LENGTH_MAX) {
    throw new PlumblineError('usage', `An account needs a name of 1 to ${NAME_LENGTH_MAX} characters.`);
  }
  refuseUnknownPlan(deps.plans, plan);
  const account = { accountId, name, plan, createdAt: deps.clock().getTime() };
  if (await insertAccount(deps.store, account)) return account;
  throw new PlumblineError('conflict', `There is an account "${accountId}" already.`);
}

/** Puts an account on another plan: within 10 s wherever a key of it was just used, at once elsewhere. */
export async function setPlan(
  deps: Pick<AccountDeps, 'store' | 'plans'>,
  accountId: string,
  plan: string,
): Promise<void> {
  refuseUnknownPlan(deps.plans, plan);
  if (await setAccountPlan(deps.store, accountId, plan)) return;
  throw noSuchAccount(accountId);
}

/** An account that must be there. */
export async function accountOf(store: Store, accountId = DEFAULT_ACCOUNT_ID): Promise<Account> {
  const account = await findAccount(store, accountId);
  if (account) return account;
  throw noSuchAccount(accountId);
}

/** What a service checks at start: every account's plan is known. */
export async function refuseUnknownPlans({
  store,
  plans,
}: Pick<AccountDeps, 'store' | 'plans'>): Promise<void> {
  const stray = (await listAccounts(store)).find(({ plan }) => !plans.has(plan));
  if (stray === undefined) return;
  throw new PlumblineError(
    'usage',
    `Account "${stray.accountId}" is on the plan "${stray.plan}", which PLANS does not name. ` +
      `Add it there, or run "plumbline accounts set-plan ${stray.accountId} ${[...plans.keys()][0]}".`,
  );
}

function noSuchAccount(accountId: string): PlumblineError {
  return new PlumblineError(
    'not_found',
    `There is no account "${accountId}". "plumbline accounts list" shows them all.`,
  );
}

function refuseUnknownPlan(plans: Plans, plan: string): void {
  if (plans.has(plan)) return;
  throw new PlumblineError('usage', `There is no plan "${plan}"; plans are ${[...plans.keys()].join(', ')}.`);
}
