import { createCsvParser } from './parse-csv.ts';

export const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** Records that are looked at. */
const SAMPLE = 20;

/**
 * What stands between the cells of a file that begins so: the one by which the most columns come out alike in every
 * record. Excel's own first line `sep=;` is believed.
 */
export function separatorOf(beginning: string): Separator {
  const said = SEPARATORS.find((separator) =>
    new RegExp(`^sep=\\${separator}\\s*[\\r\\n]`, 'i').test(beginning),
  );
  if (said) return said;
  let best: { separator: Separator; score: number } = { separator: ',', score: 0 };
  for (const separator of SEPARATORS) {
    const score = scoreOf(beginning, separator);
    if (score > best.score) best = { separator, score };
  }
  return best.separator;
}

/** Cells of the header, times the share of records that have as many. */
function scoreOf(beginning: string, separator: Separator): number {
  const widths: number[] = [];
  const parser = createCsvParser(separator, (cells) => {
    if (cells.length > 1 || cells[0] !== '') widths.push(cells.length);
  });
  parser.push(beginning);
  // The last record may have been cut where the beginning ends.
  const whole = widths.slice(0, SAMPLE);
  const [first = 1] = whole;
  return first === 1 ? 0 : (first * whole.filter((width) => width === first).length) / whole.length;
}
