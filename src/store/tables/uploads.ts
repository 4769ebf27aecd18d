/** Rows of the tables of uploaded files. Instants in ms. */

export interface UploadRecord {
  readonly uploadId: string;
  readonly accountId: string;
  readonly userId: string;
  readonly name: string;
  /** Size of the file; once it was read, size of its stored rows. */
  readonly byteCount: number;
  readonly createdAt: number;
  readonly keptUntil: number;
  /** What was read of the file, as JSON; null before. */
  readonly sheet: string | null;
  /** How its rows are valued, as JSON; null before they are submitted. */
  readonly submission: string | null;
  readonly cancelledAt: number | null;
}

export interface UploadPieceTable {
  uploadId: string;
  pieceNo: number;
  bytes: Uint8Array;
}

export interface UploadRowsTable {
  uploadId: string;
  chunkNo: number;
  rows: string;
}

export interface UploadPartTable {
  uploadId: string;
  partNo: number;
  rows: string;
  jobId: string | null;
}
