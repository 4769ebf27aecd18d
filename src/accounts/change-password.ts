import { PlumblineError } from '../errors.ts';
import { appendAudit } from '../store/audit-log.ts';
import { deleteSessionsOfUser } from '../store/sessions.ts';
import { inTransaction } from '../store/transaction.ts';
import { findUser, lockActiveUser, updateUser } from '../store/users.ts';
import { forgetDevicesAndTries, renewDevice } from './devices.ts';
import type { PeopleDeps } from './people.ts';
import { actingIn, beginSession, type Session } from './sessions.ts';
import { refuseWrongPassword, type Browser, type SignedIn } from './sign-in.ts';
import { rejectWeakPassword } from './weak-passwords.ts';

/**
 * Changes the password of the signed-in user. Every session ends and every browser is forgotten, and this
 * browser gets new ones, so that anyone who knew the old password is signed out.
 *
 * @throws PlumblineError `sign_in_refused`, `rate_limited`, `bad_request` if the new password is too easy to
 *   guess
 */
export async function changePassword(
  deps: PeopleDeps,
  session: Session,
  { current, next }: { readonly current: string; readonly next: string },
  { client, device }: Browser,
): Promise<SignedIn> {
  const user = await findUser(deps.store.db, session.userId);
  if (!user) throw gone();
  await rejectWeakPassword(next, user.name);
  await refuseWrongPassword(deps, user, current, { client, device });
  const passwordHash = await deps.passwords.hash(next);
  const now = deps.clock().getTime();
  return inTransaction(deps.store, async (transaction) => {
    if (!(await lockActiveUser(transaction, user))) throw gone();
    await updateUser(transaction, user.userId, { passwordHash, passwordChangedAt: now });
    await deleteSessionsOfUser(transaction, user.userId);
    await forgetDevicesAndTries(transaction, user);
    await appendAudit(transaction, {
      ...actingIn(session),
      at: now,
      action: 'user.password_set',
      subject: user.name,
      detail: { user_id: user.userId },
    });
    const begun = await beginSession(deps, transaction, user.userId, { client, replacing: null });
    return { ...begun, device: await renewDevice(deps, transaction, user, device) };
  });
}

function gone(): PlumblineError {
  return new PlumblineError('not_signed_in', 'Your account was changed meanwhile. Sign in again.');
}
