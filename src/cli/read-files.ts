import { readFileSync } from 'node:fs';
import { BUILT_IN_PLANS, parsePlans, type Plans } from '../accounts/plans.ts';
import type { Config } from '../config.ts';
import type { JsonValue } from '../domain/json.ts';
import { PlumblineError } from '../errors.ts';
import {
  NO_ASSUMPTION_FILE,
  parseAssumptions,
  type AssumptionFile,
} from '../valuation/multifamily/assumptions.ts';

/** The operator's assumptions about income properties; none if no file is set. */
export function readAssumptions({ incomeAssumptions }: Pick<Config, 'incomeAssumptions'>): AssumptionFile {
  if (incomeAssumptions === null) return NO_ASSUMPTION_FILE;
  const example = 'docs/methods/multifamily.md';
  return readFile('INCOME_ASSUMPTIONS', incomeAssumptions, parseAssumptions, example);
}

/** The plans of accounts: the built-in plans and those in the operator's file. */
export function readPlans({ plans }: Pick<Config, 'plans'>): Plans {
  if (plans === null) return BUILT_IN_PLANS;
  return readFile('PLANS', plans, parsePlans, 'docs/operations/accounts.md');
}

/** The bytes of a file that an argument names. */
export function readGivenFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    throw new PlumblineError('usage', `The file ${path} cannot be read: ${trouble}.`);
  }
}

/** Reads the JSON file that a setting names. `example` is the document that shows such a file. */
function readFile<Content>(
  setting: string,
  path: string,
  parse: (json: JsonValue) => Content,
  example: string,
): Content {
  try {
    return parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    throw new PlumblineError(
      'usage',
      `${setting} names ${path}, which cannot be used: ${trouble.replace(/\.?$/, '.')} ${example} shows such a file.`,
    );
  }
}
