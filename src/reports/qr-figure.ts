import { encode } from 'uqr';
import { COLORS, type FigureBlock, type Point } from './document.ts';
import { polygon } from './shapes.ts';

/** Points of one module: 0.7 mm. A phone reads it from a hand's breadth away. */
const MODULE = 2;

/** A QR code of a link, with the quiet zone that scanners need. */
export function qrFigure(url: string): FigureBlock {
  const { size, data } = encode(url, { ecc: 'M', border: 4 });
  const side = size * MODULE;
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [square([x * MODULE, y * MODULE])] : [])),
  );
  return {
    kind: 'figure',
    width: side,
    height: side,
    alt: `QR code of ${url}`,
    shapes: [polygon(squares, { fill: COLORS.ink })],
  };
}

function square([x, y]: Point): Point[] {
  return [
    [x, y],
    [x + MODULE, y],
    [x + MODULE, y + MODULE],
    [x, y + MODULE],
  ];
}
