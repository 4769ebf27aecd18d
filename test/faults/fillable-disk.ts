import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** A folder on a disk that a test can fill up and empty again. */
interface FullDisk {
  /** The method used to fill the disk. */
  readonly how: string;
  readonly dataDir: string;
  readonly fill: (processId: number) => void;
  readonly free: (processId: number) => void;
  readonly remove: () => void;
}

const DISK_MB = 128;
/** Every file of the database is already longer, or will be after a few responses. */
const FILE_LIMIT_BYTES = 65_536;

/**
 * Uses a small disk in memory if this user may mount one. Otherwise the kernel limits the size of the
 * process's files.
 */
export function createFullDisk(): FullDisk {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', dataDir]);
  return mounted.status === 0 ? mountedDisk(dataDir) : limitedFiles(dataDir);
}

function mountedDisk(dataDir: string): FullDisk {
  const filler = join(dataDir, 'filler');
  const remove = (): void => {
    spawnSync('umount', ['--lazy', dataDir]);
    rmSync(dataDir, { recursive: true, force: true });
  };
  process.once('exit', remove);
  return {
    how: 'ENOSPC',
    dataDir,
    fill: () => fillUp(filler),
    free: () => rmSync(filler),
    remove,
  };
}

/** Writes smaller and smaller pieces until not even a page fits. */
function fillUp(path: string): void {
  const file = openSync(path, 'w');
  for (let bytes = 1 << 20; bytes >= 1 << 12; bytes >>= 1) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
  closeSync(file);
}

function limitedFiles(dataDir: string): FullDisk {
  // Node ignores SIGXFSZ, so the write fails and the process goes on.
  const limit = (processId: number, bytes: string): void =>
    void execFileSync('prlimit', [`--pid=${processId}`, `--fsize=${bytes}:unlimited`]);
  return {
    how: 'EFBIG',
    dataDir,
    fill: (processId) => limit(processId, String(FILE_LIMIT_BYTES)),
    free: (processId) => limit(processId, 'unlimited'),
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}
