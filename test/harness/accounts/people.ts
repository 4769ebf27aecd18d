import { randomBytes } from 'node:crypto';
import { createPasswords, type Passwords } from '../../../src/accounts/passwords.ts';
import { BUILT_IN_PLANS } from '../../../src/accounts/plans.ts';
import type { UserDeps } from '../../../src/accounts/sessions.ts';
import type { Clock } from '../../../src/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import { TEST_BOX } from './secret-box.ts';

/** 128 times as fast as the parameters of the service. */
export const QUICK_SCRYPT = { logN: 10, r: 8, p: 1 } as const;

/** What operations on users need, with passwords that are hashed quickly. */
export function testPeople(
  store: Store,
  clock: Clock,
  passwords: Passwords = createPasswords(randomBytes, QUICK_SCRYPT),
): UserDeps {
  return { store, clock, randomBytes, plans: BUILT_IN_PLANS, passwords, secretBox: () => TEST_BOX };
}
