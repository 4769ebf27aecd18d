import { PlumblineError } from '../errors.ts';

/** What is examined, in the order of the report. */
export const CHECKS = [
  'settings',
  'disk',
  'permissions',
  'database',
  'clock',
  'blobs',
  'objects',
  'keys',
  'markets',
  'models',
  'queue',
  'webhooks',
  'portfolios',
] as const;
export type Check = (typeof CHECKS)[number];

/** Something that is wrong, or soon will be. */
export interface Finding {
  readonly check: Check;
  /** An error is wrong now; a warning gets worse, or may be intended. */
  readonly severity: 'warning' | 'error';
  readonly what: string;
  readonly where: string;
  readonly remedy: string;
}

/** Where a check looks, and what to do if it cannot. */
export type Advice = Pick<Finding, 'where' | 'remedy'>;

export const SETTINGS_ADVICE: Advice = {
  where: 'the settings',
  remedy: 'Correct it (docs/operations/settings.md).',
};

/** Runs a check; a failure with a sentence is a finding too. */
export async function findingsOf(
  check: Check,
  advice: Advice,
  work: () => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PlumblineError)) throw error;
    return [{ check, severity: 'error', what: error.message, ...advice }];
  }
}
