import type { Choice } from '../../parts/field.tsx';

export const EXPIRY_CHOICES: readonly Choice[] = [
  { value: '', label: 'never' },
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: 'day', label: 'on a day …' },
];

const MS_PER_DAY = 86_400_000;

/** When a key ends by the choice made; a day that is named counts to its end, where its reader is. */
export function expiryOf(choice: string, day: string, now: Date): string | null {
  if (choice === '') return null;
  if (choice !== 'day') return new Date(now.getTime() + Number(choice) * MS_PER_DAY).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}
