import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { boxKeyPath } from '../accounts/secret-box.ts';
import { sqlitePath } from '../store/sqlite-engine.ts';
import type { Config } from '../config.ts';
import type { Finding } from './finding.ts';

const GIB = 1024 ** 3;
/** A training and an import of a county need about a gigabyte while they run. */
const FREE_WARNING_BYTES = 2 * GIB;
/** Below, writes of the embedded database fail within hours of normal use. */
const FREE_ERROR_BYTES = GIB / 5;
/** Access of users who are neither the owner nor in its group. */
const OTHERS = 0o007;

/** The free space of the disk of the data folder. `freeBytesOf` asks the system. */
export function checkDisk(dataDir: string, freeBytesOf: (folder: string) => number): Finding[] {
  if (!existsSync(dataDir)) return [];
  const free = freeBytesOf(dataDir);
  if (free >= FREE_WARNING_BYTES) return [];
  return [
    {
      check: 'disk',
      severity: free < FREE_ERROR_BYTES ? 'error' : 'warning',
      what: `${(free / GIB).toFixed(2)} GiB are free; less than ${FREE_WARNING_BYTES / GIB} GiB are not enough for an import or a training.`,
      where: dataDir,
      remedy: 'Free some space, or move the data folder to a larger disk (PLUMBLINE_DATA).',
    },
  ];
}

/** Whether this user can write the data folder, and others cannot read secrets in it. */
export function checkPermissions({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Finding[] {
  const database = databaseUrl === null ? [sqlitePath(dataDir)] : [];
  const paths = [dataDir, ...database, boxKeyPath(dataDir)].filter((path) => existsSync(path));
  return paths.flatMap((path): Finding[] => {
    const found: Finding[] = [];
    if (!canWrite(path)) {
      found.push({
        check: 'permissions',
        severity: 'error',
        what: 'This user cannot read and write it.',
        where: path,
        remedy: 'Run Plumbline as the owner of the data folder, or change the owner (chown -R).',
      });
    }
    const mode = statSync(path).mode & 0o777;
    if ((mode & OTHERS) !== 0) {
      found.push({
        check: 'permissions',
        severity: path === boxKeyPath(dataDir) ? 'error' : 'warning',
        what: `Every user of the machine has access to it (mode ${mode.toString(8)}).`,
        where: path,
        remedy: `chmod o-rwx ${path}`,
      });
    }
    return found;
  });
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
