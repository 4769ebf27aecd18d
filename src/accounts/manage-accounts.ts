import type { Clock } from '../clock.ts';
import type { Logo } from '../domain/report.ts';
import { PlumblineError } from '../errors.ts';
import {
  insertAccount,
  listAccounts,
  lockAccount,
  updateAccount,
  type AccountChange,
} from '../store/accounts.ts';
import { appendAudit, type Actor, type AuditAction, type AuditDetail } from '../store/audit-log.ts';
import type { Store } from '../store/store.ts';
import { replaceLogo } from '../store/report-shares.ts';
import { ACCOUNT_LIMITS, type Account, type AccountLimits } from '../store/tables/accounts.ts';
import { inTransaction } from '../store/transaction.ts';
import { accountOf } from './account-of.ts';
import { recheckActingUser } from './recheck-acting-user.ts';
import { addUser, type PreparedUser } from './manage-users.ts';
import type { Plans } from './plans.ts';

interface AccountDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly plans: Plans;
}

/** Ids appear in logs, settings and commands. */
export const ACCOUNT_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;
export const MAX_ACCOUNT_NAME_LENGTH = 100;

/** Creates an account on a plan, and its first user if one is given. It has no key yet. */
export async function createAccount(
  { store, clock, plans }: AccountDeps,
  actor: Actor,
  { accountId, name, plan }: Pick<Account, 'accountId' | 'name' | 'plan'>,
  firstUser: PreparedUser | null = null,
): Promise<Account> {
  if (!ACCOUNT_ID.test(accountId)) {
    throw new PlumblineError(
      'bad_request',
      `The id of an account is 1 to 63 lowercase letters, digits and hyphens, such as acme-lending; not "${accountId}".`,
    );
  }
  rejectBadName(name);
  rejectUnknownPlan(plans, plan);
  const at = clock().getTime();
  const account = { accountId, name, plan, createdAt: at };
  await inTransaction(store, async (transaction) => {
    await recheckActingUser(transaction, actor, { right: 'operator' });
    if (!(await insertAccount({ db: transaction }, account))) {
      throw new PlumblineError('conflict', `The account "${accountId}" already exists.`);
    }
    await appendAudit(transaction, { accountId, at, actor }, 'account.created', accountId, { name, plan });
    if (firstUser) await addUser(transaction, actor, firstUser);
  });
  return { ...account, limits: null };
}

function rejectBadName(name: string): void {
  if (name.trim() !== '' && name.length <= MAX_ACCOUNT_NAME_LENGTH) return;
  throw new PlumblineError(
    'bad_request',
    `An account needs a name of 1 to ${MAX_ACCOUNT_NAME_LENGTH} characters.`,
  );
}

/** Changes an account's name, which is at the head of its reports. */
export async function setName(
  deps: Pick<AccountDeps, 'store' | 'clock'>,
  actor: Actor,
  accountId: string,
  name: string,
): Promise<Account> {
  rejectBadName(name);
  return changeAccount(deps, actor, accountId, { name }, 'account.name_set', (before) => {
    return { name, name_before: before.name };
  });
}

/** Changes an account's plan: within 10 s where a key of it was just used, at once elsewhere. */
export async function setPlan(
  deps: AccountDeps,
  actor: Actor,
  accountId: string,
  plan: string,
): Promise<Account> {
  rejectUnknownPlan(deps.plans, plan);
  return changeAccount(deps, actor, accountId, { plan }, 'account.plan_set', (before) => {
    return { plan, plan_before: before.plan };
  });
}

/**
 * Replaces limits of the account's plan for this account only; null takes the plan's again. In effect like a change of
 * the plan. The audit log keeps the reason.
 */
export function changeLimits(
  deps: AccountDeps,
  actor: Actor,
  accountId: string,
  { limits, reason }: { readonly limits: AccountLimits | null; readonly reason: string },
): Promise<Account> {
  return changeAccount(deps, actor, accountId, { limits }, 'account.limits_set', (before) => {
    return { reason, limits: namesOf(limits), limits_before: namesOf(before.limits) };
  });
}

/** One transaction: the change and its audit entry. */
async function changeAccount(
  { store, clock }: Pick<AccountDeps, 'store' | 'clock'>,
  actor: Actor,
  accountId: string,
  change: AccountChange,
  action: AuditAction,
  detailOf: (before: Account) => AuditDetail,
): Promise<Account> {
  return inTransaction(store, async (transaction) => {
    await recheckActingUser(transaction, actor, { right: 'operator' });
    await lockAccount(transaction, accountId);
    const before = await accountOf({ db: transaction }, accountId);
    await updateAccount(transaction, accountId, change);
    const by = { accountId, at: clock().getTime(), actor };
    await appendAudit(transaction, by, action, accountId, detailOf(before));
    return { ...before, ...change };
  });
}

/** `per_day 500, credits_per_month 1000`, as a plans file names them; null for the plan's. */
function namesOf(limits: AccountLimits | null): string | null {
  if (limits === null) return null;
  return ACCOUNT_LIMITS.flatMap(([name, member]) =>
    limits[name] === undefined ? [] : [`${member} ${limits[name]}`],
  ).join(', ');
}

/**
 * Replaces the logo at the head of the account's reports; null removes it.
 *
 * @throws PlumblineError `bad_request` for a file that is no usable image
 */
export async function setLogo(
  { store, clock }: Pick<AccountDeps, 'store' | 'clock'>,
  actor: Actor,
  accountId: string,
  file: Buffer | null,
): Promise<Logo | null> {
  // Loaded when it is needed: it brings the PDF library, and most commands set no logo.
  const logo = file && (await import('./read-logo.ts')).readLogo(file);
  await inTransaction(store, async (transaction) => {
    await recheckActingUser(transaction, actor);
    await accountOf({ db: transaction }, accountId);
    await replaceLogo(transaction, accountId, logo);
    const by = { accountId, at: clock().getTime(), actor };
    await appendAudit(transaction, by, 'account.logo_set', accountId, { type: logo?.type ?? null });
  });
  return logo;
}

/** Checked at start: every account's plan must exist. */
export async function rejectUnknownPlans({
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

function rejectUnknownPlan(plans: Plans, plan: string): void {
  if (plans.has(plan)) return;
  const known = [...plans.keys()].join(', ');
  throw new PlumblineError('bad_request', `There is no plan "${plan}"; plans are ${known}.`);
}
