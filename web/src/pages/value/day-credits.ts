import { formatCount, formatMany } from '../../parts/format.ts';
import type { Usage } from '../../api/usage.ts';
import type { Asked } from './asked.ts';

/** What a value without comparables is charged (contract §8); a test holds them to the server's own. */
const CREDITS = { home: 30, rent: 30, building: 50, furtherUnit: 1 } as const;

export function dayCredits({ kind, units }: Pick<Asked, 'kind' | 'units'>): number {
  return CREDITS[kind] + (kind === 'rent' ? CREDITS.furtherUnit * Math.max(0, units.length - 1) : 0);
}

/** What valuing so many days more costs; null where the plan has no cap, or nothing is left to value. */
export function daysCostSentence(
  days: number,
  each: number,
  usage: Pick<Usage, 'credits_limit' | 'credits_remaining'>,
): string | null {
  if (usage.credits_limit === null || days === 0) return null;
  const left = usage.credits_remaining ?? usage.credits_limit;
  return (
    `${formatMany(days, 'day')} at ${each} credits each, as values without comparables: ` +
    `${formatCount(days * each)} of the ${formatCount(left)} credits left this month.`
  );
}
