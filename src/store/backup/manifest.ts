import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../domain/json.ts';
import { usageError } from '../../errors.ts';
import type { Engine } from '../store.ts';

/** Raised when an older program could not read a backup of a newer one. */
export const BACKUP_FORMAT = 1 as const;
export const MANIFEST_FILE = 'manifest.json';

/** The file of a table: gzip of one JSON array per line. */
export interface BackupPart {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a backup contains. It is written last: a folder without it is not a backup. */
export interface Manifest {
  readonly format: typeof BACKUP_FORMAT;
  /** The moment of the data. */
  readonly takenAt: string;
  /** Where the rows come from. They can be restored on either engine. */
  readonly engine: Engine;
  /** The schema of the rows. */
  readonly migrations: readonly string[];
  /** Identifies the key that opens the sealed secrets; null if there was none. */
  readonly keyFingerprint: string | null;
  readonly lastIds: Readonly<Record<string, number>>;
  readonly parts: readonly BackupPart[];
}

/** Called with the current step and its progress. */
export type OnBackupProgress = (step: string, done: number, total: number | null) => void;

export function partPath(folder: string, table: string): string {
  return join(folder, `${table}.jsonl.gz`);
}

/** Reads the manifest of a backup and checks every file against it. Throws `usage` with what is damaged. */
export async function verifyBackup(folder: string, onProgress: OnBackupProgress): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const total = manifest.parts.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const part of manifest.parts) {
    const path = partPath(folder, part.table);
    const hash = createHash('sha256');
    try {
      for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
        hash.update(piece);
        onProgress('Checking the backup', (done += piece.length), total);
      }
    } catch (error) {
      throw usageError(
        `The backup file ${path} cannot be read: ${String(error)}. Use another backup.`,
        error,
      );
    }
    if (hash.digest('hex') !== part.sha256) {
      throw usageError(
        `The backup file ${path} is damaged: its SHA-256 is not that of ${MANIFEST_FILE}. Use another backup.`,
      );
    }
  }
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_FILE);
  const advice = 'Name the folder of a complete backup, as "plumbline backup" wrote it.';
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw usageError(
      `${folder} is not a backup: ${path} cannot be read (${String(error)}). ${advice}`,
      error,
    );
  }
  if (isRecord(manifest) && typeof manifest.format === 'number' && manifest.format > BACKUP_FORMAT) {
    throw usageError(`The backup ${folder} was written by a newer Plumbline. Restore it with that version.`);
  }
  if (isManifest(manifest)) return manifest;
  throw usageError(`${path} is damaged, or not the manifest of a backup. ${advice}`);
}

function isManifest(value: unknown): value is Manifest {
  return (
    isRecord(value) &&
    value.format === BACKUP_FORMAT &&
    typeof value.takenAt === 'string' &&
    (value.engine === 'sqlite' || value.engine === 'postgres') &&
    isTexts(value.migrations) &&
    (value.keyFingerprint === null || typeof value.keyFingerprint === 'string') &&
    isRecord(value.lastIds) &&
    Object.values(value.lastIds).every(Number.isSafeInteger) &&
    Array.isArray(value.parts) &&
    value.parts.every(isPart)
  );
}

function isPart(value: unknown): value is BackupPart {
  return (
    isRecord(value) &&
    // It becomes the name of a file.
    /^[a-z_]+$/.test(String(value.table)) &&
    isTexts(value.columns) &&
    Number.isSafeInteger(value.rows) &&
    Number.isSafeInteger(value.bytes) &&
    typeof value.sha256 === 'string'
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
