import { randomBytes } from 'node:crypto';
import { createPasswords } from '../accounts/passwords.ts';
import { createSecretBox, readBoxKey } from '../accounts/secret-box.ts';
import type { UserDeps } from '../accounts/sessions.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Store } from '../store/store.ts';
import type { SecretDeps } from '../webhooks/secrets.ts';
import { readPlans } from './read-files.ts';

/** The dependencies of user and account management. */
export function composePeople(
  store: Store,
  config: Pick<Config, 'plans' | 'webhookKey' | 'dataDir'>,
): UserDeps {
  const plans = readPlans(config);
  const passwords = createPasswords(randomBytes);
  const secretBox = () => createSecretBox(readBoxKey(config, randomBytes), randomBytes);
  return { store, clock: systemClock, randomBytes, plans, passwords, secretBox };
}

/** The dependencies that create and read webhook signing secrets. */
export function composeSecrets(
  store: Store,
  config: Pick<Config, 'webhookKey' | 'dataDir'>,
  clock = store.clock,
): SecretDeps {
  return { store, clock, randomBytes, box: createSecretBox(readBoxKey(config, randomBytes), randomBytes) };
}
