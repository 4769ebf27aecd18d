import { COLORS, type Cell, type TableBlock } from './document.ts';
import { sum, type Flow, type TextLook } from './pdf-flow.ts';

/** Above and below the text of a cell, and between it and the next column. */
const SPACE = { padding: 2.5, gap: 6, size: 8.5 };
/** Two grids of 27 rows, a few of them of several lines, fit on a page of letter paper. */
const DENSE: typeof SPACE = { padding: 0.5, gap: 9, size: 7 };

interface Placed {
  readonly x: number;
  readonly width: number;
  readonly padding: number;
  readonly align?: 'right';
}

/** Where the cells of a table are, and how high its rows. */
function layOut(flow: Flow, { caption, hasVisibleCaption, columns, rows, isDense }: TableBlock) {
  const { padding, gap, size } = isDense ? DENSE : SPACE;
  const sum = columns.reduce((total, { width }) => total + width, 0);
  let x = flow.left;
  const placed = columns.map(({ width, align }, at): Placed => {
    const share = (flow.width * width) / sum;
    // A text would run into the number before it.
    const indent = align === undefined && at > 0 && columns[at - 1].align === 'right' ? 2 * gap : 0;
    const place = { x: x + indent, width: share - gap - indent, padding, ...(align && { align }) };
    x += share;
    return place;
  });
  const looks = {
    head: { size, color: COLORS.quiet, isBold: true },
    row: { size },
    total: { size, isBold: true },
  };
  const heightOf = (cells: readonly Cell[], look: TextLook): number =>
    Math.max(...cells.map((cell, at) => cellHeight(flow, cell, placed[at], look))) + 2 * padding;
  return {
    placed,
    looks,
    captionHeight: hasVisibleCaption ? flow.heightOf(caption, CAPTION, flow.width) + 2 : 0,
    headHeight: heightOf(
      columns.map(({ label }) => label),
      looks.head,
    ),
    heights: rows.map(({ cells, isTotal }) => heightOf(cells, isTotal ? looks.total : looks.row)),
  };
}

const CAPTION: TextLook = { size: 9, isBold: true };

/**
 * Where a table is divided, its first and its last page have at least this number of rows, or fewer of this height: of a
 * grid of comparables never the totals alone.
 */
const LEAST = {
  usual: { first: { rows: 3, height: 50 }, last: { rows: 3, height: 50 } },
  dense: { first: { rows: 4, height: 50 }, last: { rows: 10, height: 100 } },
} as const;

/** How many rows the first and the last page of a divided table have at least. */
function leastRows(heights: readonly number[], { isDense }: TableBlock) {
  const { first, last } = isDense ? LEAST.dense : LEAST.usual;
  return { first: rowsOf(heights, first), last: rowsOf(heights.toReversed(), last) };
}

function rowsOf(
  heights: readonly number[],
  least: { readonly rows: number; readonly height: number },
): number {
  let rows = 0;
  for (let height = 0; rows < Math.min(least.rows, heights.length) && height < least.height; rows++)
    height += heights[rows];
  return rows;
}

/** A table that fits on a page is divided only if much of this page would be left blank. */
export function roomForTable(flow: Flow, table: TableBlock): number {
  const { captionHeight, headHeight, heights } = layOut(flow, table);
  const of = (rows: readonly number[]): number => captionHeight + headHeight + sum(rows);
  const whole = of(heights);
  if (flow.isNearEnd() && flow.fitsOnPage(whole)) return whole;
  const { first, last } = leastRows(heights, table);
  return of(heights.length < first + last ? heights : heights.slice(0, first));
}

/** A table whose header is repeated on every page, with its first row if that belongs to it. No row is divided. */
export function drawTable(flow: Flow, table: TableBlock): void {
  const { caption, hasVisibleCaption, columns, rows } = table;
  const { placed, looks, captionHeight, headHeight, heights } = layOut(flow, table);
  const lastRows = rows.length - leastRows(heights, table).last;
  flow.element('Table', (element) => {
    if (hasVisibleCaption) {
      flow.element(
        'Caption',
        (of) => of.add(() => flow.text(caption, CAPTION, { x: flow.left, y: flow.y(), width: flow.width })),
        { parent: element },
      );
      flow.move(captionHeight);
    }
    const drawHead = (): void => {
      if (hasVisibleCaption) {
        const continued = `${caption}, continued`;
        flow.text(continued, CAPTION, { x: flow.left, y: flow.y(), width: flow.width });
        flow.move(flow.heightOf(continued, CAPTION, flow.width) + 2);
      }
      columns.forEach(({ label }, at) => drawCell(flow, label, placed[at], looks.head));
      flow.rule(flow.y() + headHeight - 0.5, COLORS.line, 0.8);
      flow.move(headHeight);
      if (!rows[0]?.isRepeated) return;
      rows[0].cells.forEach((cell, at) => drawCell(flow, cell, placed[at], looks.row));
      flow.rule(flow.y() + heights[0] - 0.5, COLORS.faint);
      flow.move(heights[0]);
    };
    flow.element(
      'TR',
      (tr) => {
        columns.forEach(({ label }, at) =>
          flow.element('TH', (th) => th.add(() => drawCell(flow, label, placed[at], looks.head)), {
            parent: tr,
            scope: 'Column',
          }),
        );
      },
      { parent: element },
    );
    flow.artifact(() => flow.rule(flow.y() + headHeight - 0.5, COLORS.line, 0.8));
    flow.move(headHeight);
    rows.forEach((row, index) => {
      // The last rows, such as totals, stay together.
      if (flow.ensure(index === lastRows ? sum(heights.slice(index)) : heights[index])) {
        flow.artifact(drawHead);
      }
      const look = row.isTotal ? looks.total : looks.row;
      if (row.isTotal) flow.artifact(() => flow.rule(flow.y(), COLORS.ink, 0.6));
      flow.element(
        'TR',
        (tr) => {
          row.cells.forEach((cell, at) =>
            flow.element(
              at === 0 ? 'TH' : 'TD',
              (td) => td.add(() => drawCell(flow, cell, placed[at], look)),
              at === 0 ? { parent: tr, scope: 'Row' } : { parent: tr },
            ),
          );
        },
        { parent: element },
      );
      flow.artifact(() => flow.rule(flow.y() + heights[index] - 0.5, COLORS.faint));
      flow.move(heights[index]);
    });
  });
  flow.move(8);
}

/** An amount is at the right edge of its cell, the description in what is left. */
function partsOf(flow: Flow, cell: Cell, { width }: Placed, look: TextLook) {
  if (typeof cell === 'string') return { text: cell, width, amount: '', amountWidth: 0 };
  const amountWidth = cell.amount === '' ? 0 : flow.widthOf(cell.amount, look) + 1;
  const left = width - (amountWidth === 0 ? 0 : amountWidth + 3);
  return { text: cell.text, width: left, amount: cell.amount, amountWidth };
}

function cellHeight(flow: Flow, cell: Cell, place: Placed, look: TextLook): number {
  const { text, width } = partsOf(flow, cell, place, look);
  return flow.heightOf(text === '' ? ' ' : text, look, width);
}

function drawCell(flow: Flow, cell: Cell, place: Placed, look: TextLook): void {
  const { text, width, amount, amountWidth } = partsOf(flow, cell, place, look);
  const y = flow.y() + place.padding;
  if (text !== '')
    flow.text(text, { ...look, ...(place.align && { align: place.align }) }, { x: place.x, y, width });
  if (amount === '') return;
  flow.text(
    amount,
    { ...look, align: 'right' },
    { x: place.x + place.width - amountWidth, y, width: amountWidth },
  );
}
