import type { ValuationKind } from '../../../../../src/domain/valuation-kind.ts';
import type { Table, TableRow } from '../csv/read-table.ts';
import { createBreather, createTeller } from '../csv/breathe.ts';
import type { Mapping } from './guess-columns.ts';
import { ADDRESS_PARTS, MEMBERS, type Member } from './members.ts';
import { readCell, type CellValue } from './read-cell.ts';

/** One thing wrong with a row. `column` is null where it is of no one column. */
export interface RowProblem {
  readonly row: number;
  /** Of the member. */
  readonly path: string;
  readonly column: string | null;
  readonly label: string;
  readonly message: string;
}

/** An item of a batch, ready to be sent, and the row that it is of. */
export interface RowItem {
  /** Place in the table's rows. */
  readonly at: number;
  readonly item: object;
}

export interface MadeItems {
  readonly items: readonly RowItem[];
  /** Of the rows that cannot be sent; all problems of a row together. */
  readonly problems: readonly RowProblem[];
  readonly badRows: number;
}

/** Rows are read by one plan, made once of the mapping. */
export interface ItemReader {
  readonly read: (row: TableRow) => {
    readonly item: object | null;
    readonly problems: readonly RowProblem[];
  };
}

interface MappedMember {
  readonly member: Member;
  readonly column: number | null;
  readonly columnName: string | null;
  readonly text: string;
}

/** @param today as `YYYY-MM-DD`: no value is for a later day. */
export function createItemReader(
  kind: ValuationKind,
  columns: readonly string[],
  mapping: Mapping,
  today: string,
): ItemReader {
  const mapped = MEMBERS[kind].flatMap((member): MappedMember[] => {
    const source = mapping[member.path];
    if (source === undefined)
      return member.isRequired ? [{ member, column: null, columnName: null, text: '' }] : [];
    if ('column' in source)
      return [{ member, column: source.column, columnName: columns[source.column] ?? null, text: '' }];
    return [{ member, column: null, columnName: null, text: source.text }];
  });
  return {
    read(row) {
      const problems: RowProblem[] = [];
      const values = new Map<string, CellValue>();
      for (const { member, column, columnName, text } of mapped) {
        const read = readCell(member.type, column === null ? text : (row.cells[column] ?? ''));
        const message = read.problem ?? problemOf(member, read.value, today);
        if (message !== null)
          problems.push({
            row: row.row,
            path: member.path,
            column: columnName,
            label: member.label,
            message,
          });
        else if (read.value !== null) values.set(member.path, read.value);
      }
      joinAddress(values);
      const place = placeProblem(values, problems);
      if (place !== null)
        problems.push({ row: row.row, path: 'location', column: null, label: 'Place', message: place });
      if (problems.length > 0) return { item: null, problems };
      // Who reads the results elsewhere finds the row again.
      if (!values.has('property_id')) values.set('property_id', `row ${row.row}`);
      return { item: itemOf(kind, values), problems };
    },
  };
}

function problemOf(member: Member, value: CellValue | null, today: string): string | null {
  if (value === null) return member.isRequired ? 'is missing, and cannot be left out' : null;
  if (member.type.kind === 'day' && String(value) > today) return `“${value}” is in the future`;
  return null;
}

/** The street line, and what of its city, state and ZIP it does not say itself. */
function joinAddress(values: Map<string, CellValue>): void {
  const parts = new Map<string, string>();
  for (const path of ADDRESS_PARTS) {
    const value = values.get(path);
    if (value !== undefined) parts.set(path, String(value));
    values.delete(path);
  }
  const street = values.get('location.address');
  if (typeof street !== 'string') return;
  const unit = parts.get('part.unit');
  const line =
    unit === undefined || says(street, unit)
      ? street
      : `${street} ${NAMED_UNIT.test(unit) ? unit : `# ${unit}`}`;
  const city = parts.get('part.city');
  const state = parts.get('part.state');
  const postal = postalCode(parts.get('part.postal_code'));
  const tail = afterStreet(street);
  const region = [state, postal].filter((part) => part !== undefined && !says(tail, part)).join(' ');
  const missing = [city !== undefined && !says(tail, city) ? city : '', region].filter((part) => part !== '');
  values.set('location.address', [line, ...missing].join(', '));
}

/** `Apt 4` says itself what it is. */
const NAMED_UNIT = /^(#|apt|apartment|unit|ste|suite|rm|room|fl|floor|bldg|building)\b|^#/i;

/** Behind the first comma: `Milwaukee` is a city there, and may be an avenue before. */
function afterStreet(street: string): string {
  const comma = street.indexOf(',');
  return comma < 0 ? '' : street.slice(comma + 1);
}

function says(text: string, part: string): boolean {
  return ` ${wordsOf(text)} `.includes(` ${wordsOf(part)} `);
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Spreadsheets take the leading 0 of New England for nothing. */
function postalCode(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{3,4}$/.test(text) ? text.padStart(5, '0') : text;
}

const PLACE_PATHS = ['location.address', 'location.latitude', 'location.longitude'];

function placeProblem(
  values: ReadonlyMap<string, CellValue>,
  problems: readonly RowProblem[],
): string | null {
  const [hasAddress, hasLatitude, hasLongitude] = PLACE_PATHS.map((path) => values.has(path));
  const length = String(values.get('location.address') ?? '').length;
  if (length > 500) return 'the address with its parts is longer than 500 characters';
  // What is there but wrong has been told.
  const isTold = problems.some(({ path }) => PLACE_PATHS.includes(path));
  if (isTold || (hasLatitude && hasLongitude)) return null;
  if (hasLatitude) return 'has a latitude without a longitude';
  if (hasLongitude) return 'has a longitude without a latitude';
  return hasAddress ? null : 'has neither an address nor latitude and longitude';
}

/** Paths as the members they name; the members of a unit are those of the one unit in `units`. */
function itemOf(kind: ValuationKind, values: ReadonlyMap<string, CellValue>): object {
  const sections: Record<string, Record<string, CellValue>> = {};
  let reference: CellValue | null = null;
  for (const [path, value] of values) {
    const [section, name] = path.split('.');
    if (name === undefined) reference = value;
    else (sections[section] ??= {})[name] = value;
  }
  const { units, property_fields, ...others } = sections;
  const fields = kind === 'rental' ? { ...property_fields, units: [units] } : property_fields;
  return { property_id: reference, ...others, property_fields: fields };
}

export interface MakeOptions {
  readonly today: string;
  readonly signal?: AbortSignal;
  /** Told now and then how many rows were read. */
  readonly onProgress?: (rows: number) => void;
}

/** So many problems are kept; a file with more has one mistake many times. */
export const PROBLEMS_KEPT = 10_000;

/** Reads all rows, a stretch at a time. */
export async function makeItems(
  kind: ValuationKind,
  table: Pick<Table, 'columns' | 'rows'>,
  mapping: Mapping,
  { today, signal, onProgress }: MakeOptions,
): Promise<MadeItems> {
  const reader = createItemReader(kind, table.columns, mapping, today);
  const breathe = createBreather();
  const isTimeToTell = createTeller();
  const items: RowItem[] = [];
  const problems: RowProblem[] = [];
  let badRows = 0;
  for (const [at, row] of table.rows.entries()) {
    const read = reader.read(row);
    if (read.item !== null) items.push({ at, item: read.item });
    else badRows++;
    if (problems.length < PROBLEMS_KEPT) problems.push(...read.problems);
    if (at % 50 !== 0) continue;
    await breathe();
    signal?.throwIfAborted();
    if (isTimeToTell()) onProgress?.(at);
  }
  return { items, problems, badRows };
}

/** The same trouble in many rows, told once. */
export interface ProblemGroup {
  readonly column: string | null;
  readonly label: string;
  readonly rows: readonly number[];
  /** Of its first row. */
  readonly example: string;
}

/** Most frequent first. */
export function groupProblems(problems: readonly RowProblem[]): ProblemGroup[] {
  const groups = new Map<string, ProblemGroup & { rows: number[] }>();
  for (const { row, column, label, message } of problems) {
    // The value differs from row to row, what is wrong with it does not.
    const key = [column, label, message.replace(/^“.*”/, '')].join('\n');
    const group = groups.get(key) ?? { column, label, rows: [], example: message };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.rows.length - a.rows.length);
}
