import { checkBlob } from '../store/blobs.ts';
import { findPageDamage, listBlobUses, newestRecordAt, readServerClock } from '../store/health.ts';
import { appliedMigrations, listMigrations, rejectForeignSchema } from '../store/migrate.ts';
import type { Store } from '../store/store.ts';
import type { Finding } from './finding.ts';

/** Machines should be within a second of each other; leases and rate limits rely on it. */
const CLOCK_WARNING_MS = 2000;
/** Half of the default lease: beyond, items are claimed while they are worked on. */
const CLOCK_ERROR_MS = 30_000;
/** Names of users of a damaged blob that a finding lists. */
const USERS_LISTED = 5;

/** The schema. Throws `usage` for that of another program. */
export async function checkSchema(store: Store): Promise<Finding[]> {
  const applied = await appliedMigrations(store);
  await rejectForeignSchema(store, applied);
  const missing = listMigrations().filter((name) => !applied.includes(name));
  if (missing.length === 0) return [];
  return [
    {
      check: 'database',
      severity: 'warning',
      what:
        applied.length === 0
          ? 'The database has no tables yet.'
          : `The schema is older than this program: ${missing.join(', ')}. Nothing else in it was examined.`,
      where: 'the database',
      remedy:
        applied.length === 0
          ? 'Any command that uses it creates them, such as "plumbline serve".'
          : 'Take a backup with "plumbline backup"; the next start updates the schema.',
    },
  ];
}

export async function checkPages(store: Store): Promise<Finding[]> {
  const damage = await findPageDamage(store);
  if (damage === null) return [];
  return [
    {
      check: 'database',
      severity: 'error',
      what: `The file is damaged: ${damage}.`,
      where: 'the database',
      remedy: 'Stop Plumbline, move plumbline.db and its -wal and -shm files away, and restore a backup.',
    },
  ];
}

/** The clock of this process against that of the server, and against the newest records. */
export async function checkClock(store: Store): Promise<Finding[]> {
  const before = store.clock().getTime();
  const server = await readServerClock(store);
  const now = store.clock().getTime();
  const newest = await newestRecordAt(store);
  const serverAhead = server === null ? 0 : server - (before + now) / 2;
  return [
    ...clockFinding(
      Math.abs(serverAhead),
      serverAhead < 0 ? 'ahead of that of the database’s server' : 'behind that of the database’s server',
    ),
    ...clockFinding(newest - now, 'behind the time of the newest records'),
  ];
}

function clockFinding(differenceMs: number, than: string): Finding[] {
  if (differenceMs <= CLOCK_WARNING_MS) return [];
  return [
    {
      check: 'clock',
      severity: differenceMs > CLOCK_ERROR_MS ? 'error' : 'warning',
      what: `The clock is ${(differenceMs / 1000).toFixed(1)} s ${than}.`,
      where: 'this machine, or the machine that it is compared with',
      remedy: 'Run NTP on all machines.',
    },
  ];
}

/** Reads every blob and compares its SHA-256. */
export async function checkBlobs(store: Store): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { sha256, users, isCurrent } of await listBlobUses(store)) {
    if ((await checkBlob(store, sha256)) === null) continue;
    const more = users.length - USERS_LISTED;
    const listed = users.slice(0, USERS_LISTED).join('; ') + (more > 0 ? ` and ${more} more` : '');
    found.push({
      check: 'blobs',
      severity: isCurrent ? 'error' : 'warning',
      what: isCurrent
        ? `Bytes that valuations use are damaged or missing: ${sha256}.`
        : `Bytes that new valuations do not use are damaged or missing: ${sha256}.`,
      where: listed || 'nothing refers to it',
      remedy: 'Restore a backup, or import the data, train the market or run its backtest again.',
    });
  }
  return found;
}
