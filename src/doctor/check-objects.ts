import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { VALUE_FORMATS } from '../domain/value-format.ts';
import type { ObjectStore } from '../egress/stored-object.ts';
import { isFile } from '../jobs/sweep-files.ts';
import type { Store } from '../store/store.ts';
import { countWithoutFile, listStoredFilesAt } from '../store/sweep-files.ts';
import type { Advice, Finding } from './finding.ts';

export const OBJECTS_ADVICE: Advice = {
  where: 'the object storage of OBJECT_STORE',
  remedy: 'Correct what it says. Nothing is lost: until then, files of sweeps are read from the database.',
};

/** A file is stored within a minute after the end of its sweep. */
const LATE_AFTER_MS = 600_000;
const NAMED = 5;

/** Stores, reads and deletes a small object. Throws `unavailable` with the reason if one of them is not possible. */
export async function checkObjectAccess(objectStore: ObjectStore): Promise<Finding[]> {
  const bytes = Buffer.from('Written by "plumbline doctor", which deletes it.\n');
  const [sha256, md5] = [
    createHash('sha256').update(bytes).digest('hex'),
    createHash('md5').update(bytes).digest('base64'),
  ];
  const key = `doctor-${randomUUID()}`;
  const byteCount = bytes.length;
  await objectStore.put({ key, type: 'text/plain', byteCount, sha256, md5, bytes: Readable.from([bytes]) });
  const opened = await objectStore
    .open(key, { first: 0, last: byteCount - 1 })
    .finally(() => objectStore.remove(key));
  opened?.bytes.destroy();
  if (opened !== null && isFile(opened, { byteCount, sha256 })) return [];
  return [
    {
      check: 'objects',
      severity: 'error',
      what: 'An object that was just stored is not there, or has lost its length or its metadata.',
      ...OBJECTS_ADVICE,
    },
  ];
}

/** Files of sweeps that are missing, are other ones than were stored, or have not been stored for a while. */
export async function checkSweepFiles(store: Store, objectStore: ObjectStore): Promise<Finding[]> {
  const { location } = objectStore;
  const wrong: string[] = [];
  for (const file of await listStoredFilesAt(store, location)) {
    const facts = await objectStore.find(file.objectKey);
    if (facts === null || !isFile(facts, file)) wrong.push(file.objectKey);
  }
  const endedBefore = store.clock().getTime() - LATE_AFTER_MS;
  const late = await Promise.all(
    VALUE_FORMATS.map((format) => countWithoutFile(store, { format, location, endedBefore })),
  );
  const waiting = Math.max(...late);
  const found: Finding[] = [];
  if (wrong.length > 0) {
    const more = wrong.length > NAMED ? ` and ${wrong.length - NAMED} more` : '';
    found.push({
      check: 'objects',
      severity: 'warning',
      what: `Files of sweeps are missing, or are not the ones that were stored: ${wrong.length}.`,
      where: `${location}: ${wrong.slice(0, NAMED).join(', ')}${more}`,
      remedy:
        'Nothing is lost: the values are in the database. Download each file once (GET /v1/sweeps/{sweep_id}/values); it is then stored again.',
    });
  }
  if (waiting > 0) {
    found.push({
      check: 'objects',
      severity: 'warning',
      what: `Sweeps that ended more than 10 minutes ago have no file in object storage: ${waiting}.`,
      where: location,
      remedy:
        'Start "plumbline serve" or "plumbline work" with JOB_THREADS above 0 and with OBJECT_STORE; their logs say why a file is not stored.',
    });
  }
  return found;
}
