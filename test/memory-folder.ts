import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A file system in memory (Linux). */
const MEMORY = '/dev/shm';
/** All files of a run of the tests take at most 0.5 GiB at a time. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * Where the tests' files and databases lie: in memory where there is room, since a third of a run was waiting for the
 * disk. Nothing is proven less: a killed process leaves what it wrote there as on a disk, and no test cuts the power.
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
