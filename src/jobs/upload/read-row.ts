import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { SheetRow } from '../../tables/read-sheet.ts';
import type { Mapping } from './guess-columns.ts';
import {
  ADDRESS_PARTS,
  ASSESSED,
  BALANCE,
  featureMembers,
  featureOfPath,
  MEMBERS,
  type Member,
} from './members.ts';
import { readCell, type CellValue, type ReadCell } from './read-cell.ts';

/** One problem of a row. `column` is null if it concerns no single column. */
export interface RowProblem {
  readonly row: number;
  /** Of the member. */
  readonly path: string;
  readonly column: string | null;
  readonly label: string;
  readonly message: string;
}

/** A row as a batch item, or everything that is wrong with it. */
interface ReadRow {
  readonly item: object | null;
  readonly problems: readonly RowProblem[];
  readonly balanceUsd: number | null;
  /** Unreadable figures that are not sent, such as the loan balance. The home is valued all the same. */
  readonly figureProblems: readonly RowProblem[];
  /** The last line of a report: not a property, and nothing that has to be corrected. */
  readonly isTotal: boolean;
}

/** A file and how its rows are read. */
export interface ReadingPlan {
  readonly kind: ValuationKind;
  readonly columns: readonly string[];
  readonly mapping: Mapping;
  /** As `YYYY-MM-DD`: no value is for a later day. */
  readonly today: string;
  /** Addresses as they are sent, by the whole address of the row: suggestions that the user accepted. */
  readonly corrections?: Readonly<Record<string, string>>;
}

interface MappedMember {
  readonly member: Member;
  readonly column: number | null;
  readonly columnName: string | null;
  readonly text: string;
}

export function createRowReader(plan: ReadingPlan): (row: SheetRow) => ReadRow {
  const { kind, today } = plan;
  const mapped = mappedMembers(plan);
  return (row) => {
    const problems: RowProblem[] = [];
    const figureProblems: RowProblem[] = [];
    const values = new Map<string, CellValue>();
    for (const each of mapped) {
      const { path, label } = each.member;
      const { value, problem } = readMember(each, row, today);
      if (problem !== null) {
        const found = { row: row.row, path, column: each.columnName, label, message: problem };
        (path === BALANCE || path === ASSESSED ? figureProblems : problems).push(found);
      } else if (value !== null) values.set(path, value);
    }
    if (isTotalRow(row, values)) {
      return { item: null, problems: [], balanceUsd: null, figureProblems: [], isTotal: true };
    }
    joinAddress(values, plan.corrections);
    const balance = values.get(BALANCE);
    const loan = { balanceUsd: typeof balance === 'number' ? balance : null, figureProblems };
    values.delete(BALANCE);
    values.delete(ASSESSED);
    const location = locationProblem(values, problems);
    if (location !== null) {
      problems.push({ row: row.row, path: 'location', column: null, label: 'Location', message: location });
    }
    if (problems.length > 0) return { item: null, problems, ...loan, isTotal: false };
    // A reader of the results elsewhere finds the row by this name.
    if (!values.has('property_id')) values.set('property_id', `row ${row.row}`);
    return { item: itemOf(kind, values), problems, ...loan, isTotal: false };
  };
}

/** The path of the member that is the address of a home. */
export const ADDRESS = 'location.address';
const TOTAL = /^(grand |sub-?\s?)?totals?\b/i;

/** Whether a cell says that the row is a total, and the row has no location, or `Total` in the column of addresses. */
function isTotalRow({ cells }: SheetRow, values: ReadonlyMap<string, CellValue>): boolean {
  const address = values.get(ADDRESS);
  if (typeof address === 'string') return /^(grand |sub-?\s?)?totals?:?$/i.test(address);
  return !values.has('location.latitude') && cells.some((cell) => TOTAL.test(cell.trim()));
}

/** Members that have a column or a text, and required members that have neither. */
export function mappedMembers({ kind, columns, mapping }: ReadingPlan): MappedMember[] {
  const features = featureMembers(Object.keys(mapping).flatMap((path) => featureOfPath(path) ?? []));
  return [...MEMBERS[kind], ...features].flatMap((member): MappedMember[] => {
    const source = mapping[member.path];
    if (source === undefined) {
      return member.isRequired ? [{ member, column: null, columnName: null, text: '' }] : [];
    }
    if ('text' in source) return [{ member, column: null, columnName: null, text: source.text }];
    return [{ member, column: source.column, columnName: columns[source.column] ?? null, text: '' }];
  });
}

/** The value of a member in a row, or its problem. */
export function readMember({ member, column, text }: MappedMember, row: SheetRow, today: string): ReadCell {
  const { path, type, isRequired } = member;
  const cell = column === null ? text : (row.cells[column] ?? '');
  const isStudio = path.endsWith('bedrooms') && cell.trim().toLowerCase() === 'studio';
  const read = readCell(type, isStudio ? '0' : cell);
  const { value } = read;
  if (read.problem !== null || (value === null && !isRequired)) return read;
  if (value === null) return { value, problem: 'is missing, and is required' };
  const isFuture = type.kind === 'day' && String(value) > today;
  return isFuture ? { value: null, problem: `“${value}” is in the future` } : read;
}

/** The balance of a row's loan, in dollars, or why it cannot be read. */
export type BalanceReader = (row: SheetRow) => {
  readonly balance: number | null;
  readonly problem: string | null;
};

/** Null if the plan has no column of loan balances. */
export function balanceReader(plan: ReadingPlan): BalanceReader | null {
  const mapped = mappedMembers(plan).find(({ member }) => member.path === BALANCE);
  if (!mapped) return null;
  return (row) => {
    const { value, problem } = readMember(mapped, row, plan.today);
    return { balance: typeof value === 'number' ? value : null, problem };
  };
}

/** The assessed value of a row in dollars; null if it has none that can be read. */
export type AssessedReader = (row: SheetRow) => number | null;

/** Null if the plan has no column of assessed values. */
export function assessedReader(plan: ReadingPlan): AssessedReader | null {
  const mapped = mappedMembers(plan).find(({ member }) => member.path === ASSESSED);
  if (!mapped) return null;
  return (row) => {
    const { value } = readMember(mapped, row, plan.today);
    return typeof value === 'number' && value > 0 ? value : null;
  };
}

/** The whole address of a row as it is sent; null without one. */
export type AddressReader = (row: SheetRow) => string | null;

export function addressReader(plan: ReadingPlan): AddressReader {
  const paths: readonly string[] = [ADDRESS, ...ADDRESS_PARTS];
  const mapped = mappedMembers(plan).filter(({ member }) => paths.includes(member.path));
  return (row) => {
    const values = new Map<string, CellValue>();
    for (const each of mapped) {
      const { value } = readMember(each, row, plan.today);
      if (value !== null) values.set(each.member.path, value);
    }
    joinAddress(values, plan.corrections);
    const address = values.get(ADDRESS);
    return typeof address === 'string' ? address : null;
  };
}

/** The street line, with the unit, city, state and ZIP code that it does not contain yet; or its correction. */
function joinAddress(values: Map<string, CellValue>, corrections: ReadingPlan['corrections'] = {}): void {
  const [unit, city, state, postal] = ADDRESS_PARTS.map((path) => String(values.get(path) ?? ''));
  for (const path of ADDRESS_PARTS) values.delete(path);
  const street = values.get(ADDRESS);
  if (typeof street !== 'string') return;
  const tail = afterStreet(street);
  const isMissing = (part: string): boolean => part !== '' && !contains(tail, part);
  const hasUnit = unit === '' || contains(street, unit);
  const line = hasUnit ? street : `${street} ${NAMED_UNIT.test(unit) ? unit : `# ${unit}`}`;
  const region = [state, postalCode(postal)].filter(isMissing).join(' ');
  const parts = [line, isMissing(city) ? city : '', region].filter((part) => part !== '');
  const address = parts.join(', ');
  values.set(ADDRESS, Object.hasOwn(corrections, address) ? corrections[address] : address);
}

/** `Apt 4` names itself; a bare `4` does not. */
const NAMED_UNIT = /^(#|apt|apartment|unit|ste|suite|rm|room|fl|floor|bldg|building)\b|^#/i;

/** The text after the first comma: `Milwaukee` is a city there, and may be an avenue before it. */
function afterStreet(street: string): string {
  const comma = street.indexOf(',');
  return comma < 0 ? '' : street.slice(comma + 1);
}

function contains(text: string, part: string): boolean {
  return ` ${wordsOf(text)} `.includes(` ${wordsOf(part)} `);
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Spreadsheets drop the leading 0 of ZIP codes in New England. Text that is not a ZIP code, such as "0" or "TBD",
 * would be read as a city, so that a known address would not be found.
 */
export function postalCode(text: string): string {
  const [, zip, more = ''] = /^(\d{3,5})(?:[ -]?(\d{4}))?$/.exec(text.trim()) ?? [];
  if (zip === undefined) return /\b\d{5}\b/.test(text) ? text : '';
  if (Number(zip) === 0) return '';
  return `${zip.padStart(5, '0')}${more === '' ? '' : `-${more}`}`;
}

const LOCATION_PATHS = [ADDRESS, 'location.latitude', 'location.longitude'];

function locationProblem(
  values: ReadonlyMap<string, CellValue>,
  problems: readonly RowProblem[],
): string | null {
  const [hasAddress, hasLatitude, hasLongitude] = LOCATION_PATHS.map((path) => values.has(path));
  const length = String(values.get(ADDRESS) ?? '').length;
  if (length > 500) return 'the address with its parts is longer than 500 characters';
  // A bad cell has been reported already.
  const isReported = problems.some(({ path }) => LOCATION_PATHS.includes(path));
  if (isReported || (hasLatitude && hasLongitude)) return null;
  if (hasLatitude) return 'has a latitude without a longitude';
  if (hasLongitude) return 'has a longitude without a latitude';
  return hasAddress ? null : 'has neither an address nor latitude and longitude';
}

/** Paths as nested members. The members of a unit are those of the one unit in `units`. */
function itemOf(kind: ValuationKind, values: ReadonlyMap<string, CellValue>): object {
  const sections: Record<string, Record<string, CellValue>> = {};
  const features: [string, CellValue][] = [];
  let reference: CellValue | null = null;
  for (const [path, value] of values) {
    const feature = featureOfPath(path);
    if (feature !== null) {
      features.push([feature, value]);
      continue;
    }
    const [section, name] = path.split('.');
    if (name === undefined) reference = value;
    else (sections[section] ??= {})[name] = value;
  }
  const { units, property_fields, ...others } = sections;
  const fields = {
    ...property_fields,
    ...(kind === 'rental' && { units: [units] }),
    ...(features.length > 0 && { features: Object.fromEntries(features) }),
  };
  return { property_id: reference, ...others, property_fields: fields };
}
