import { randomBytes } from 'node:crypto';
import { createSecretBox, findBoxKey, fingerprintOfKey } from '../accounts/secret-box.ts';
import { secretPlace } from '../accounts/second-factor-codes.ts';
import { isFailure } from '../errors.ts';
import { listSealedSecrets } from '../store/sealed-secrets.ts';
import type { Store } from '../store/store.ts';
import { webhookSecretPlace } from '../webhooks/secrets.ts';
import type { Finding } from './finding.ts';

/** The sealed secrets in use, and which of them a key cannot open. */
export interface SealedSecrets {
  readonly count: number;
  /** For people: what each belongs to. */
  readonly unreadable: readonly string[];
}

/** Tries to open every sealed secret with the key of this process; null if it has none. */
export async function trySealedSecrets(
  { db, clock }: Pick<Store, 'db' | 'clock'>,
  key: Uint8Array | null,
): Promise<SealedSecrets> {
  const { webhookSecrets, secondFactors } = await listSealedSecrets(db, clock().getTime());
  const all = [
    ...webhookSecrets.map((secret) => ({
      name: `webhook secret ${secret.secretNo} of account ${secret.accountId}`,
      sealed: secret.sealed,
      place: webhookSecretPlace(secret),
    })),
    ...secondFactors.map((factor) => ({
      name: `second factor of user ${factor.name}`,
      sealed: factor.sealed,
      place: secretPlace(factor),
    })),
  ];
  const unreadable = all.filter(({ sealed, place }) => key === null || !canOpen(key, sealed, place));
  return { count: all.length, unreadable: unreadable.map(({ name }) => name) };
}

function canOpen(key: Uint8Array, sealed: string, place: string): boolean {
  try {
    createSecretBox(key, randomBytes).open(sealed, place);
    return true;
  } catch (error) {
    if (isFailure(error, 'unavailable')) return false;
    throw error;
  }
}

/** Secrets that the key of this process cannot open were sealed by a process with another key. */
export async function checkSealedSecrets(
  store: Store,
  config: Parameters<typeof findBoxKey>[0],
): Promise<Finding[]> {
  const key = findBoxKey(config);
  const { count, unreadable } = await trySealedSecrets(store, key);
  if (unreadable.length === 0) return [];
  const own =
    key === null ? 'This process has no key' : `The key of this process is ${fingerprintOfKey(key)}`;
  const others = unreadable.length < count ? '. Others can: processes have used different keys' : '';
  return [
    {
      check: 'keys',
      severity: 'error',
      what: `${own}; ${unreadable.length} of ${count} sealed secrets cannot be opened with it${others}.`,
      where: unreadable.join('; '),
      remedy:
        'Give all processes the key that sealed them: WEBHOOK_KEY, or the file webhook-key of the data folder. If it is ' +
        'lost: "plumbline webhooks rotate --now", and "plumbline users reset-second-factor".',
    },
  ];
}
