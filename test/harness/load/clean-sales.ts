import { formatDay } from '../../../src/domain/day.ts';
import type { WorkbookCell } from './workbook.ts';

export const ROWS = 60;

/** A home that was sold, as the cells of a clean file. */
export type Row = Record<string, string>;

export const CLEAN: readonly Row[] = Array.from({ length: ROWS }, (_, i) => ({
  parcel_id: `41701${String(23456 + 77 * i)}`,
  // Weekdays of 2021, from Monday, January 4.
  sale_date: formatDay(18_631 + 7 * Math.floor(0.8 * i) + (i % 5)),
  sale_price: String(200_000 + 1537 * i),
  address: `${100 + 2 * i} Calle José`,
  city: 'Cañon City',
  state_code: 'CO',
  postal_code: '81212',
  latitude: (38.44 + i / 1000).toFixed(4),
  longitude: (-105.22 - i / 1000).toFixed(4),
  bedrooms: String(2 + (i % 4)),
  bathrooms: String(1 + (i % 4) / 2),
  living_area: String(1210 + 31 * i),
  lot_size: String(4356 * (1 + (i % 7))),
  year_built: String(1930 + i),
}));

export const HEADER = Object.keys(CLEAN[0]);

/** A CSV file. */
export function csv(
  rows: readonly Row[],
  delimiter = ',',
  header: readonly string[] = Object.keys(rows[0]),
): string {
  const cell = (text: string): string =>
    text.includes(delimiter) || /["\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = rows.map((row) => Object.values(row).map(cell).join(delimiter));
  return `${[header.map(cell).join(delimiter), ...lines].join('\n')}\n`;
}

/** The clean file with another text in one column. */
export const changed = (column: string, change: (text: string, i: number) => string): string =>
  csv(CLEAN.map((row, i) => ({ ...row, [column]: change(row[column], i) })));

/** The clean file with other coordinates. */
export const located = (pointAt: (row: Row, i: number) => [latitude: string, longitude: string]): string =>
  csv(
    CLEAN.map((row, i) => {
      const [latitude, longitude] = pointAt(row, i);
      return { ...row, latitude, longitude };
    }),
  );

export const renamed = (names: Record<string, string>): string =>
  csv(
    CLEAN,
    ',',
    HEADER.map((name) => names[name] ?? name),
  );

export const parts = (iso: string): [year: string, month: string, day: string] => {
  const [year, month, day] = iso.split('-');
  return [year, month, day];
};
export const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
export const serial = (iso: string): number => Date.parse(iso) / 86_400_000 + 25_569;
/** The day that a program of Windows shows for a date counted from 1904. */
export const serial1904 = (iso: string): number => serial(iso) - 1462;
export const moved = (iso: string, days: number): string => formatDay(Date.parse(iso) / 86_400_000 + days);
export const grouped = (text: string, mark: string): string => text.replaceAll(/\B(?=(\d{3})+$)/g, mark);
export const without = (rows: readonly Row[], ...columns: string[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name))));
export const windows1252 = (text: string): Buffer => Buffer.from(text, 'latin1');
export const cells = (rows: readonly Row[]): WorkbookCell[][] => [
  HEADER,
  ...rows.map((row) => Object.values(row)),
];
export const typed = (row: Row): WorkbookCell[] =>
  Object.entries(row).map(([name, text]) => {
    if (name === 'sale_date') return new Date(text);
    return /^(address|city|state_code|parcel_id)$/.test(name) ? text : Number(text);
  });
export const firstTwelve =
  (order: 'month' | 'day') =>
  (iso: string, i: number): string => {
    const [year] = parts(iso);
    const [month, day] = [1 + (i % 11), 1 + ((i * 5) % 12)];
    return order === 'month' ? `${month}/${day}/${year}` : `${day}/${month}/${year}`;
  };

/** `38° 26' 24.0"`, without the sign. */
export const dms = (degrees: string): string => {
  const seconds = Math.abs(Number(degrees)) * 3600;
  return `${Math.floor(seconds / 3600)}° ${Math.floor((seconds % 3600) / 60)}' ${(seconds % 60).toFixed(2)}"`;
};
export const pointOf = ({ latitude, longitude }: Row): string => `POINT (${longitude} ${latitude})`;
