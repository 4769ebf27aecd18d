import type { Static } from 'typebox';
import type { AccountBody, AccountsBody, PlansBody } from '../../../src/api/console/accounts.ts';
import type { AuditBody } from '../../../src/api/console/audit.ts';
import type { NewUserBody, UsersBody } from '../../../src/api/console/users.ts';
import { request } from './request.ts';
import type { Role } from './session.ts';

type Users = Static<typeof UsersBody>;
/** Somebody who may sign in. */
export type User = Users['users'][number];

type Plans = Static<typeof PlansBody>;
/** What an account may use. */
export type Plan = Plans['plans'][number];
/** Requests a window; null = no limit. */
export type Rates = Plan['requests'];

export type Account = Static<typeof AccountBody>;
type Accounts = Static<typeof AccountsBody>;

type Audit = Static<typeof AuditBody>;
/** One change, and who made it. */
export type AuditEntry = Audit['entries'][number];

export async function listUsers(signal?: AbortSignal): Promise<readonly User[]> {
  return (await request<Users>('GET', '/users', { signal })).users;
}

export async function createUser(user: Static<typeof NewUserBody>): Promise<void> {
  await request('POST', '/users', { body: user });
}

export async function setRole(id: string, role: Role): Promise<void> {
  await request('POST', `/users/${id}/role`, { body: { role } });
}

export async function setDisabled(id: string, isDisabled: boolean): Promise<void> {
  await request('POST', `/users/${id}/${isDisabled ? 'disable' : 'enable'}`, { body: {} });
}

export async function setPassword(id: string, password: string): Promise<void> {
  await request('POST', `/users/${id}/password`, { body: { password } });
}

export async function listPlans(signal?: AbortSignal): Promise<readonly Plan[]> {
  return (await request<Plans>('GET', '/plans', { signal })).plans;
}

export async function listAccounts(signal?: AbortSignal): Promise<readonly Account[]> {
  return (await request<Accounts>('GET', '/accounts', { signal })).accounts;
}

export async function createAccount(account: Pick<Account, 'id' | 'name' | 'plan'>): Promise<void> {
  await request('POST', '/accounts', { body: account });
}

export async function setPlan(id: string, plan: string): Promise<void> {
  await request('POST', `/accounts/${id}/plan`, { body: { plan } });
}

/** Newest first; where words are looked for, of the entries that have each of them. */
export function readAudit(find: string, cursor: string | null, signal?: AbortSignal): Promise<Audit> {
  return request('GET', '/audit', { query: { limit: 50, find, cursor }, signal });
}
