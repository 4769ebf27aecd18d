import type { RowItem } from '../request/make-items.ts';

/** Contract §3. */
export const ITEMS_A_JOB = 500;
/** Of 5,242,880 that a batch may have; what stands around the items and a callback need 3 KB. */
const BYTES_A_JOB = 5_000_000;

/** Cuts items into jobs, in their order: as many as a batch may have, in number and in bytes. */
export function cutIntoJobs(items: readonly RowItem[]): RowItem[][] {
  const jobs: RowItem[][] = [];
  let job: RowItem[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item.item) + 1;
    if (job.length === ITEMS_A_JOB || (job.length > 0 && bytes + size > BYTES_A_JOB)) {
      jobs.push(job);
      job = [];
      bytes = 0;
    }
    job.push(item);
    bytes += size;
  }
  if (job.length > 0) jobs.push(job);
  return jobs;
}

const encoder = new TextEncoder();

function bytesOf(item: object): number {
  const text = JSON.stringify(item);
  // Most items are so short that 500 fit whatever their letters are, of 3 bytes at most: those need no counting.
  const bytesMax = 3 * text.length;
  return bytesMax * ITEMS_A_JOB < BYTES_A_JOB ? bytesMax : encoder.encode(text).length;
}

/** The body that is sent: of the same items the same, to the byte when it is written as JSON. */
export function bodyOf(items: readonly RowItem[], notifyUrl: string | null): object {
  const callback = notifyUrl === null ? {} : { notify_url: notifyUrl };
  return { ...callback, properties: items.map(({ item }) => item) };
}

/** SHA-256 in hexadecimal. */
export async function sha256(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export interface SentPart {
  readonly fileSha256: string;
  /** How often this person wanted this file sent anew, from 1. */
  readonly attempt: number;
  /** From 1. */
  readonly part: number;
  readonly body: object;
}

/**
 * The Idempotency-Key of a part: the same for the same file, part and body, so that sending it again, from a page that was
 * closed or after an answer that was lost, is answered with the job that was made. Only a wish to send the file anew makes another.
 */
export async function keyOfPart({ fileSha256, attempt, part, body }: SentPart): Promise<string> {
  const bodySha256 = await sha256(encoder.encode(JSON.stringify(body)));
  return ['csv', fileSha256.slice(0, 24), attempt, part, bodySha256.slice(0, 24)].join('-');
}
