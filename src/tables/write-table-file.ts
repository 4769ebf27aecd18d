import { accessSync, constants, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemCodeOf, usageError } from '../errors.ts';
import type { PointColumns, TableColumn } from './table-column.ts';
import { writeCsv, type Cell } from './write-csv.ts';
import { writeGeoJson } from './write-geojson.ts';
import { writeParquet } from './write-parquet.ts';

export const TABLE_FORMATS = ['csv', 'parquet', 'geojson'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Rows that can be written in every format. They are read only while they are written. */
export interface WritableTable {
  readonly columns: readonly TableColumn[];
  readonly rows: AsyncIterable<readonly Cell[]>;
  /** Null for rows without a place. */
  readonly point: PointColumns | null;
}

/**
 * Rejects a path at which no new file can be written. Commands that work for minutes call it before they start.
 *
 * @throws PlumblineError `usage`
 */
export function checkNewFile(path: string): void {
  if (existsSync(path)) throw usageError(`${path} exists already. Delete it, or name another file.`);
  const folder = dirname(path);
  if (!existsSync(folder)) {
    throw usageError(
      `${path} cannot be written: there is no folder ${folder}. Create it, or name another file.`,
    );
  }
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const reason = `this user may not write in the folder ${folder}`;
    throw usageError(`${path} cannot be written: ${reason}. Name a file in another folder.`, error);
  }
}

/**
 * Writes a table to a new file, which appears only when it is complete. Returns the number of rows. The memory it takes does
 * not depend on that number.
 *
 * @throws PlumblineError `usage` if the file exists or cannot be written, or if the rows have no place and the format needs one
 */
export async function writeTableFile(
  path: string,
  format: TableFormat,
  { columns, rows, point }: WritableTable,
): Promise<number> {
  checkNewFile(path);
  if (format === 'geojson' && point === null) {
    throw usageError('These rows have no coordinates. Choose csv or parquet.');
  }
  let count = 0;
  const counted = (async function* () {
    for await (const row of rows) {
      count++;
      yield row;
    }
  })();
  const partial = `${path}.part`;
  try {
    const pieces =
      format === 'parquet'
        ? writeParquet(columns, counted)
        : format === 'geojson' && point !== null
          ? writeGeoJson(columns, point, counted)
          : writeCsv(columns, counted, '\n');
    await pipeline(Readable.from(pieces), createWriteStream(partial));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    const code = systemCodeOf(error);
    if (code !== null && FILE_ERRORS.test(code))
      throw usageError(`${path} cannot be written (${code}).`, error);
    throw error;
  }
  return count;
}

/** What the system says about a path or a disk. */
const FILE_ERRORS = /^(ENOENT|EACCES|EPERM|ENOTDIR|EISDIR|EROFS|ENOSPC|EDQUOT)$/;
