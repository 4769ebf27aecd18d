import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import type { JsonOption } from './options.ts';
import { printLine } from './print.ts';

export const YES_OPTION = ['--yes', 'do not ask'] as const;

export interface ConfirmOptions extends JsonOption {
  readonly yes?: boolean;
}

/**
 * Whether to go on with a deletion: with --yes, or if the user types the name on a terminal. Otherwise prints what would be
 * deleted, and deletes nothing.
 */
export async function confirmDeletion(
  { yes, json }: ConfirmOptions,
  plan: string,
  name: string,
): Promise<boolean> {
  if (yes) return true;
  if (json || !process.stdin.isTTY) {
    if (!json) printLine(`${plan}\nNothing was deleted. To delete it, add --yes.`);
    return false;
  }
  printLine(plan);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await lines.question(`Type ${name} to delete this: `);
  lines.close();
  if (typed.trim() === name) return true;
  printLine('Nothing was deleted.');
  return false;
}
