import type { Reader } from './store.ts';
import type { WebhookSecretRecord } from './tables/jobs.ts';

/** The second factor of a user who may sign in. */
interface SealedSecondFactor {
  readonly userId: string;
  readonly name: string;
  readonly sealed: string;
}

/** Every sealed secret in use, of all accounts. */
export async function listSealedSecrets(
  reader: Reader,
  now: number,
): Promise<{
  readonly webhookSecrets: readonly WebhookSecretRecord[];
  readonly secondFactors: readonly SealedSecondFactor[];
}> {
  const webhookSecrets = await reader
    .selectFrom('webhook_secrets')
    .selectAll()
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .orderBy('accountId')
    .orderBy('secretNo')
    .execute();
  const users = await reader
    .selectFrom('users')
    .select(['userId', 'name', 'secondFactorSecret as sealed'])
    .where('secondFactorSecret', 'is not', null)
    .where('disabledAt', 'is', null)
    .orderBy('name')
    .execute();
  const secondFactors = users.flatMap(({ sealed, ...user }) =>
    sealed === null ? [] : [{ ...user, sealed }],
  );
  return { webhookSecrets, secondFactors };
}
