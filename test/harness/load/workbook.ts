import { lettersOf } from '../../../src/tables/write-xlsx.ts';
import { zipBytes } from './shapefile.ts';

export type WorkbookCell = string | number | boolean | Date | null;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function cellXml(cell: WorkbookCell, reference: string, texts: string[]): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`;
  if (cell instanceof Date) {
    return `<c r="${reference}" s="1"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`;
  }
  texts.push(cell);
  return `<c r="${reference}" t="s"><v>${texts.length - 1}</v></c>`;
}

/** The bytes of an .xlsx workbook with the rows in its sheet `Data`, as Excel writes it: empty rows are left out. */
export function workbookBytes(
  rows: readonly (readonly WorkbookCell[])[],
  {
    otherSheet = null,
    merged = [],
    isHidden = () => false,
  }: {
    readonly otherSheet?: string | null;
    readonly merged?: readonly string[];
    readonly isHidden?: (row: number) => boolean;
  } = {},
): Buffer {
  const texts: string[] = [];
  const rowsXml = rows.map((cells, i) => {
    if (cells.length === 0) return '';
    const cellsXml = cells.map((cell, column) => cellXml(cell, `${lettersOf(column)}${i + 1}`, texts));
    return `<row r="${i + 1}"${isHidden(i) ? ' hidden="1"' : ''}>${cellsXml.join('')}</row>`;
  });
  const names = otherSheet === null ? ['Data'] : [otherSheet, 'Data'];
  const sheets = names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`);
  const links = names.map((name, i) => `<Relationship Id="rId${i + 1}" Target="worksheets/${name}.xml"/>`);
  const mergedXml = merged.map((range) => `<mergeCell ref="${range}"/>`).join('');
  const parts: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook xmlns:r="http://x"><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${links.join('')}</Relationships>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="mm/dd/yyyy;@"/></numFmts>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    'xl/worksheets/Data.xml': `<worksheet><sheetData>${rowsXml.join('')}</sheetData>${mergedXml}</worksheet>`,
  };
  if (otherSheet !== null) parts[`xl/worksheets/${otherSheet}.xml`] = '<worksheet><sheetData/></worksheet>';
  parts['xl/sharedStrings.xml'] =
    `<sst>${texts.map((text) => `<si><t>${escape(text)}</t></si>`).join('')}</sst>`;
  return zipBytes(Object.entries(parts).map(([name, text]) => ({ name, bytes: Buffer.from(XML + text) })));
}
