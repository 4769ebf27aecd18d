import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import PdfKit from 'pdfkit';
import { COLORS, FULL_WIDTH, type ReportDocument } from './document.ts';
import type { Paper } from '../domain/report.ts';

/** Half an inch. */
const MARGIN = 36;
/** Above the lower margin, for the line at the foot of the page. */
const FOOT = 22;
/** A page that is filled less than this looks left over. */
const LITTLE = 0.25;

/** How close a report is set. */
export interface Spacing {
  /** More of a page than this is not left blank to keep a table in one piece. */
  readonly mostBlank: number;
  /** Times the usual height of lines. */
  readonly lineHeight: number;
}

/** With the space before a table, at most a quarter of a page is blank. */
export const USUAL: Spacing = { mostBlank: 0.23, lineHeight: 1 };

type PdfDocument = InstanceType<typeof PdfKit>;
type Structure = ReturnType<PdfDocument['struct']>;
interface StructureOptions {
  readonly alt?: string;
  /** Left, top, right and bottom of a figure. */
  readonly bbox?: readonly [number, number, number, number];
  /** What a header cell is the header of. */
  readonly scope?: 'Row' | 'Column';
}
export type Tag = Parameters<PdfDocument['struct']>[0];

export interface TextLook {
  readonly size: number;
  readonly color?: string;
  readonly isBold?: boolean;
  readonly align?: 'right' | 'center';
}

/**
 * Pages that fill from top to bottom. Everything drawn is either an element of the structure tree, in reading order, or
 * an artifact, which screen readers skip.
 */
export type Flow = ReturnType<typeof openFlow>;

/** Fonts are part of the file, so that it looks the same everywhere. Only the glyphs used are written. */
function readFont(name: string): Buffer {
  return readFileSync(fileURLToPath(import.meta.resolve(`@expo-google-fonts/source-sans-3/${name}.ttf`)));
}
const FONTS = {
  regular: readFont('400Regular/SourceSans3_400Regular'),
  bold: readFont('600SemiBold/SourceSans3_600SemiBold'),
};

function openDocument({ title, createdAt, masthead }: ReportDocument, paper: Paper): PdfDocument {
  const doc = new PdfKit({
    size: paper === 'letter' ? 'LETTER' : 'A4',
    // Texts are measured before they are drawn. The small lower margin keeps pdfkit from breaking pages itself.
    margins: { top: MARGIN, bottom: 8, left: MARGIN, right: MARGIN },
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: title,
      Author: masthead.account,
      Creator: 'Plumbline',
      Producer: 'Plumbline',
      CreationDate: new Date(createdAt),
    },
  });
  doc.registerFont('regular', FONTS.regular);
  doc.registerFont('bold', FONTS.bold);
  return doc;
}

export function openFlow(report: ReportDocument, paper: Paper, spacing: Spacing = USUAL) {
  const doc = openDocument(report, paper);
  const pieces: Uint8Array[] = [];
  doc.on('data', (piece: Uint8Array) => pieces.push(piece));
  const root = doc.struct('Document');
  doc.addStructure(root);

  const width = doc.page.width - 2 * MARGIN;
  const bottom = doc.page.height - MARGIN - FOOT;
  let y = MARGIN;

  const apply = ({ size, color = COLORS.ink, isBold = false }: TextLook): void => {
    doc
      .font(isBold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(color);
  };
  /** Small type is set closer. */
  const lineHeightOf = ({ size }: TextLook): number => spacing.lineHeight * size * (size < 8 ? 1.25 : 1.35);
  const lineGapOf = (look: TextLook): number => lineHeightOf(look) - doc.currentLineHeight();

  const flow = {
    doc,
    left: MARGIN,
    width,
    /** Points of the page per point of a figure. */
    scale: width / FULL_WIDTH,
    y: () => y,
    /** Points left on the page. */
    room: () => bottom - y,
    isAtTop: () => y === MARGIN,
    move(points: number): void {
      y += points;
    },
    /** Starts a new page if fewer points than this are left. Returns whether it did. */
    ensure(points: number): boolean {
      if (y + points <= bottom || y === MARGIN) return false;
      doc.addPage();
      y = MARGIN;
      return true;
    },
    /** Whether the page may end here: what is left blank of it is little. */
    isNearEnd: (): boolean => bottom - y <= spacing.mostBlank * (bottom - MARGIN),
    /** Whether the page has little on it. */
    isNearStart: (): boolean => y - MARGIN <= LITTLE * (bottom - MARGIN),
    pageCount: (): number => doc.bufferedPageRange().count,
    lineHeightOf,
    /** Whether something of this height fits on a page of its own. */
    fitsOnPage: (points: number): boolean => MARGIN + points <= bottom,
    heightOf(text: string, look: TextLook, within: number): number {
      apply(look);
      return doc.heightOfString(text, { width: within, lineGap: lineGapOf(look) });
    },
    widthOf(text: string, look: TextLook): number {
      apply(look);
      return doc.widthOfString(text);
    },
    /** Draws a text at a place, wrapped to a width. */
    text(
      text: string,
      look: TextLook,
      at: { readonly x: number; readonly y: number; readonly width: number },
    ) {
      apply(look);
      doc.text(text, at.x, at.y, {
        width: at.width,
        lineGap: lineGapOf(look),
        align: look.align ?? 'left',
      });
    },
    rule(at: number, color: string, thickness = 0.5, from = MARGIN, length = width): void {
      doc
        .lineWidth(thickness)
        .strokeColor(color)
        .moveTo(from, at)
        .lineTo(from + length, at)
        .stroke();
    },
    /** An element of the structure. `fill` adds its content, or its parts. */
    element(
      tag: Tag,
      fill: (element: Structure) => void,
      { parent = root, ...options }: StructureOptions & { readonly parent?: Structure } = {},
    ): void {
      const element = doc.struct(tag, options);
      parent.add(element);
      fill(element);
      element.end();
    },
    /** Decoration, which screen readers skip. */
    artifact(draw: () => void): void {
      doc.markContent('Artifact', { type: 'Layout' });
      draw();
      doc.endMarkedContent();
    },
    /** Writes the line at the foot of every page, and returns the file. */
    async finish(): Promise<Uint8Array> {
      root.end();
      writeFooters(flow, report.footer);
      const ended = new Promise((resolve) => doc.on('end', resolve));
      doc.end();
      await ended;
      return Buffer.concat(pieces);
    },
  };
  return flow;
}

function writeFooters({ doc, width, rule, text }: Omit<Flow, 'finish'>, footer: string): void {
  const { count } = doc.bufferedPageRange();
  const look: TextLook = { size: 7.5, color: COLORS.quiet };
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page);
    const y = doc.page.height - MARGIN - 8;
    doc.markContent('Artifact', { type: 'Pagination' });
    rule(y - 5, COLORS.line);
    text(footer, look, { x: MARGIN, y, width: width - 60 });
    const number = `Page ${page + 1} of ${count}`;
    text(number, { ...look, align: 'right' }, { x: MARGIN + width - 60, y, width: 60 });
    doc.endMarkedContent();
  }
}

export function sum(points: readonly number[]): number {
  return points.reduce((total, one) => total + one, 0);
}
