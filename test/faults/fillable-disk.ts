import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** A folder on a disk that can be filled up and emptied again. */
export interface FullDisk {
  /** How the disk is made full. */
  readonly how: string;
  readonly dataDir: string;
  readonly fill: (processId: number) => void;
  readonly free: (processId: number) => void;
  readonly remove: () => void;
}

const DISK_MB = 128;
/** Every file of the database is longer, or will be after some answers. */
const FILE_LIMIT_BYTES = 65_536;

/** A small disk in memory where this user may mount one; else the kernel refuses to let the process's files grow. */
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

/** Writes in ever smaller pieces until not even a page goes in. */
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
  // Node ignores SIGXFSZ, so that the write fails and not the process.
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
