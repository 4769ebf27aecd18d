import { PlumblineError } from '../errors.ts';
import { appendAudit, type AuditAction } from '../store/audit-log.ts';
import { deleteOtherSessions } from '../store/sign-ins.ts';
import type { StoreTransaction } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import { findSecondFactor, lockActiveUser, lockUser, NO_SECOND_FACTOR, updateUser } from '../store/users.ts';
import { acceptCode, hashRecoveryCodes, newRecoveryCodes, secretPlace } from './second-factor-codes.ts';
import { actingIn, type Session, type UserDeps } from './sessions.ts';
import { clearAttempt, countTry, type AttemptSubjects } from './sign-in-attempts.ts';
import { checkOwnPassword, gone, recordRejection, wrongCode, type Browser } from './sign-in.ts';
import { acceptedStep, newTotpSecret, qrDataUrl, totpUri } from './totp.ts';

/** The second factor of the signed-in user. */
export async function readOwnSecondFactor(
  { store }: UserDeps,
  { userId }: Session,
): Promise<{ readonly since: number | null; readonly recoveryCodesLeft: number }> {
  const factor = await findSecondFactor(store.db, userId);
  const since = factor?.since ?? null;
  return { since, recoveryCodesLeft: since === null ? 0 : (factor?.recoveryCodes.length ?? 0) };
}

/** What a user enters or scans in the authenticator app. */
interface StartedSecondFactor {
  /** In base32. */
  readonly secret: string;
  readonly uri: string;
  /** The link as a QR code, a data URL. */
  readonly qrCode: string;
}

/**
 * Starts a second factor, which is on after its first code. Starting it again replaces the secret. It needs the
 * password, because otherwise someone at an open browser could lock out the user.
 */
export async function startSecondFactor(
  deps: UserDeps,
  session: Session,
  password: string,
  from: Browser,
): Promise<StartedSecondFactor> {
  const { user, subjects } = await checkOwnPassword(deps, session, password, from);
  const secret = newTotpSecret(deps.randomBytes);
  const secondFactorSecret = deps.secretBox().seal(Buffer.from(secret), secretPlace(user));
  await inTransaction(deps.store, async (transaction) => {
    if (!(await lockActiveUser(transaction, user))) throw gone();
    await rejectIfOn(transaction, session);
    await clearAttempt(transaction, subjects);
    await updateUser(transaction, user.userId, { ...NO_SECOND_FACTOR, secondFactorSecret });
  });
  const uri = totpUri(secret, user.name);
  return { secret, uri, qrCode: qrDataUrl(uri) };
}

async function rejectIfOn(transaction: StoreTransaction, { userId }: Session) {
  const factor = await findSecondFactor(transaction, userId);
  if (factor === null || factor.since === null) return factor;
  throw new PlumblineError('conflict', 'Your second factor is already on.');
}

/** Turns on the started second factor with its first code, and ends the user's other sessions. */
export function confirmSecondFactor(
  deps: UserDeps,
  session: Session,
  code: string,
): Promise<readonly string[]> {
  const { userId } = session;
  const now = deps.clock().getTime();
  const codes = newRecoveryCodes(deps.randomBytes);
  return inTransaction(deps.store, async (transaction) => {
    await lockUser(transaction, userId);
    const factor = await rejectIfOn(transaction, session);
    if (factor === null)
      throw new PlumblineError('conflict', 'Your second factor was not started. Start it.');
    const secret = Buffer.from(deps.secretBox().open(factor.sealedSecret, secretPlace(session))).toString();
    const step = acceptedStep(secret, code.replaceAll(/\s/g, ''), now, factor.step);
    if (step === null) {
      throw new PlumblineError(
        'bad_request',
        'The code is wrong. Enter the current one. If it stays wrong, set the clock of your phone automatically.',
      );
    }
    const recoveryCodes = hashRecoveryCodes(codes);
    await updateUser(transaction, userId, { secondFactorSince: now, secondFactorStep: step, recoveryCodes });
    await deleteOtherSessions(transaction, session);
    await audit(deps, transaction, session, 'second_factor.turned_on');
    return codes;
  });
}

/** Turns off the second factor, with the password and a code of the app or a recovery code. */
export async function removeSecondFactor(
  deps: UserDeps,
  session: Session,
  { password, code }: { readonly password: string; readonly code: string },
  from: Browser,
): Promise<void> {
  const { subjects } = await checkOwnPassword(deps, session, password, from);
  await withCode(deps, session, { code, subjects, from }, async (transaction) => {
    await updateUser(transaction, session.userId, NO_SECOND_FACTOR);
    await audit(deps, transaction, session, 'second_factor.turned_off');
  });
}

/** Replaces the recovery codes, with a code of the app. */
export async function replaceRecoveryCodes(
  deps: UserDeps,
  session: Session,
  code: string,
  from: Browser,
): Promise<readonly string[]> {
  const { client, device } = from;
  const subjects = await countTry(deps, session.userName, { address: client.address, device });
  const codes = newRecoveryCodes(deps.randomBytes);
  await withCode(deps, session, { code, subjects, from, needsApp: true }, async (transaction) => {
    await updateUser(transaction, session.userId, { recoveryCodes: hashRecoveryCodes(codes) });
    await audit(deps, transaction, session, 'second_factor.codes_replaced');
  });
  return codes;
}

interface GivenCode {
  readonly code: string;
  /** Under which the attempt was counted. */
  readonly subjects: AttemptSubjects;
  readonly from: Browser;
  /** Recovery codes are rejected, without being used up. */
  readonly needsApp?: boolean;
}

/** Makes a change after a correct code. A wrong one counts like a wrong password. */
async function withCode(
  deps: UserDeps,
  session: Session,
  { code, subjects, from, needsApp = false }: GivenCode,
  change: (transaction: StoreTransaction) => Promise<void>,
): Promise<void> {
  const { userId, userName: name, accountId } = session;
  const isApp = /^[\d\s]+$/.test(code);
  const isAccepted = await inTransaction(deps.store, async (transaction) => {
    await lockUser(transaction, userId);
    if (needsApp && !isApp) return false;
    if ((await acceptCode(deps, transaction, session, code)) === null) return false;
    await clearAttempt(transaction, subjects);
    await change(transaction);
    return true;
  });
  if (isAccepted) return;
  await recordRejection(deps, { userId, name, accountId }, from.client.address);
  throw wrongCode();
}

async function audit(
  { clock }: UserDeps,
  transaction: StoreTransaction,
  session: Session,
  action: AuditAction,
): Promise<void> {
  const by = { ...actingIn(session), at: clock().getTime() };
  await appendAudit(transaction, by, action, session.userName);
}
