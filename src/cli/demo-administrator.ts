import { createUser, enableUser, setPassword, setRole } from '../accounts/manage-users.ts';
import type { PeopleDeps } from '../accounts/people.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { hasAudit, type Actor } from '../store/audit-log.ts';
import { findUserByName, type User } from '../store/users.ts';

/** As the audit log names what is done at every start of the demo. */
export const NPM_START: Actor = { kind: 'command_line', id: null, name: 'npm start' };

const NAME = 'demo';

export interface DemoAdministrator {
  readonly name: string;
  /** Whether somebody else has the name that it would have. */
  readonly isRenamed: boolean;
}

/**
 * Somebody to sign in to the console as, with this password; sessions of earlier starts end. Only ever somebody whom an earlier start
 * made: whoever else has the name keeps it, with their password and their role.
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

/** The audit log tells: no line of it is ever changed, and no name ever passes to somebody else. */
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
