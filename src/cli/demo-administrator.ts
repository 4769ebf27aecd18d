import { createUser, enableUser, setPassword, setRole } from '../accounts/manage-users.ts';
import type { PeopleDeps } from '../accounts/people.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { hasAudit, type Actor } from '../store/audit-log.ts';
import { findUserByName, type User } from '../store/users.ts';

/** The actor that the audit log records for each start of the demo. */
export const NPM_START: Actor = { kind: 'command_line', id: null, name: 'npm start' };

const NAME = 'demo';

export interface DemoAdministrator {
  readonly name: string;
  /** True if another user already has the name "demo". */
  readonly isRenamed: boolean;
}

/**
 * Creates or renews the administrator of the demo with this password, and ends the user's earlier sessions.
 * It changes only a user that an earlier start created. Any other user with the name keeps their password and
 * role.
 */
export async function renewDemoAdministrator(
  people: PeopleDeps,
  password: string,
): Promise<DemoAdministrator> {
  for (let i = 1; ; i++) {
    const name = i === 1 ? NAME : `${NAME}-${i}`;
    const user = await findUserByName(people.store.db, name);
    if (user !== null && !(await wasMadeByDemo(people, user))) continue;
    if (user === null) await create(people, name, password);
    else await renew(people, user, password);
    return { name, isRenamed: i > 1 };
  }
}

/**
 * Checked in the audit log, because its entries never change and a user name is never given to another user.
 */
function wasMadeByDemo({ store }: Pick<PeopleDeps, 'store'>, { accountId, name }: User): Promise<boolean> {
  return hasAudit(store, { accountId, actor: NPM_START, action: 'user.created', subject: name });
}

async function create(people: PeopleDeps, name: string, password: string): Promise<void> {
  const of = { accountId: DEFAULT_ACCOUNT_ID, name, role: 'administrator', password } as const;
  await createUser(people, NPM_START, of);
}

async function renew(people: PeopleDeps, user: User, password: string): Promise<void> {
  await setPassword(people, NPM_START, user, password);
  if (user.role !== 'administrator') await setRole(people, NPM_START, user, 'administrator');
  if (user.disabledAt !== null) await enableUser(people, NPM_START, user);
}
