import type { Static } from 'typebox';
import type {
  AccountBody,
  AccountsBody,
  LogoBody,
  PlansBody,
  UsageMonthsBody,
} from '../../../src/api/console/accounts.ts';
import type { AuditBody } from '../../../src/api/console/audit.ts';
import type { IssuedKeyBody, KeysBody, NewKeyBody } from '../../../src/api/console/keys.ts';
import type {
  SignInOptionsBody,
  StartedProviderSignInBody,
} from '../../../src/api/console/sign-in/provider-sign-in.ts';
import type { OwnSessionsBody, SessionBody } from '../../../src/api/console/sign-in/session.ts';
import type { ConsoleSettingsBody } from '../../../src/api/console/settings.ts';
import type { NewUserBody, UsersBody } from '../../../src/api/console/users.ts';
import type { DailyUsageBody, UsageBody } from '../../../src/schemas/service.ts';
import { get, post, setCsrfToken, urlOf } from './request.ts';

/** The signed-in user and the account. */
export type Session = Static<typeof SessionBody>;
export type Role = Session['user']['role'];
export const ROLES = ['administrator', 'member'] as const satisfies readonly Role[];
/** A browser in which the user is signed in. */
export type OwnSession = Static<typeof OwnSessionsBody>['sessions'][number];
export type Key = Static<typeof KeysBody>['keys'][number];
export type KeyScope = Static<typeof NewKeyBody>['scopes'][number];
/** A new key with its secret text, which is shown once. */
export type NewKey = Static<typeof IssuedKeyBody>;
export type User = Static<typeof UsersBody>['users'][number];
export type Plan = Static<typeof PlansBody>['plans'][number];
export type Account = Static<typeof AccountBody>;
type Audit = Static<typeof AuditBody>;
export type AuditEntry = Audit['entries'][number];
export type DayUsage = Static<typeof DailyUsageBody>['days'][number];
export type Usage = Static<typeof UsageBody>;
/** What one operation was charged in one month. */
export type MonthUsage = Static<typeof UsageMonthsBody>['months'][number];
export type ConsoleSettings = Static<typeof ConsoleSettingsBody>;
export type Basemap = NonNullable<ConsoleSettings['basemap']>;
/** The bounding box of a market. */
export type MarketExtent = ConsoleSettings['markets'][number];

export const readSession = () => get<Session>('/session');
export const signIn = (name: string, password: string) =>
  post<Session>('/sign-in', { body: { name, password } });
export const completeSignIn = (challenge: string, code: string) =>
  post<Session>('/sign-in/second-factor', { body: { challenge, code } });
export type SignInOptions = Static<typeof SignInOptionsBody>;
/** The identity provider, and the sentence of a problem that it sent the user back with. */
export const readSignInOptions = (problem: string | null, signal: AbortSignal) =>
  get<SignInOptions>('/sign-in/options', { query: { problem }, signal });
/** The page of the identity provider. It sends the user back to `page`. */
export const startProviderSignIn = async (page: string) =>
  (await post<Static<typeof StartedProviderSignInBody>>('/sign-in/provider', { body: { page } })).url;
export const signOut = () => post('/sign-out');

export const listSessions = async (signal: AbortSignal) =>
  (await get<Static<typeof OwnSessionsBody>>('/sessions', { signal })).sessions;
export const revokeSession = (id: string) => post(`/sessions/${id}/revoke`);

/** Ends all sessions of the user and starts a new one here, with its own token. */
export async function changePassword(current: string, next: string): Promise<void> {
  const body = { current_password: current, new_password: next };
  setCsrfToken((await post<Session>('/password', { body })).csrf_token);
}

export const listKeys = async (signal: AbortSignal) =>
  (await get<Static<typeof KeysBody>>('/keys', { signal })).keys;
export const createKey = (body: Static<typeof NewKeyBody>) => post<NewKey>('/keys', { body });
export const rotateKey = (id: string, overlapDays: number) =>
  post<NewKey>(`/keys/${id}/rotate`, { body: { overlap_days: overlapDays } });
export const revokeKey = (id: string) => post(`/keys/${id}/revoke`);

export const listUsers = async (signal: AbortSignal) =>
  (await get<Static<typeof UsersBody>>('/users', { signal })).users;
export const createUser = (body: Static<typeof NewUserBody>) => post('/users', { body });
export const setRole = (id: string, role: Role) => post(`/users/${id}/role`, { body: { role } });
export const setDisabled = (id: string, isDisabled: boolean) =>
  post(`/users/${id}/${isDisabled ? 'disable' : 'enable'}`);
export const resetSecondFactor = (id: string) => post(`/users/${id}/reset-second-factor`);
export const unlinkIdentity = (id: string) => post(`/users/${id}/unlink-identity`);
export const setPassword = (id: string, password: string) =>
  post(`/users/${id}/password`, { body: { password } });

export const listPlans = async (signal: AbortSignal) =>
  (await get<Static<typeof PlansBody>>('/plans', { signal })).plans;
export const listAccounts = async (signal: AbortSignal) =>
  (await get<Static<typeof AccountsBody>>('/accounts', { signal })).accounts;
export const createAccount = (
  body: Pick<Account, 'id' | 'name' | 'plan'> & {
    readonly first_user?: { readonly name: string; readonly password: string };
  },
) => post('/accounts', { body });
export type AccountLimits = NonNullable<Account['limits']>;
export const setLimits = (id: string, body: AccountLimits & { readonly reason: string }) =>
  post(`/accounts/${id}/limits`, { body });
export const setPlan = (id: string, plan: string) => post(`/accounts/${id}/plan`, { body: { plan } });

/** The logo of reports as a data URL; null without one. */
export const readLogo = async (signal: AbortSignal) =>
  (await get<Static<typeof LogoBody>>('/account/logo', { signal })).url;
export const setLogo = async (file: Blob, signal: AbortSignal) =>
  (await post<Static<typeof LogoBody>>('/account/logo/set', { bytes: file, signal })).url;
export const removeLogo = () => post('/account/logo/remove');

/** Days as `2026-03-31`, in UTC; null: no limit. */
export interface AuditFilter {
  /** Only entries that contain each of these words. */
  readonly find: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** Newest first. */
export const readAudit = ({ find, from, to }: AuditFilter, cursor: string | null, signal: AbortSignal) =>
  get<Audit>('/audit', { query: { limit: 50, find, from, to, cursor }, signal });
export const csvOfAudit = ({ find, from, to }: AuditFilter) => urlOf('/audit.csv', { find, from, to });

export const readUsage = (period: string | null, signal: AbortSignal) =>
  get<Usage>('/usage', { query: { period }, signal });
/** The month by day, key and operation, oldest first. */
export async function readDailyUsage(period: string, signal: AbortSignal): Promise<DayUsage[]> {
  const days: DayUsage[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Static<typeof DailyUsageBody> = await get('/usage/days', {
      query: { period, cursor },
      signal,
    });
    days.push(...page.days);
    cursor = page.next_cursor;
    if (cursor === null) return days;
  }
}
/** The last 12 months, oldest first. Months without a charge are left out. */
export const readMonths = async (signal: AbortSignal) =>
  (await get<Static<typeof UsageMonthsBody>>('/usage/months', { signal })).months;

let settings: Promise<ConsoleSettings> | null = null;

/** Requested once while the console is open. After a failure the next call tries again. */
export function readSettings(): Promise<ConsoleSettings> {
  settings ??= get<ConsoleSettings>('/settings').catch((error: unknown) => {
    settings = null;
    throw error;
  });
  return settings;
}
