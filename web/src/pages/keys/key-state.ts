import type { Key } from '../../api/keys.ts';
import { formatAgo } from '../../parts/format.ts';

export type KeyState = 'in force' | 'ends soon' | 'expired' | 'revoked';

/** Within so long of its end a key is shown as one to rotate. */
const SOON_MS = 14 * 86_400_000;

export function stateOf(key: Pick<Key, 'expires_at' | 'revoked_at'>, now: Date): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'in force';
  const left = Date.parse(key.expires_at) - now.getTime();
  if (left <= 0) return 'expired';
  return left < SOON_MS ? 'ends soon' : 'in force';
}

export function hasEnded(key: Pick<Key, 'expires_at' | 'revoked_at'>, now: Date): boolean {
  const state = stateOf(key, now);
  return state === 'expired' || state === 'revoked';
}

/** A key as it can be recognized, without its secret: `plb_live_a1B2c3D4_…9xYz`. */
export function shownKey({ environment, id, last_characters }: Key): string {
  return `plb_${environment}_${id}_…${last_characters}`;
}

/** When it was last used, as far as it is noted: the first use at once, later ones once a minute at most. */
export function lastUseSentence({ last_used_at }: Pick<Key, 'last_used_at'>, now: Date): string {
  if (last_used_at === null) return 'No use of it is noted.';
  return `Its last use noted was ${formatAgo(last_used_at, now)}; uses are noted once a minute at most.`;
}
