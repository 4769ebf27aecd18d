import type { Flow, Tag, TextLook } from './pdf-flow.ts';

/** Where a text is divided, each page has at least this many of its lines. */
const LEAST_LINES = 2;

interface Column {
  readonly x: number;
  readonly width: number;
}

type Element = Parameters<Parameters<Flow['element']>[1]>[0];

/** A text in an element of its own. */
export function drawText(flow: Flow, tag: Tag, text: string, look: TextLook, after: number): void {
  flow.ensure(leastHeight(flow, text, look, flow.width));
  flow.element(tag, (element) => drawLines(flow, element, text, look, { x: flow.left, width: flow.width }));
  flow.move(after);
}

/** Points of a text that cannot be divided. */
export function leastHeight(flow: Flow, text: string, look: TextLook, width: number): number {
  const height = flow.heightOf(text, look, width);
  const least = LEAST_LINES * flow.lineHeightOf(look);
  return height < 1.9 * least ? height : least;
}

/** Draws a text downward from where the page is filled to. What does not fit continues on the next pages, in the same element. */
export function drawLines(flow: Flow, element: Element, text: string, look: TextLook, column: Column): void {
  const lineHeight = flow.lineHeightOf(look);
  for (let rest = text; rest !== '';) {
    const height = flow.heightOf(rest, look, column.width);
    const lines = Math.round(height / lineHeight);
    const fitting = Math.floor(flow.room() / lineHeight + 0.01);
    const drawn = lines <= fitting ? lines : Math.min(fitting, lines - LEAST_LINES);
    if (drawn < Math.min(LEAST_LINES, lines) && flow.ensure(height)) continue;
    const [part, after] =
      drawn === lines ? [rest, ''] : divide(flow, rest, look, column.width, drawn * lineHeight);
    const at = { ...column, y: flow.y() };
    element.add(() => flow.text(part, look, at));
    flow.move(flow.heightOf(part, look, column.width));
    rest = after;
  }
}

/** The words of a text that are at most so many points high, and the rest. A word that is higher is divided. */
function divide(
  flow: Flow,
  text: string,
  look: TextLook,
  width: number,
  points: number,
): readonly [string, string] {
  // Words are measured once, and parts of words each time.
  const ends = Array.from(text.matchAll(/\S+/g), ({ index, 0: word }) => index + word.length);
  const heightTo = (end: number): number => flow.heightOf(text.slice(0, end), look, width);
  let [fitting, tooMany] = [0, ends.length + 1];
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1;
    if (heightTo(ends[middle - 1]) <= points + 0.01) fitting = middle;
    else tooMany = middle;
  }
  const end = fitting > 0 ? ends[fitting - 1] : Math.floor((ends[0] * points) / heightTo(ends[0]));
  return [text.slice(0, end), text.slice(end).trimStart()];
}
