import type { FigureBlock, Shape } from './document.ts';
import type { Flow } from './pdf-flow.ts';

/** Points below a figure. */
export const FIGURE_AFTER = 4;

/** A figure with its alternative text. A caption is a paragraph after it. */
export function drawFigure(flow: Flow, { width, height, shapes, alt }: FigureBlock): void {
  const { doc, left, scale } = flow;
  const y = flow.y();
  const bbox: [number, number, number, number] = [left, y, left + width * scale, y + height * scale];
  const draw = (): void => {
    doc.save();
    doc.translate(left, y).scale(scale);
    doc.rect(0, 0, width, height).clip();
    for (const shape of shapes) drawShape(flow, shape);
    doc.restore();
  };
  flow.element('Figure', (figure) => figure.add(draw), { alt, bbox });
  flow.move(height * scale + FIGURE_AFTER);
}

function drawShape({ doc }: Flow, shape: Shape): void {
  switch (shape.kind) {
    case 'path': {
      const { lines, isClosed, fill, stroke, strokeWidth = 1, dash } = shape;
      for (const [start, ...rest] of lines) {
        if (!start) continue;
        doc.moveTo(start[0], start[1]);
        for (const [x, y] of rest) doc.lineTo(x, y);
        if (isClosed) doc.closePath();
      }
      doc.lineWidth(strokeWidth);
      if (dash === undefined) doc.undash();
      else doc.dash(dash, { space: dash });
      if (fill && stroke) doc.fillAndStroke(fill, stroke, 'even-odd');
      else if (fill) doc.fill(fill, 'even-odd');
      else if (stroke) doc.stroke(stroke);
      return;
    }
    case 'circles': {
      const { at, radius, fill, stroke } = shape;
      doc.lineWidth(1).undash();
      for (const [x, y] of at) doc.circle(x, y, radius);
      if (stroke) doc.fillAndStroke(fill, stroke);
      else doc.fill(fill);
      return;
    }
    case 'text': {
      const { at, text, size, color, anchor, isBold } = shape;
      doc
        .font(isBold ? 'bold' : 'regular')
        .fontSize(size)
        .fillColor(color);
      const share = anchor === 'middle' ? 0.5 : anchor === 'end' ? 1 : 0;
      const x = at[0] - share * doc.widthOfString(text);
      doc.text(text, x, at[1], { lineBreak: false, baseline: 'alphabetic' });
    }
  }
}
