import { instant } from '../domain/instant.ts';
import type { JsonOption } from './options.ts';

/**
 * Prints the result of a command: as JSON with `--json`, otherwise as text. Results go to stdout and everything
 * else to stderr, so that results can be piped.
 */
export function printResult({ json }: JsonOption, result: unknown, text: string): void {
  if (json) printJson(result);
  else printLine(text);
}

/** Prints a result that contains a secret. Its text is the secret alone, so that it can be piped. */
export function printSecret({ json }: JsonOption, result: unknown, secret: string, notes: string[]): void {
  if (json) return printJson(result);
  printLine(secret);
  for (const note of notes) console.error(note);
}

export function printJson(value: unknown): void {
  printLine(jsonText(value));
}

/** Members that are instants in ms, such as `createdAt`. */
const INSTANT = /[a-z](At|Since|Until)$/;

/** JSON with instants as the API writes them. */
export function jsonText(value: unknown): string {
  const withInstants = (name: string, member: unknown): unknown =>
    typeof member === 'number' && INSTANT.test(name) ? instant(member) : member;
  return JSON.stringify(value, withInstants, 2);
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Pads columns to their widest cell. The first row is the header. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** The UTC date of an instant, for tables; `-` for none. */
export function dayText(ms: number | null): string {
  return ms === null ? '-' : new Date(ms).toISOString().slice(0, 10);
}
