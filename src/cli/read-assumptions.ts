import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import { PlumblineError } from '../errors.ts';
import {
  NO_ASSUMPTION_FILE,
  parseAssumptions,
  type AssumptionFile,
} from '../valuation/multifamily/assumptions.ts';

/** Reads the operator's assumptions about income properties; none if no file is set. */
export function readAssumptions({ incomeAssumptions }: Pick<Config, 'incomeAssumptions'>): AssumptionFile {
  if (incomeAssumptions === null) return NO_ASSUMPTION_FILE;
  try {
    return parseAssumptions(JSON.parse(readFileSync(incomeAssumptions, 'utf8')));
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    throw new PlumblineError(
      'usage',
      `INCOME_ASSUMPTIONS names ${incomeAssumptions}, which cannot be used: ${trouble.replace(/\.?$/, '.')} ` +
        'docs/methods/multifamily.md shows such a file.',
    );
  }
}
