import { usageError } from '../errors.ts';
import { readXml, type XmlHandler } from './read-xml.ts';
import { cutEmptyCells, headerPosition, prepended, TITLE_ROWS } from './table.ts';
import type { Table, TableLimits, TableRow } from './table.ts';
import type { OpenedZip, SizedBytes } from './zip-archive.ts';

/** Characters of all texts of a workbook, which are in memory while it is read. */
const MAX_SHARED_CHARACTERS = 50_000_000;

/** The memory that an empty text takes, in characters. */
const TEXT_CHARACTERS = 8;

/** Larger than any list of worksheets or styles. */
const MAX_LIST_BYTES = 16 << 20;

/** Another worksheet with at least this share of the bytes of the largest may be data that is missing. */
const OTHER_SHEET_SHARE = 0.2;

/** Ranges of merged cells that are remembered. */
const MAX_MERGED = 10_000;

interface Worksheet {
  readonly name: string;
  readonly part: SizedBytes;
}

/** What cells refer to. */
interface Workbook {
  readonly texts: readonly string[];
  /** Of each cell style: whether it shows a number as a date. */
  readonly isDate: readonly boolean[];
  /** Days between 1970-01-01 and day 0 of the workbook. */
  readonly epoch: number;
}

export function isWorkbook({ entries }: OpenedZip): boolean {
  return entries.some(({ name }) => name === 'xl/workbook.xml');
}

/** Opens the largest visible worksheet of an .xlsx workbook. Its rows are streamed; only the shared texts are kept. */
export async function openXlsx(path: string, zip: OpenedZip, limits: TableLimits): Promise<Table> {
  const partOf = (name: string): SizedBytes | undefined =>
    zip.entries.find((entry) => entry.name.toLowerCase() === name.toLowerCase());
  const { worksheets, epoch } = await readWorkbook(path, partOf);
  const bySize = worksheets.toSorted((a, b) => b.part.byteCount - a.part.byteCount);
  if (bySize.length === 0) throw usageError(`${path} has no visible worksheet.`);
  const [{ name: sheet, part }, ...others] = bySize;
  const workbook: Workbook = {
    epoch,
    texts: await readSharedTexts(path, partOf('xl/sharedStrings.xml')),
    isDate: await readDateStyles(path, partOf('xl/styles.xml')),
  };
  const otherSheets = others
    .filter((other) => other.part.byteCount >= OTHER_SHEET_SHARE * part.byteCount)
    .map(({ name }) => name);
  const merged: { readonly range: string; readonly lastLine: number }[] = [];
  const batches = readRows(path, part, workbook, limits, (range) => {
    const [, first, last] = /^[A-Z]+(\d+):[A-Z]+(\d+)$/.exec(range) ?? [];
    // Cells merged within one row are titles and notes.
    if (first !== last && merged.length < MAX_MERGED) merged.push({ range, lastLine: Number(last) });
  });
  const first = await batches.next();
  const rows = first.done ? [] : first.value;
  if (rows.length === 0) throw usageError(`${path}: the worksheet "${sheet}" is empty.`);
  const header = headerPosition(rows);
  const columns = rows[header].cells.map((cell) => cell.trim());
  // Empty cells at the end of a row are not in the file.
  const fitted = (batch: readonly TableRow[]): TableRow[] =>
    batch.map(({ cells, ...row }) => {
      const missing = Array<string>(Math.max(0, columns.length - cells.length)).fill('');
      return { ...row, cells: [...cutEmptyCells(cells, columns.length), ...missing] };
    });
  return {
    columns,
    batches: prepended([fitted(rows.slice(header + 1))], mapped(batches, fitted)),
    format: () => ({
      kind: 'xlsx',
      sheet,
      otherSheets,
      // As Excel numbers its rows: empty ones count too.
      titleRows: rows[header].line - 1,
      mergedCells: merged.filter(({ lastLine }) => lastLine > rows[header].line).map(({ range }) => range),
    }),
    close: () => batches.return(undefined),
  };
}

async function* mapped<A, B>(items: AsyncIterable<A>, change: (item: A) => B): AsyncGenerator<B> {
  for await (const item of items) yield change(item);
}

async function readWorkbook(path: string, partOf: (name: string) => SizedBytes | undefined) {
  const sheets: { name: string; id: string }[] = [];
  const targets = new Map<string, string>();
  let epoch = -25_569;
  await readPart(path, partOf('xl/workbook.xml'), {
    open: (tag, attributes) => {
      if (tag === 'workbookPr' && /^(1|true)$/.test(attributes.date1904 ?? '')) epoch = -24_107;
      if (tag !== 'sheet' || /hidden/i.test(attributes.state ?? '')) return;
      sheets.push({ name: attributes.name ?? '', id: attributes['r:id'] ?? attributes.id ?? '' });
    },
  });
  await readPart(path, partOf('xl/_rels/workbook.xml.rels'), {
    open: (tag, { Id = '', Target = '' }) => {
      if (tag === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  const worksheets = sheets.flatMap(({ name, id }): Worksheet[] => {
    const part = partOf(targets.get(id) ?? '');
    // A sheet that is a chart has no rows.
    return part && /worksheets\//i.test(part.name) ? [{ name, part }] : [];
  });
  return { worksheets, epoch };
}

async function readSharedTexts(path: string, part: SizedBytes | undefined): Promise<string[]> {
  const texts: string[] = [];
  let current: string[] = [];
  let isText = false;
  let isPhonetic = false;
  let characters = 0;
  const handler: XmlHandler = {
    open: (tag) => {
      if (tag === 'si') {
        current = [];
        characters += TEXT_CHARACTERS;
      }
      if (tag === 'rPh') isPhonetic = true;
      isText = tag === 't';
    },
    text: (text) => {
      if (!isText || isPhonetic) return;
      characters += text.length;
      current.push(text);
    },
    close: (tag) => {
      if (tag === 't') isText = false;
      if (tag === 'rPh') isPhonetic = false;
      if (tag !== 'si') return;
      texts.push(current.join(''));
      if (characters > MAX_SHARED_CHARACTERS) {
        throw usageError(`${path} has more text than can be held in memory. Save it as CSV.`);
      }
    },
  };
  if (part) await readToEnd(piecesOf(path, part, handler));
  return texts;
}

/** Number formats of dates that Excel has built in (ECMA-376 part 1, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

async function readDateStyles(path: string, part: SizedBytes | undefined): Promise<boolean[]> {
  const dateFormats = new Set<number>();
  const isDate: boolean[] = [];
  let isCellStyle = false;
  await readPart(path, part, {
    open: (tag, attributes) => {
      if (tag === 'numFmt') {
        const code = (attributes.formatCode ?? '').replace(/"[^"]*"|\\.|\[[^\]]*\]|General/gi, '');
        if (/[yd]/i.test(code)) dateFormats.add(Number(attributes.numFmtId));
      }
      if (tag === 'cellXfs') isCellStyle = true;
      if (tag !== 'xf' || !isCellStyle) return;
      const id = Number(attributes.numFmtId ?? 0);
      isDate.push(isBuiltInDate(id) || dateFormats.has(id));
    },
    close: (tag) => {
      if (tag === 'cellXfs') isCellStyle = false;
    },
  });
  return isDate;
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string;
  hasFormula: boolean;
}

/** The rows of a worksheet that are not empty. */
async function* readRows(
  path: string,
  part: SizedBytes,
  workbook: Workbook,
  limits: TableLimits,
  onMerged: (range: string) => void,
): AsyncGenerator<TableRow[]> {
  let line = 0;
  let isHidden = false;
  let cells: string[] = [];
  let cell: Cell | null = null;
  let isValue = false;
  let rows: TableRow[] = [];
  const handler: XmlHandler = {
    open: (tag, attributes) => {
      if (tag === 'row') {
        line = Number(attributes.r ?? line + 1);
        isHidden = /^(1|true)$/.test(attributes.hidden ?? '');
        cells = [];
      } else if (tag === 'c') {
        const column = columnOf(attributes.r ?? '') ?? cells.length;
        const { t: type = 'n', s: style = '0' } = attributes;
        cell = { column, type, style: Number(style), value: '', hasFormula: false };
      } else if (tag === 'f' && cell) {
        cell.hasFormula = true;
      } else if (tag === 'mergeCell') {
        onMerged(attributes.ref ?? '');
      }
      isValue = tag === 'v' || tag === 't';
    },
    text: (text) => {
      if (!isValue || !cell) return;
      cell.value += text;
      if (cell.value.length > limits.recordBytes) {
        throw usageError(`${path}, row ${line}: a cell is longer than ${limits.recordBytes / 1024} KB.`);
      }
    },
    close: (tag) => {
      if (tag === 'v' || tag === 't') isValue = false;
      if (tag === 'c' && cell) {
        const text = textOfCell(cell, workbook);
        if (text !== '' && cell.column >= limits.columns) {
          throw usageError(`${path}, row ${line}: it has more than ${limits.columns} columns.`);
        }
        if (text !== '') {
          while (cells.length < cell.column) cells.push('');
          cells[cell.column] = text;
        }
        cell = null;
      }
      if (tag === 'row' && cells.some((text) => text.trim() !== ''))
        rows.push({ line, cells, ...(isHidden && { isHidden }) });
    },
  };
  const pieces = piecesOf(path, part, handler);
  try {
    while (!(await pieces.next()).done) {
      if (rows.length < TITLE_ROWS) continue;
      yield rows;
      rows = [];
    }
    if (rows.length > 0) yield rows;
  } finally {
    await pieces.return(undefined);
  }
}

/** `C` of `C12` is 2. */
function columnOf(reference: string): number | null {
  const [letters] = /^[A-Z]{1,3}/.exec(reference) ?? [];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Significant digits of a number in Excel. */
const EXCEL_DIGITS = 15;

function textOfCell({ type, style, value, hasFormula }: Cell, { texts, isDate, epoch }: Workbook): string {
  if (type === 's') return texts[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return value;
  if (value === '')
    return hasFormula ? '= (a formula without its value: open and save the workbook in Excel)' : '';
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (isDate[style]) return dateText(number + epoch);
  // Longer numbers have lost digits. Their form shows it.
  if (/e\+?\d/i.test(value) && Math.abs(number) >= 1e15) return value;
  // Excel shows 15 digits, so that a rate of 6.62% is not 0.06620000000000001. Ids of 16 digits stay as they are.
  return String(Number.isInteger(number) ? number : Number(number.toPrecision(EXCEL_DIGITS)));
}

/** `2021-03-04`, with the time of day if it is not midnight; `days` since 1970-01-01. */
function dateText(days: number): string {
  const instant = new Date(Math.round(days * 86_400) * 1000);
  if (Number.isNaN(instant.getTime())) return String(days);
  const text = instant.toISOString().slice(0, 19);
  return text.endsWith('T00:00:00') ? text.slice(0, 10) : text;
}

/** Reads a list of worksheets or styles, if there is one. */
async function readPart(path: string, part: SizedBytes | undefined, handler: XmlHandler): Promise<void> {
  if (!part) return;
  if (part.byteCount > MAX_LIST_BYTES)
    throw usageError(`${path} is a damaged workbook: ${part.name} is too long.`);
  await readToEnd(piecesOf(path, part, handler));
}

async function readToEnd(pieces: AsyncGenerator<void>): Promise<void> {
  while (!(await pieces.next()).done);
}

async function* piecesOf(path: string, part: SizedBytes, handler: XmlHandler): AsyncGenerator<void> {
  try {
    yield* readXml(part.chunks, handler);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const detail = `${path} is a damaged workbook (${cause.message}). Open and save it in Excel, or save it as CSV.`;
    throw usageError(detail, cause);
  }
}
