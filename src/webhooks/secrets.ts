import { holdActing } from '../accounts/hold-acting.ts';
import type { Clock } from '../clock.ts';
import type { Actor } from '../store/audit-log.ts';
import type { Store } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import { addWebhookSecret, listWebhookSecrets, type WebhookSecretRecord } from '../store/webhook-secrets.ts';
import type { RandomBytes, SecretBox } from './secret-box.ts';
import { SECRET_BYTES, writeSecret } from './sign.ts';

/**
 * A replaced secret keeps signing together with the new one for a day, to allow changing it at the receiver.
 */
export const OVERLAP_MS = 24 * 3_600_000;

export interface SecretDeps {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly randomBytes: RandomBytes;
}

/** A new secret. `text` is shown once; afterward it is only used to sign. Times in ms. */
export interface IssuedSecret {
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
  const [{ createdAt }, previous] = await addSecret(deps, accountId, { secret, overlapMs, actor });
  return { text: writeSecret(secret), createdAt, previousUntil: previous?.expiresAt ?? null };
}

/**
 * The secrets that sign an account's deliveries now, newest first. An account that never requested one gets
 * one, so that nothing is sent unsigned; it sees its secret when it rotates it.
 */
export async function signingSecrets(deps: SecretDeps, accountId: string): Promise<readonly Uint8Array[]> {
  const stored = await listWebhookSecrets(deps.store, accountId, deps.clock().getTime());
  const records =
    stored.length > 0
      ? stored
      : await addSecret(deps, accountId, {
          secret: deps.randomBytes(SECRET_BYTES),
          overlapMs: OVERLAP_MS,
          actor: null,
        });
  return records.map(({ sealed, secretNo }) => deps.box.open(sealed, placeOf(accountId, secretNo)));
}

async function addSecret(
  { store, clock, box }: SecretDeps,
  accountId: string,
  {
    secret,
    overlapMs,
    actor,
  }: {
    readonly secret: Uint8Array;
    readonly overlapMs: number;
    /** Who requested it; null if it was created automatically. */
    readonly actor: Actor | null;
  },
): Promise<WebhookSecretRecord[]> {
  const now = clock().getTime();
  const detail = { previous_until: new Date(now + overlapMs).toISOString() };
  return inTransaction(store, async (transaction) => {
    if (actor !== null) await holdActing(transaction, actor);
    return addWebhookSecret(transaction, accountId, {
      now,
      previousUntil: now + overlapMs,
      onlyFirst: actor === null,
      note: actor && {
        accountId,
        at: now,
        actor,
        action: 'webhook.secret_rotated',
        subject: accountId,
        detail,
      },
      make: (secretNo) => box.seal(secret, placeOf(accountId, secretNo)),
    });
  });
}

function placeOf(accountId: string, secretNo: number): string {
  return `webhook-secret/${accountId}/${secretNo}`;
}
