import { createUser, enableUser, resetSecondFactor, setPassword, setRole } from '../accounts/manage-users.ts';
import type { UserDeps } from '../accounts/sessions.ts';
import { PlumblineError } from '../errors.ts';
import { PLACE } from '../load/sample-county/plan.ts';
import { DEFAULT_ACCOUNT_ID, listAccounts } from '../store/accounts.ts';
import { hasAudit, isBegunBy, type Actor } from '../store/audit-log.ts';
import { listMarkets } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import { findUserByName } from '../store/users.ts';
import type { User } from '../store/tables/accounts.ts';

/** The actor that the audit log records for each start of the demo. */
export const NPM_START: Actor = { kind: 'command_line', id: null, name: 'npm start' };

const NAME = 'demo';

export interface DemoAdministrator {
  readonly name: string;
  /** True if another user already has the name "demo". */
  readonly isRenamed: boolean;
}

/**
 * Creates or renews the administrator of the demo with this password, and ends the user's earlier sessions. It
 * changes only a user that an earlier start created. Any other user with the name keeps their password and role.
 */
export async function renewDemoAdministrator(people: UserDeps, password: string): Promise<DemoAdministrator> {
  for (let i = 1; ; i++) {
    const name = i === 1 ? NAME : `${NAME}-${i}`;
    const user = await findUserByName(people.store.db, name);
    if (user !== null && !(await wasMadeByDemo(people, user))) continue;
    if (user === null) {
      const wanted = { accountId: DEFAULT_ACCOUNT_ID, name, role: 'administrator', password } as const;
      await createUser(people, NPM_START, wanted);
    } else await renew(people, user, password);
    return { name, isRenamed: i > 1 };
  }
}

/**
 * Checked in the audit log, because its entries never change and a user name is never given to another user.
 */
function wasMadeByDemo({ store }: Pick<UserDeps, 'store'>, { accountId, name }: User): Promise<boolean> {
  return hasAudit(store, { accountId, actor: NPM_START }, 'user.created', name);
}

async function renew(people: UserDeps, user: User, password: string): Promise<void> {
  await setPassword(people, NPM_START, user, password);
  if (user.secondFactorSince !== null) await resetSecondFactor(people, NPM_START, user);
  if (user.role !== 'administrator') await setRole(people, NPM_START, user, 'administrator');
  if (user.disabledAt !== null) await enableUser(people, NPM_START, user);
}

/**
 * Rejects a PostgreSQL database with anything but a demo: `npm start` would import a generated county into it, and
 * print a key and an administrator's password. A demo has no market but the sample county and no account but the
 * built-in one, and `npm start` wrote the first entry of its audit log. An empty database becomes a demo.
 */
export async function rejectForeignDatabase(store: Store): Promise<void> {
  const market = (await listMarkets(store)).find(({ marketId }) => marketId !== PLACE.marketId);
  if (market !== undefined) throw foreign(`the market "${market.marketId}"`);
  const account = (await listAccounts(store)).find(({ accountId }) => accountId !== DEFAULT_ACCOUNT_ID);
  if (account !== undefined) throw foreign(`the account "${account.accountId}"`);
  if (!(await isBegunBy(store, NPM_START))) throw foreign('keys or users that npm start did not create');
}

function foreign(what: string): PlumblineError {
  return new PlumblineError(
    'usage',
    `The database of DATABASE_URL holds ${what}, so it is not a demo. Run "plumbline serve" to serve it, or unset DATABASE_URL.`,
  );
}
