import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Line ends of every system. */
export const RECORD_ENDS: readonly string[] = ['\r\n', '\n', '\r'];

const SAMPLE_RECORDS = 20;

/**
 * The delimiter of a CSV file that begins like this: the one that gives the most columns, the same number in every
 * record. A first line `sep=;`, which Excel writes, decides it.
 */
export function delimiterOf(beginning: string): Delimiter {
  const declared = DELIMITERS.find((delimiter) =>
    new RegExp(`^sep=\\${delimiter}\\s*[\\r\\n]`, 'i').test(beginning),
  );
  if (declared) return declared;
  let best: { delimiter: Delimiter; score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const score = scoreOf(beginning, delimiter);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** The number of cells in the header, times the share of records that have as many. */
function scoreOf(beginning: string, delimiter: Delimiter): number {
  const widths = sampleRecords(beginning, delimiter).map((cells) => cells.length);
  const [first = 1] = widths;
  return first === 1 ? 0 : (first * widths.filter((width) => width === first).length) / widths.length;
}

function sampleRecords(beginning: string, delimiter: Delimiter): string[][] {
  const records: string[][] = [];
  try {
    parse(beginning, {
      delimiter,
      record_delimiter: [...RECORD_ENDS],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: SAMPLE_RECORDS,
      on_record: (record: string[]) => void records.push(record),
    });
  } catch (error) {
    // A quoted cell may be cut where the beginning ends. The records before it count.
    if (!(error instanceof CsvError)) throw error;
  }
  return records;
}
