import { existsSync } from 'node:fs';
import process from 'node:process';

/** Set by `npm test -- --full`, which runs what a release needs. */
export const ALL_CASES = 'PLUMBLINE_TEST_ALL_CASES';
const hasAll = process.env[ALL_CASES] === '1';

/** How many random cases or kills a test has: a third, or all with `--full`. */
export function casesOf(all: number): number {
  return hasAll ? all : Math.ceil(all / 3);
}

/** Why a test of a whole published file is skipped. Small files with the same rules are always tested. */
export function skipWholeFile(path: string): string | false {
  if (!existsSync(path)) return `${path} is absent`;
  return hasAll ? false : 'whole published files are read by npm test -- --full';
}
