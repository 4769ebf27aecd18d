import { recheckActingUser } from '../accounts/recheck-acting-user.ts';
import type { Clock } from '../clock.ts';
import { appendAudit, type Actor } from '../store/audit-log.ts';
import type { StoreDb } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import { addWebhookSecret, listWebhookSecrets } from '../store/webhook-secrets.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import { SECRET_BYTES, writeSecret } from './sign.ts';
import type { WebhookSecretRecord } from '../store/tables/jobs.ts';
import type { RandomBytes } from '../accounts/api-key.ts';

/**
 * A replaced secret keeps signing together with the new one for a day, to allow changing it at the receiver.
 */
export const OVERLAP_MS = 24 * 3_600_000;

export interface SecretDeps {
  readonly store: StoreDb;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly randomBytes: RandomBytes;
}

/** A new secret. `text` is shown once; afterward it is only used to sign. Times in ms. */
interface IssuedSecret {
  readonly text: string;
  readonly createdAt: number;
  /** Until when the previous secret also signs; null if there was none. */
  readonly previousUntil: number | null;
}

/**
 * Issues a new secret for an account. The previous one keeps signing for 24 hours, or ends at once if it
 * leaked or cannot be decrypted; an older one ends now.
 */
export async function rotateSecret(
  deps: SecretDeps,
  actor: Actor,
  accountId: string,
  { overlapMs = OVERLAP_MS }: { readonly overlapMs?: number } = {},
): Promise<IssuedSecret> {
  const secret = deps.randomBytes(SECRET_BYTES);
  const [{ createdAt }, previous] = await addSecret(deps, accountId, secret, overlapMs, actor);
  return { text: writeSecret(secret), createdAt, previousUntil: previous?.expiresAt ?? null };
}

/**
 * The secrets that sign an account's deliveries now, newest first. An account that never requested one gets
 * one, so that nothing is sent unsigned; it sees its secret when it rotates it.
 */
export async function signingSecrets(deps: SecretDeps, accountId: string): Promise<readonly Uint8Array[]> {
  const { store, clock, box, randomBytes } = deps;
  let records = await listWebhookSecrets(store, accountId, clock().getTime());
  if (records.length === 0) {
    records = await addSecret(deps, accountId, randomBytes(SECRET_BYTES), OVERLAP_MS, null);
  }
  return records.map(({ sealed, secretNo }) => box.open(sealed, webhookSecretPlace({ accountId, secretNo })));
}

/** Without an actor, the secret is created automatically, and only if the account has none. */
async function addSecret(
  { store, clock, box }: SecretDeps,
  accountId: string,
  secret: Uint8Array,
  overlapMs: number,
  actor: Actor | null,
): Promise<WebhookSecretRecord[]> {
  const now = clock().getTime();
  const previousUntil = now + overlapMs;
  const seal = (secretNo: number): string => box.seal(secret, webhookSecretPlace({ accountId, secretNo }));
  return inTransaction(store, async (transaction) => {
    if (actor !== null) {
      await recheckActingUser(transaction, actor);
      const detail = { previous_until: new Date(previousUntil).toISOString() };
      const by = { accountId, at: now, actor };
      await appendAudit(transaction, by, 'webhook.secret_rotated', accountId, detail);
    }
    const onlyFirst = actor === null;
    return addWebhookSecret(transaction, accountId, { now, previousUntil, onlyFirst, seal });
  });
}

/** What a sealed secret belongs to. */
export function webhookSecretPlace({
  accountId,
  secretNo,
}: Pick<WebhookSecretRecord, 'accountId' | 'secretNo'>): string {
  return `webhook-secret/${accountId}/${secretNo}`;
}
