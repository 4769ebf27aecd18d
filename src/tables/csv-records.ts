import { pipeline, Readable } from 'node:stream';
import { CsvError, parse, type Info } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { BATCH_ROWS } from './table.ts';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Rows of any width, with line ends of every system, and quotes in the middle of a cell as text. */
const LENIENT = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
};

export interface CsvRecord {
  readonly info: Info;
  readonly record: string[];
}

interface CsvSettings {
  readonly delimiter: Delimiter;
  /** A longer record is an unclosed quote. */
  readonly max_record_size: number;
  readonly skip_empty_lines?: boolean;
  /** Whether to drop a byte order mark. */
  readonly bom?: boolean;
}

/**
 * Parses CSV into batches of records, as the parser has them ready. Waiting once per batch takes a third of the time
 * of waiting for each record. Throws CsvError.
 */
export async function* recordBatches(
  chunks: AsyncIterable<Uint8Array>,
  settings: CsvSettings,
): AsyncGenerator<CsvRecord[]> {
  const parser = parse({ ...LENIENT, ...settings, info: true });
  let isEnded = false;
  const failure: { cause: unknown }[] = [];
  let wake = (): void => {};
  parser.on('readable', () => wake());
  parser.on('error', (cause) => {
    failure.push({ cause });
    wake();
  });
  parser.on('end', () => {
    isEnded = true;
    wake();
  });
  pipeline(Readable.from(chunks), parser, () => {});
  try {
    for (;;) {
      const batch: CsvRecord[] = [];
      while (batch.length < BATCH_ROWS) {
        const record: CsvRecord | null = parser.read();
        if (record === null) break;
        batch.push(record);
      }
      if (batch.length > 0) yield batch;
      else if (failure.length > 0) throw failure[0].cause;
      else if (isEnded) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    parser.destroy();
  }
}

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
  const scores = DELIMITERS.map((delimiter) => scoreOf(beginning, delimiter));
  return DELIMITERS[scores.indexOf(Math.max(...scores))];
}

/** The number of cells in the header, times the share of records that have as many. */
function scoreOf(beginning: string, delimiter: Delimiter): number {
  const widths: number[] = [];
  try {
    parseText(beginning, {
      ...LENIENT,
      delimiter,
      skip_empty_lines: true,
      to: SAMPLE_RECORDS,
      on_record: (record: string[]) => void widths.push(record.length),
    });
  } catch (error) {
    // A quoted cell may be cut where the beginning ends. The records before it count.
    if (!(error instanceof CsvError)) throw error;
  }
  const [first = 1] = widths;
  return first === 1 ? 0 : (first * widths.filter((width) => width === first).length) / widths.length;
}
