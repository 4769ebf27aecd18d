import type { Logo } from '../domain/report.ts';

/**
 * A report as a typed document. It says what a report contains, in reading order; the renderers (`render-html.ts`,
 * `render-pdf.ts`) say how it looks. The same document always gives the same bytes.
 */
export interface ReportDocument {
  readonly title: string;
  /** ms since 1970: the creation date of the PDF file. */
  readonly createdAt: number;
  readonly masthead: Masthead;
  readonly blocks: readonly Block[];
  /** At the foot of every printed page. */
  readonly footer: string;
}

/** The account that the report is from. */
export interface Masthead {
  readonly account: string;
  readonly logo: Logo | null;
  /** Kind of report, such as "Valuation report". */
  readonly kind: string;
}

export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string; readonly look?: 'lead' | 'quiet' }
  /** A web address in a line of its own, so that no line break splits it. */
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | FactsBlock
  | TableBlock
  | FigureBlock
  | { readonly kind: 'note'; readonly title: string; readonly text: string };

/** Labels with their values, in as many columns as fit. */
export interface FactsBlock {
  readonly kind: 'facts';
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Values that are long codes, each in a line of its own. */
  readonly isWide?: true;
}

export interface TableBlock {
  readonly kind: 'table';
  /** For screen readers, and above the table if `hasVisibleCaption`. */
  readonly caption: string;
  readonly hasVisibleCaption?: true;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Small type, for tables with many cells. */
  readonly isDense?: true;
}

export interface Column {
  readonly label: string;
  /** Share of the width, relative to the other columns. */
  readonly width: number;
  readonly align?: 'right';
}

/** The first cell is the header of the row. */
export interface Row {
  readonly cells: readonly Cell[];
  /** Totals, which are set apart from the rows that they add up. */
  readonly isTotal?: true;
  /** The first row, if it is drawn again on every page of the table, like the header. */
  readonly isRepeated?: true;
}

/** A text, or a description with an amount at the right edge. */
export type Cell = string | { readonly text: string; readonly amount: string };

/** A vector drawing. Coordinates are points from the top left. */
export interface FigureBlock {
  readonly kind: 'figure';
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
  /** What the figure shows, for people who do not see it. */
  readonly alt: string;
  readonly caption?: string;
  /** The same figure drawn lower, for what is left of a page. */
  readonly lower?: { readonly least: number; readonly at: (height: number) => FigureBlock };
}

export type Point = readonly [x: number, y: number];

export type Shape =
  | {
      readonly kind: 'path';
      /** Rings or lines. Filled by even-odd, so that inner rings are holes. */
      readonly lines: readonly (readonly Point[])[];
      readonly isClosed?: true;
      readonly stroke?: string;
      readonly strokeWidth?: number;
      readonly dash?: number;
      readonly fill?: string;
    }
  | {
      readonly kind: 'circles';
      readonly at: readonly Point[];
      readonly radius: number;
      readonly fill: string;
      readonly stroke?: string;
    }
  | {
      readonly kind: 'text';
      readonly at: Point;
      readonly text: string;
      readonly size: number;
      readonly color: string;
      readonly anchor?: 'middle' | 'end';
      readonly isBold?: true;
    };

/** Width of a figure that fills the page: letter paper with margins of half an inch. */
export const FULL_WIDTH = 540;

/** Colors of reports, which are always light. Text on white has a contrast of at least 5:1. */
export const COLORS = {
  ink: '#1f2328',
  quiet: '#59606b',
  line: '#c9c4ba',
  faint: '#ece8e1',
  ground: '#f6f4f0',
  accent: '#0b5c8a',
  accentLight: '#bcd9ea',
  subject: '#b3261e',
  white: '#ffffff',
} as const;
