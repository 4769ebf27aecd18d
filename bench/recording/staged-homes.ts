import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

export type Row = Readonly<Record<string, string>>;

/** Rows of a staged CSV file that requests ask about: evenly spaced, so that all parts of a county are among them. */
export function someRows(
  files: string,
  path: string,
  count: number,
  isWanted: (row: Row) => boolean = () => true,
): Row[] {
  const text = readFileSync(join(files, path), 'utf8');
  const rows = (parse(text, { columns: true, skip_empty_lines: true, bom: true }) as Row[]).filter(isWanted);
  const step = Math.max(1, Math.floor(rows.length / count));
  return rows.filter((_, i) => i % step === 0).slice(0, count);
}

export const numberOf = (text: string | undefined): number | undefined =>
  text === undefined || text === '' ? undefined : Number(text);

export const pointOf = (row: Row): { latitude: number; longitude: number } => ({
  latitude: Number(row.latitude ?? row.lat),
  longitude: Number(row.longitude ?? row.long),
});

export const addressOf = (row: Row): string =>
  [row.address, row.city, `${row.state_code ?? ''} ${row.postal_code ?? ''}`.trim()]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
