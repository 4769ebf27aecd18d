import type { Point, Shape } from './document.ts';

type Path = Extract<Shape, { kind: 'path' }>;
type Look = Pick<Path, 'stroke' | 'strokeWidth' | 'dash' | 'fill'>;

export function line(points: readonly Point[], look: Look): Shape {
  return { kind: 'path', lines: [points], ...look };
}

export function polygon(rings: readonly (readonly Point[])[], look: Look): Shape {
  return { kind: 'path', lines: rings, isClosed: true, ...look };
}

export function rectangle([x, y]: Point, width: number, height: number, look: Look): Shape {
  const ring: Point[] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  return polygon([ring], look);
}

type Text = Extract<Shape, { kind: 'text' }>;

export function text(at: Point, words: string, look: Omit<Text, 'kind' | 'at' | 'text'>): Shape {
  return { kind: 'text', at, text: words, ...look };
}

/** A step of 1, 2 or 5 times a power of ten that divides a range into at most `most` parts. */
export function niceStep(range: number, most: number): number {
  const rough = range / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10);
}

/** Multiples of a step within a range. */
export function ticksIn(low: number, high: number, step: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
