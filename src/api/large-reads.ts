import { PlumblineError } from '../errors.ts';

/** Large responses that an account may read at the same time. */
export const LARGE_READS_MAX = 4;

/** Who reads large responses now. */
export interface LargeReads {
  /** Notes that an account begins to read one; the function returned notes the end. Throws `rate_limited`. */
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
    `This account is reading ${reading} complete batches, the most allowed at the same time. Try again when one is read.`,
    { members: { retry_after: 1 } },
  );
}
