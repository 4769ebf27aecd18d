import { readFileSync } from 'node:fs';
import { BUILT_IN_PLANS, parsePlans, type Plans } from '../accounts/plans.ts';
import type { Config } from '../config.ts';
import { PlumblineError } from '../errors.ts';

/** The plans of accounts: the built-in plans and those in the operator's file. */
export function readPlans({ plans }: Pick<Config, 'plans'>): Plans {
  if (plans === null) return BUILT_IN_PLANS;
  try {
    return parsePlans(JSON.parse(readFileSync(plans, 'utf8')));
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    throw new PlumblineError(
      'usage',
      `PLANS names ${plans}, which cannot be used: ${trouble.replace(/\.?$/, '.')} ` +
        'docs/operations/accounts.md shows such a file.',
    );
  }
}
