/** Every command that prints data has this option. */
export const JSON_OPTION = ['--json', 'print JSON'] as const;

export interface JsonOption {
  readonly json?: boolean;
}

/**
 * Prints the result of a command: as JSON with `--json`, otherwise as text. Results go to stdout and everything else to stderr, so
 * that results can be piped.
 */
export function printResult({ json }: JsonOption, result: unknown, printText: () => void): void {
  if (json) printJson(result);
  else printText();
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printLine(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Pads columns to their widest cell. The first row is the header. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    printLine(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** The UTC day of an instant, for tables; `-` for none. */
export function dayText(ms: number | null): string {
  return ms === null ? '-' : new Date(ms).toISOString().slice(0, 10);
}
