import type { Result } from './result-columns.ts';

/** Items of a job that failed alike. */
export interface Failures {
  readonly code: string;
  readonly count: number;
  /** What to do about it. */
  readonly advice: string;
  /** What the server said of the first. */
  readonly example: string;
  /** The first few, by their reference, else by their number. */
  readonly references: readonly string[];
}

/** What a person can do; the server's own sentence says what is wrong. */
const ADVICE: Readonly<Record<string, string>> = {
  address_not_found: 'Correct these addresses, or give latitude and longitude.',
  outside_coverage: 'No market is loaded there. The page Markets shows what is covered.',
  insufficient_data:
    'Too few sales are known there, or no model is old enough for the as-of date. Take a later date.',
  cancelled: 'The job was cancelled before it reached them. Retry to value them.',
  poison:
    'Valuing these ended the process each time. Report them, with their references, to whoever runs the server.',
  unavailable: 'A part of the service was away. Retry.',
  deadline_exceeded: 'It took too long. Retry.',
  quota_exceeded: 'The month’s credits were used up. Retry when there are credits again.',
  internal_error: 'The service failed. Retry; if it fails again, report it.',
};

const REFERENCES_SHOWN = 5;

/** What failed, by its cause; most frequent first. */
export function groupFailures(results: readonly Result[]): Failures[] {
  const groups = new Map<string, Failures & { count: number; references: string[] }>();
  for (const { status, error_code, error, property_id, index } of results) {
    if (status !== 'error') continue;
    const code = error_code ?? 'unknown';
    const group = groups.get(code) ?? {
      code,
      count: 0,
      advice: ADVICE[code] ?? 'Retry.',
      example: error ?? '',
      references: [],
    };
    group.count++;
    if (group.references.length < REFERENCES_SHOWN) group.references.push(property_id ?? `item ${index + 1}`);
    groups.set(code, group);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}
