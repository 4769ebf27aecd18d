import { strToU8, Zip, ZipDeflate } from 'fflate';
import { formatDay, parseDay } from '../domain/day.ts';
import type { Cell } from './write-csv.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export interface XlsxColumn {
  readonly name: string;
  /** A number that is written as text stays text: `00410` names a loan. */
  readonly isText?: boolean;
  readonly format?: 'usd' | 'percent';
  /** The address that a text of this column links to. */
  readonly linkOf?: (text: string) => string;
}

type Style = 'plain' | 'header' | 'day' | 'usd' | 'percent' | 'link' | 'quoted';

/** By position in `cellXfs`. `quoted` stays text when a user edits the cell, although it looks like a formula. */
const STYLES: Readonly<Record<Style, string>> = {
  plain: '<xf numFmtId="0" fontId="0"/>',
  header: '<xf numFmtId="0" fontId="1" applyFont="1"/>',
  day: '<xf numFmtId="164" fontId="0" applyNumberFormat="1"/>',
  usd: '<xf numFmtId="165" fontId="0" applyNumberFormat="1"/>',
  percent: '<xf numFmtId="166" fontId="0" applyNumberFormat="1"/>',
  link: '<xf numFmtId="0" fontId="2" applyFont="1"/>',
  quoted: '<xf numFmtId="0" fontId="0" quotePrefix="1"/>',
};
const STYLE_NO = new Map(Object.keys(STYLES).map((name, at) => [name, at]));

/** What Excel allows in a sheet. More links make it repair the file. */
const MAX_LINKS = 65_530;
const MAX_CELL_CHARACTERS = 32_767;
/** Rows and links are compressed in pieces of this many characters: about 2 ms each. */
const PIECE_CHARACTERS = 64_000;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const RELATIONS_START = `<Relationships xmlns="${PACKAGE}/relationships">`;
const RELATIONS_END = '</Relationships>';

/**
 * An .xlsx workbook of one sheet with a fixed header, in pieces. It contains no formulas. Memory is needed for the
 * links only.
 */
export async function* writeXlsx(
  columns: readonly XlsxColumn[],
  rows: AsyncIterable<readonly Cell[]>,
): AsyncGenerator<Uint8Array> {
  const archive = createArchive();
  for (const [name, text] of Object.entries(PARTS)) archive.add(name, XML + text);
  const sheet = archive.open('xl/worksheets/sheet1.xml');
  const links: { readonly cell: string; readonly address: string }[] = [];
  const header = columns.map(({ name }, at) => textXml(name, lettersOf(at) + 1, 'header'));
  let text = `${XML}${sheetStart(columns)}<row r="1">${header.join('')}</row>`;
  let lastRow = 1;
  for await (const cells of rows) {
    const row = ++lastRow;
    const written = cells.map((cell, at) => {
      const reference = lettersOf(at) + row;
      const { linkOf } = columns[at];
      const isLink = linkOf !== undefined && typeof cell === 'string' && links.length < MAX_LINKS;
      if (isLink) links.push({ cell: reference, address: linkOf(cell) });
      return isLink ? textXml(cell, reference, 'link') : cellXml(cell, reference, columns[at]);
    });
    text += `<row r="${row}">${written.join('')}</row>`;
    if (text.length < PIECE_CHARACTERS) continue;
    sheet.push(strToU8(text));
    text = '';
    yield* archive.taken();
  }
  const end = `</sheetData><autoFilter ref="A1:${lettersOf(columns.length - 1)}${lastRow}"/>`;
  sheet.push(strToU8(text + end + (links.length > 0 ? '<hyperlinks>' : '')));
  for (const piece of inPieces(links, ({ cell }, no) => `<hyperlink ref="${cell}" r:id="rId${no}"/>`)) {
    sheet.push(strToU8(piece));
    yield* archive.taken();
  }
  sheet.push(strToU8(`${links.length > 0 ? '</hyperlinks>' : ''}</worksheet>`), true);
  const relations = archive.open('xl/worksheets/_rels/sheet1.xml.rels');
  relations.push(strToU8(XML + RELATIONS_START));
  for (const piece of inPieces(links, ({ address }, no) => relation(no, 'hyperlink', address, true))) {
    relations.push(strToU8(piece));
    yield* archive.taken();
  }
  relations.push(strToU8(RELATIONS_END), true);
  archive.end();
  yield* archive.taken();
}

/** Texts of items, numbered from 1, joined into pieces. */
function* inPieces<T>(items: readonly T[], textOf: (item: T, no: number) => string): Generator<string> {
  let text = '';
  for (const [at, item] of items.entries()) {
    text += textOf(item, at + 1);
    if (text.length < PIECE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function createArchive() {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    ready.push(bytes);
  });
  const open = (name: string): ZipDeflate => {
    const part = new ZipDeflate(name, { level: 6 });
    // The same rows give the same bytes.
    part.mtime = '1980-01-01T00:00:00';
    zip.add(part);
    return part;
  };
  return {
    open,
    add: (name: string, text: string): void => open(name).push(strToU8(text), true),
    end: (): void => zip.end(),
    *taken(): Generator<Uint8Array> {
      const pieces = ready;
      ready = [];
      yield* pieces.filter(({ length }) => length > 0);
    },
  };
}

function sheetStart(columns: readonly XlsxColumn[]): string {
  const widths = columns.map(({ name, format }, at) => {
    const width = Math.min(40, Math.max(format ? 12 : 10, name.length + 4));
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
  });
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  return (
    `<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}">` +
    `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>` +
    `<cols>${widths.join('')}</cols><sheetData>`
  );
}

function cellXml(cell: Cell, reference: string, { isText = false, format }: XlsxColumn): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`;
  const value = typeof cell === 'number' ? cell : isText ? null : numberOf(cell);
  if (value !== null) return numberXml(value, reference, format ?? 'plain');
  const text = String(cell);
  const day = serialDayOf(text);
  if (day !== null) return numberXml(day, reference, 'day');
  return textXml(text, reference, /^[=+\-@\t\r\n'＝＋－＠]/.test(text) ? 'quoted' : 'plain');
}

function numberXml(value: number, reference: string, style: Style): string {
  return `<c r="${reference}" s="${STYLE_NO.get(style)}"><v>${value}</v></c>`;
}

function textXml(text: string, reference: string, style: Style): string {
  const shown = escaped(text.slice(0, MAX_CELL_CHARACTERS).toWellFormed());
  return `<c r="${reference}" s="${STYLE_NO.get(style)}" t="inlineStr"><is><t xml:space="preserve">${shown}</t></is></c>`;
}

/** The number that a text of a file is, if it is written as we write numbers; no leading 0, no lost digits. */
function numberOf(text: string): number | null {
  const value = Number(text);
  return Number.isFinite(value) && String(value) === text && /^-?[\d.]{1,16}$/.test(text) ? value : null;
}

/** Excel counts days from 1900, and its first two months are a day off. */
const EXCEL_EPOCH = parseDay('1899-12-30') ?? 0;
const FIRST_EXCEL_DAY = parseDay('1900-03-01') ?? 0;

function serialDayOf(text: string): number | null {
  const day = parseDay(text);
  return day === null || day < FIRST_EXCEL_DAY || formatDay(day) !== text ? null : day - EXCEL_EPOCH;
}

/** `AB` for column 27. */
export function lettersOf(column: number): string {
  const before = column >= 26 ? lettersOf(Math.floor(column / 26) - 1) : '';
  return before + String.fromCharCode(65 + (column % 26));
}

function escaped(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // XML 1.0 has no such characters, not even escaped.
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
  );
}

function relation(no: number, type: string, target: string, isExternal = false): string {
  const mode = isExternal ? ' TargetMode="External"' : '';
  return `<Relationship Id="rId${no}" Type="${OFFICE}/${type}" Target="${escaped(target)}"${mode}/>`;
}

function relationsXml(relations: readonly string[]): string {
  return RELATIONS_START + relations.join('') + RELATIONS_END;
}

function contentTypes(): string {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const parts = {
    'workbook.xml': 'sheet.main',
    'styles.xml': 'styles',
    'worksheets/sheet1.xml': 'worksheet',
  };
  const overrides = Object.entries(parts).map(
    ([part, name]) => `<Override PartName="/xl/${part}" ContentType="${type}.${name}+xml"/>`,
  );
  const relations = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`;
  return `<Types xmlns="${PACKAGE}/content-types">${relations}${overrides.join('')}</Types>`;
}

function stylesXml(): string {
  const formats = ['yyyy\\-mm\\-dd', '&quot;$&quot;#,##0', '0.0%'].map(
    (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`,
  );
  const name = '<sz val="11"/><name val="Calibri"/>';
  const link = `<u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/>`;
  return (
    `<styleSheet xmlns="${MAIN}"><numFmts count="3">${formats.join('')}</numFmts>` +
    `<fonts count="3"><font>${name}</font><font><b/>${name}</font><font>${link}</font></fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
    `<cellXfs>${Object.values(STYLES).join('')}</cellXfs>` +
    `<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
  );
}

/** Every part but the sheet and its links. */
const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': contentTypes(),
  '_rels/.rels': relationsXml([relation(1, 'officeDocument', 'xl/workbook.xml')]),
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Results" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relationsXml([
    relation(1, 'worksheet', 'worksheets/sheet1.xml'),
    relation(2, 'styles', 'styles.xml'),
  ]),
  'xl/styles.xml': stylesXml(),
};
