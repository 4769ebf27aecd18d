import type { Key } from '../../api/account.ts';
import type { Choice } from '../../parts/field.tsx';
import { formatAgo } from '../../parts/format.ts';

export type KeyState = 'active' | 'expires soon' | 'expired' | 'revoked';

const MS_PER_DAY = 86_400_000;
/** A key is shown as "expires soon" this long before it expires. */
const SOON_MS = 14 * MS_PER_DAY;

export function stateOf(key: Pick<Key, 'expires_at' | 'revoked_at'>, now: Date): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'active';
  const left = Date.parse(key.expires_at) - now.getTime();
  if (left <= 0) return 'expired';
  return left < SOON_MS ? 'expires soon' : 'active';
}

export function isInactive(key: Pick<Key, 'expires_at' | 'revoked_at'>, now: Date): boolean {
  return ['expired', 'revoked'].includes(stateOf(key, now));
}

/** A key as it can be recognized, without its secret: `plb_live_a1B2c3D4_…9xYz`. */
export function shownKey({ environment, id, last_characters }: Key): string {
  return `plb_${environment}_${id}_…${last_characters}`;
}

/** The server records the first use at once, later uses at most once a minute. */
export function lastUseSentence({ last_used_at }: Pick<Key, 'last_used_at'>, now: Date): string {
  if (last_used_at === null) return 'It has not been used.';
  return `Last used: ${formatAgo(last_used_at, now)} (recorded at most once a minute).`;
}

export const EXPIRY_CHOICES: readonly Choice[] = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'day', label: 'On a date …' },
];

/** When a key expires. A chosen day counts until its end, in the user's time zone. */
export function expiryOf(choice: string, day: string, now: Date): string | null {
  if (choice === '') return null;
  if (choice !== 'day') return new Date(now.getTime() + Number(choice) * MS_PER_DAY).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}
