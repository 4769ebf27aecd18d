import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A file system in memory (Linux). */
const MEMORY = '/dev/shm';
/** All files of a test run take at most 0.5 GiB at a time. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * The folder for test files and databases: in memory if there is room, because disk waits took a third of a
 * run. This proves no less: files of a killed process survive as on a disk, and no test cuts the power.
 */
export function memoryFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ENOUGH_BYTES && isWritable(MEMORY) ? MEMORY : tmpdir();
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
