import type { Problem } from '../../api/problem.ts';

/** Addresses that a refusal offers, as they are written. */
export function candidatesOf({ members }: Pick<Problem, 'members'>): string[] {
  const { candidates } = members;
  if (!Array.isArray(candidates)) return [];
  const addresses = candidates.flatMap((one: unknown) => {
    const told =
      typeof one === 'object' && one !== null ? new Map<string, unknown>(Object.entries(one)) : null;
    const address = told?.get('formatted_address');
    return typeof address === 'string' ? [address] : [];
  });
  return [...new Set(addresses)];
}

/** The day that a refusal names as the earliest it serves; null where it names none, or several. */
export function earliestDateIn(sentence: string): string | null {
  const days = new Set(sentence.match(/\b\d{4}-\d{2}-\d{2}\b/g));
  return days.size === 1 ? [...days][0] : null;
}
