import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usageError } from '../../errors.ts';
import { UPLOAD_CHUNK_ROWS } from '../../store/uploads.ts';
import { readSheet, type Sheet, type SheetRow } from '../../tables/read-sheet.ts';
import { handleCalls } from '../../threads/open-thread.ts';

export interface ReadCall {
  readonly path: string;
  /** The folder for the chunks: files named 0, 1, … */
  readonly folder: string;
}

export interface ReadSheet extends Sheet {
  /** Of each column: a few of its values. */
  readonly samples: readonly (readonly string[])[];
  readonly chunks: number;
}

/** Sample values that are shown for a column. */
const SAMPLES = 3;
const SAMPLE_CHARACTERS = 40;
/** Rows that samples are taken from. */
const SAMPLED_ROWS = 50;

/** A chunk is written and parsed as a whole, which takes up to 30 ms. Usual rows of 200 columns make 1 MB. */
const MAX_CHUNK_CHARACTERS = 4_000_000;
/** JSON of mostly empty columns takes more than the file. */
const MAX_STORED_BYTES = 150 * 1024 * 1024;

/** Reads a file, and writes its rows as JSON in chunks. */
handleCalls<ReadCall, ReadSheet>(async ({ path, folder }) => {
  let chunks = 0;
  let storedBytes = 0;
  let first: readonly SheetRow[] = [];
  const rows: SheetRow[] = [];
  const write = async (chunk: readonly SheetRow[]): Promise<void> => {
    if (chunks === 0) first = chunk.slice(0, SAMPLED_ROWS);
    const text = JSON.stringify(chunk);
    storedBytes += Buffer.byteLength(text);
    if (text.length > MAX_CHUNK_CHARACTERS || storedBytes > MAX_STORED_BYTES) {
      const last = chunk.at(-1)?.row;
      throw usageError(`The rows up to row ${last} are too large. Delete columns that you do not need.`);
    }
    await writeFile(join(folder, String(chunks++)), text, { mode: 0o600 });
  };
  const sheet = await readSheet(path, async (more) => {
    rows.push(...more);
    while (rows.length >= UPLOAD_CHUNK_ROWS) await write(rows.splice(0, UPLOAD_CHUNK_ROWS));
  });
  if (rows.length > 0) await write(rows);
  return { ...sheet, chunks, samples: sheet.columns.map((_, column) => samplesOf(first, column)) };
});

function samplesOf(rows: readonly SheetRow[], column: number): string[] {
  const texts = rows.map(({ cells }) => cells[column]?.trim() ?? '').filter((text) => text !== '');
  const shown = texts.map((text) =>
    text.length > SAMPLE_CHARACTERS ? `${text.slice(0, SAMPLE_CHARACTERS)}…` : text,
  );
  return [...new Set(shown)].slice(0, SAMPLES);
}
