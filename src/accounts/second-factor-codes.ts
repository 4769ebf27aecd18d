import { isRecord } from '../domain/json.ts';
import { jsonText } from '../store/json-text.ts';
import type { StoreTransaction } from '../store/store.ts';
import type { User } from '../store/tables/accounts.ts';
import { findSecondFactor, findUser, updateUser, type UserWithPassword } from '../store/users.ts';
import type { RandomBytes } from './api-key.ts';
import { openJson, sealJson } from './secret-box.ts';
import { hashSecret, type UserDeps } from './sessions.ts';
import { acceptedStep } from './totp.ts';

const RECOVERY_CODES = 10;
/** 80 random bits cannot be guessed, so a fast hash is sufficient. 16 letters are still easy to type. */
const RECOVERY_CODE_BYTES = 16;
/** Without letters that look like a digit or another letter. Its 32 letters divide the 256 values of a byte evenly. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** New recovery codes, such as `ABCD-EFGH-JKLM-NPQR`. */
export function newRecoveryCodes(randomBytes: RandomBytes): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...randomBytes(RECOVERY_CODE_BYTES)]
      .map((byte) => LETTERS[byte % LETTERS.length])
      .join('');
    return letters.replaceAll(/(.{4})(?=.)/g, '$1-');
  });
}

/** The stored form of recovery codes. */
export function hashRecoveryCodes(codes: readonly string[]): string {
  return jsonText(codes.map((code) => hashSecret(withoutSeparators(code))));
}

function withoutSeparators(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase();
}

/** What a sealed secret belongs to. */
export function secretPlace({ userId }: Pick<User, 'userId'>): string {
  return `second-factor/${userId}`;
}

/**
 * Accepts a code of the app or a recovery code of a user, once. Null if it is wrong or was used. Requires that the
 * transaction has locked the row of the user.
 */
export async function acceptCode(
  deps: Pick<UserDeps, 'clock' | 'secretBox'>,
  transaction: StoreTransaction,
  { userId }: Pick<User, 'userId'>,
  code: string,
): Promise<'app' | 'recovery_code' | null> {
  const factor = await findSecondFactor(transaction, userId);
  if (factor === null || factor.since === null) return null;
  const given = withoutSeparators(code);
  const recoveryCodes = factor.recoveryCodes.filter((hash) => hash !== hashSecret(given));
  if (recoveryCodes.length < factor.recoveryCodes.length) {
    await updateUser(transaction, userId, { recoveryCodes: jsonText(recoveryCodes) });
    return 'recovery_code';
  }
  const secret = Buffer.from(deps.secretBox().open(factor.sealedSecret, secretPlace({ userId }))).toString();
  const step = acceptedStep(secret, given, deps.clock().getTime(), factor.step);
  if (step === null) return null;
  await updateUser(transaction, userId, { secondFactorStep: step });
  return 'app';
}

/** How long a user may take to enter the code. */
const CHALLENGE_MS = 5 * 60_000;
const CHALLENGE_PLACE = 'sign-in-challenge';

/** Proves for five minutes that the password was correct. Sealed, so that it needs no table. */
export function writeChallenge({ clock, secretBox }: UserDeps, user: UserWithPassword): string {
  const endsAt = clock().getTime() + CHALLENGE_MS;
  const content = { userId: user.userId, endsAt, password: hashSecret(user.passwordHash) };
  return sealJson(secretBox(), content, CHALLENGE_PLACE);
}

/** The user of a challenge. Null if it ended, if it is not one, or if the password was changed or the user disabled. */
export async function readChallenge(deps: UserDeps, challenge: string): Promise<UserWithPassword | null> {
  const content = openJson(deps.secretBox(), challenge, CHALLENGE_PLACE);
  if (!isRecord(content) || typeof content.userId !== 'string' || typeof content.endsAt !== 'number')
    return null;
  if (deps.clock().getTime() >= content.endsAt) return null;
  const user = await findUser(deps.store.db, content.userId);
  if (user === null || user.disabledAt !== null) return null;
  return content.password === hashSecret(user.passwordHash) ? user : null;
}
