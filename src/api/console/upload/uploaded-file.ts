import type { ValuationKind } from '../../../domain/valuation-kind.ts';
import { PlumblineError } from '../../../errors.ts';
import { parseJsonText } from '../../../store/json-text.ts';
import type { Store } from '../../../store/store.ts';
import {
  deleteRows,
  finishReading,
  putRows,
  readPieces,
  readRows,
  UPLOAD_CHUNK_ROWS,
} from '../../../store/uploads.ts';
import { readSheet, type Sheet, type SheetRow } from '../../../tables/read-sheet.ts';
import type { Mapping } from './guess-columns.ts';
import type { Upload } from '../../../store/tables/jobs.ts';

/** Sample values that are shown for a column. */
const SAMPLES = 3;
const SAMPLE_CHARACTERS = 40;
/** Rows that samples are taken from. */
const SAMPLED_ROWS = 50;

/** A chunk is written and parsed as a whole, which takes up to 30 ms. Usual rows of 200 columns make 1 MB. */
const MAX_CHUNK_CHARACTERS = 4_000_000;
/** JSON of mostly empty columns takes more than the file. */
const MAX_STORED_BYTES = 150 * 1024 * 1024;

/** What is known of a file once it was read. */
export interface StoredSheet extends Sheet {
  readonly sha256: string;
  /** Of each column: a few of its values. */
  readonly samples: readonly (readonly string[])[];
}

/** How the rows of a file are valued. */
export interface UploadSubmission {
  readonly kind: ValuationKind;
  readonly mapping: Mapping;
  readonly notifyUrl: string | null;
  /** The day that dates are checked against, as `YYYY-MM-DD`. */
  readonly today: string;
  readonly submittedAt: number;
  /** How often this person has submitted this file, from 1. */
  readonly attempt: number;
}

export function sheetOf({ sheet }: Upload): StoredSheet | null {
  return sheet === null ? null : parseJsonText<StoredSheet>(sheet);
}

export function submissionOf({ submission }: Upload): UploadSubmission | null {
  return submission === null ? null : parseJsonText<UploadSubmission>(submission);
}

/** Whether another upload of the same bytes was submitted. */
export function isSameFile(other: Upload, upload: Upload, kind: ValuationKind | null = null): boolean {
  if (other.uploadId === upload.uploadId || sheetOf(other)?.sha256 !== sheetOf(upload)?.sha256) return false;
  const submission = submissionOf(other);
  return submission !== null && (kind === null || submission.kind === kind);
}

/** Reads the bytes of an upload into rows, and stores these. */
export async function readUpload(store: Store, uploadId: string, sha256: string): Promise<StoredSheet> {
  let chunkNo = 0;
  let storedBytes = 0;
  const rows: SheetRow[] = [];
  let first: readonly SheetRow[] = [];
  const flush = async (chunk: readonly SheetRow[]): Promise<void> => {
    if (chunkNo === 0) first = chunk.slice(0, SAMPLED_ROWS);
    const text = JSON.stringify(chunk);
    storedBytes += Buffer.byteLength(text);
    if (text.length > MAX_CHUNK_CHARACTERS || storedBytes > MAX_STORED_BYTES) {
      throw new PlumblineError(
        'bad_request',
        `The rows up to row ${chunk.at(-1)?.row} are too large. Delete columns that you do not need.`,
      );
    }
    await putRows(store, uploadId, chunkNo++, text);
  };
  // What an earlier reading left, that the process did not survive.
  await deleteRows(store, uploadId);
  const sheet = await readSheet(readPieces(store, uploadId), async (more) => {
    rows.push(...more);
    while (rows.length >= UPLOAD_CHUNK_ROWS) await flush(rows.splice(0, UPLOAD_CHUNK_ROWS));
  });
  if (rows.length > 0) await flush(rows);
  const samples = sheet.columns.map((_, column) => samplesOf(first, column));
  const stored = { ...sheet, sha256, samples };
  await finishReading(store, uploadId, stored, storedBytes);
  return stored;
}

function samplesOf(rows: readonly SheetRow[], column: number): string[] {
  const texts = rows.map(({ cells }) => cells[column]?.trim() ?? '').filter((text) => text !== '');
  const shown = texts.map((text) =>
    text.length > SAMPLE_CHARACTERS ? `${text.slice(0, SAMPLE_CHARACTERS)}…` : text,
  );
  return [...new Set(shown)].slice(0, SAMPLES);
}

/** The rows of a file in order, a chunk at a time, with the position of the first. */
export async function* rowChunks(
  store: Store,
  uploadId: string,
): AsyncGenerator<{ readonly from: number; readonly rows: readonly SheetRow[] }> {
  for (let chunkNo = 0; ; chunkNo++) {
    const rows = await readRows<SheetRow>(store, uploadId, chunkNo);
    if (rows === null) return;
    yield { from: chunkNo * UPLOAD_CHUNK_ROWS, rows };
  }
}

/** The rows at these positions, in ascending order. */
export async function rowsAt(
  store: Store,
  uploadId: string,
  positions: readonly number[],
): Promise<readonly SheetRow[]> {
  const found: SheetRow[] = [];
  let chunkNo = -1;
  let chunk: readonly SheetRow[] = [];
  for (const position of positions) {
    const no = Math.floor(position / UPLOAD_CHUNK_ROWS);
    if (no !== chunkNo) {
      chunkNo = no;
      chunk = (await readRows<SheetRow>(store, uploadId, no)) ?? [];
    }
    const row = chunk[position % UPLOAD_CHUNK_ROWS];
    if (row) found.push(row);
  }
  return found;
}
