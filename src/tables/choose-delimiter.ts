import { createCsvReader } from './csv-records.ts';

/** Enough to choose the delimiter by. */
export const BEGINNING_CHARACTERS = 65_536;

const USUAL_DELIMITERS = [',', ';', '\t', '|'] as const;
/** A line of symbols has thousands, and each is tried. */
const MAX_UNUSUAL = 4;

const SAMPLE_RECORDS = 20;

/**
 * The delimiter of a CSV file that begins like this: the one that gives the most columns, the same number in every
 * record. A first line `sep=;`, which Excel writes, decides it. Spaces and colons, which names and values contain,
 * count only if nothing else gives columns.
 */
export function delimiterOf(beginning: string): string {
  const declared = /^sep=(.)\s*[\r\n]/i.exec(beginning);
  if (declared) return declared[1];
  const [line] = beginning.split(/[\r\n]/, 1);
  const unusual = [...new Set(line)].filter((character) => !PART_OF_NAMES.test(character));
  const likely = [...USUAL_DELIMITERS, ...unusual.slice(0, MAX_UNUSUAL)];
  return bestOf(likely, beginning) ?? bestOf([' ', ':'], beginning, 1) ?? ',';
}

/** Characters that names of columns contain. */
const PART_OF_NAMES = /[\p{L}\p{M}\p{N}\s_"'.,:;()[\]#$%/\\&*?!+=<>@-]/u;

/** The best delimiter, if at least `leastShare` of the records have the same number of cells. */
function bestOf(delimiters: readonly string[], beginning: string, leastShare = 0): string | null {
  const scores = delimiters.map((delimiter) => scoreOf(beginning, delimiter, leastShare));
  const best = Math.max(0, ...scores);
  return best === 0 ? null : delimiters[scores.indexOf(best)];
}

/** The common number of cells, times the share of records that have as many; 0 for a single column. */
function scoreOf(beginning: string, delimiter: string, leastShare: number): number {
  // A quoted cell may be cut where the beginning ends: then the records before it count.
  const records = createCsvReader(delimiter).read(Buffer.from(`${beginning}\n`));
  const widths = records.slice(0, SAMPLE_RECORDS).map(({ cells }) => cells.length);
  const scores = widths.map((width) => {
    const share = widths.filter((other) => other === width).length / widths.length;
    return width === 1 || share < leastShare ? 0 : width * share;
  });
  return Math.max(0, ...scores);
}

/** A first line of Excel that names the delimiter. */
export function isDelimiterLine(cells: readonly string[]): boolean {
  return /^sep=.?$/i.test(cells.join('').trim());
}
