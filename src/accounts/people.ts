import type { Clock } from '../clock.ts';
import type { Store } from '../store/store.ts';
import type { RandomBytes } from './api-key.ts';
import type { Passwords } from './passwords.ts';
import type { Plans } from './plans.ts';

/** What the rules of people need: who they are, what they may, how they sign in. */
export interface PeopleDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly plans: Plans;
  readonly passwords: Passwords;
}
