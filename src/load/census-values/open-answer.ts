import { PlumblineError } from '../../errors.ts';
import { readChunks } from '../../tables/read-chunks.ts';
import { BATCH_ROWS, type OnBytes, type Table, type TableRow } from '../../tables/table.ts';

/** California's block groups with a table of 98 variables are 25 MB; more than this is no answer of the API. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Whether the text that a file begins with is the API's array of arrays. */
export function isAnswer(start: string): boolean {
  return /^\uFEFF?\s*\[/.test(start);
}

/** An answer of the Census API, `[["NAME","B19013_001E","state"],["…","61000","53"]]`, as a table. */
export async function openAnswer(path: string, isPacked: boolean, onBytes: OnBytes): Promise<Table> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(path, isPacked, onBytes)) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) {
      throw new PlumblineError(
        'usage',
        `${path} is larger than ${MOST_BYTES >> 20} MB: no answer of the API.`,
      );
    }
    chunks.push(chunk);
  }
  const rows = parseAnswer(path, Buffer.concat(chunks).toString('utf8'));
  return { columns: rows[0], batches: batchesOf(rows) };
}

/** The header and the rows of an answer as text; null cells are ''. Throws `usage` for anything else. */
export function parseAnswer(name: string, text: string): string[][] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new PlumblineError(
      'usage',
      `${name} is not JSON, or ends too early. Fetch it again; nothing was loaded.`,
      { cause },
    );
  }
  const rows = Array.isArray(value) ? value.map(textsOf) : [];
  const sound = rows.filter((row) => row !== null);
  if (sound.length > 0 && sound.length === rows.length) return sound;
  throw new PlumblineError(
    'usage',
    `${name} is not an answer of the Census API: a list of rows, the first of which names the columns.`,
  );
}

function textsOf(row: unknown): string[] | null {
  if (!Array.isArray(row)) return null;
  const cells = row.map((cell: unknown) => {
    if (cell === null) return '';
    return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : null;
  });
  const texts = cells.filter((cell) => cell !== null);
  return texts.length === cells.length ? texts : null;
}

async function* batchesOf(rows: readonly string[][]): AsyncGenerator<TableRow[]> {
  for (let start = 1; start < rows.length; start += BATCH_ROWS) {
    yield rows.slice(start, start + BATCH_ROWS).map((cells, i) => ({ line: start + i + 1, cells }));
  }
}
