import { getDocumentProxy } from 'unpdf';
import type { Paper } from '../../../src/domain/report.ts';
import type { Block } from '../../../src/reports/document.ts';
import { renderPdf } from '../../../src/reports/render-pdf.ts';

export interface Line {
  readonly text: string;
  /** Points from the foot of the page. */
  readonly y: number;
}

export interface PdfPage {
  /** Above the foot, top down. */
  readonly lines: readonly Line[];
  /** Height for contents, in points. */
  readonly height: number;
}

/** The margin below the contents of a page, with its foot; and both margins. */
export const BELOW = 58;
const MARGINS = 36 + BELOW;

export async function pagesOfPdf(bytes: Uint8Array): Promise<PdfPage[]> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  return Promise.all(
    Array.from({ length: pdf.numPages }, async (_, at) => {
      const page = await pdf.getPage(at + 1);
      const { items } = await page.getTextContent();
      const lines = items.flatMap((item) =>
        'str' in item && item.str.trim() !== '' ? [{ text: item.str, y: Number(item.transform[5]) }] : [],
      );
      return {
        lines: lines.filter(({ y }) => y > BELOW).sort((a, b) => b.y - a.y),
        height: page.view[3] - MARGINS,
      };
    }),
  );
}

/** The pages of a document of some blocks. */
export async function pagesOfBlocks(blocks: readonly Block[], paper: Paper): Promise<PdfPage[]> {
  return pagesOfPdf(await pdfOfBlocks(blocks, paper));
}

export async function pdfOfBlocks(blocks: readonly Block[], paper: Paper): Promise<Uint8Array> {
  return renderPdf(
    {
      title: 'Valuation of 1 Main St',
      createdAt: 0,
      masthead: { account: 'Acme', logo: null, kind: 'Valuation report' },
      blocks,
      footer: 'foot',
    },
    paper,
  );
}

export function filling(lines: number): Block[] {
  return Array.from({ length: lines }, (_, at) => ({ kind: 'paragraph', text: `Line ${at}` }));
}
