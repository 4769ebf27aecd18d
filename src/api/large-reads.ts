import { PlumblineError } from '../errors.ts';

/** Number of large responses that an account may read at the same time. */
export const LARGE_READS_MAX = 4;

/** Counts the large responses being read. */
export interface LargeReads {
  /**
   * Records that an account starts to read one. Call the returned function when it ends. Throws
   * `rate_limited`.
   */
  readonly begin: (accountId: string) => () => void;
}

export function createLargeReads(): LargeReads {
  const readingOf = new Map<string, number>();
  return {
    begin(accountId) {
      const reading = readingOf.get(accountId) ?? 0;
      if (reading >= LARGE_READS_MAX) throw tooManyReads(reading);
      readingOf.set(accountId, reading + 1);
      return () => {
        const left = (readingOf.get(accountId) ?? 1) - 1;
        if (left > 0) readingOf.set(accountId, left);
        else readingOf.delete(accountId);
      };
    },
  };
}

function tooManyReads(reading: number): PlumblineError {
  return new PlumblineError(
    'rate_limited',
    `This account is reading ${reading} complete batches, the maximum at the same time. Try again when one has finished.`,
    { members: { retry_after: 1 } },
  );
}
