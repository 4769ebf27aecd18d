import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { AuthenticatedCaller } from '../accounts/authenticate.ts';
import { PlumblineError } from '../errors.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import type { Clock } from '../clock.ts';
import type { Overload } from './overload.ts';

/** A response counts as one request per megabyte. */
const BYTES_PER_REQUEST = 1_000_000;
/**
 * If the limits of the plan are reached, the response pauses. It pauses at most this long per megabyte, so
 * that a batch of 16 MB can be read in 16 s even with the last requests of a day.
 */
const MAX_PAUSE_MS = 1000;

/**
 * The deadline of a response that a client with a slow connection reads. A client that stops reading is disconnected within
 * a minute.
 */
export const STREAM_MS = 600_000;

export interface LongText {
  readonly type: string;
  /** Text, or the bytes of a binary file. */
  readonly pieces: AsyncGenerator<string> | AsyncGenerator<Uint8Array>;
  /** Whether the response may have many megabytes. */
  readonly isLarge: boolean;
  /** 200 by default. */
  readonly status?: number;
  /** Of the text; a problem document that is sent in its place does not have them. */
  readonly headers?: Readonly<Record<string, string | number>>;
}

interface Deps {
  readonly rateLimit: RateLimit;
  readonly largeReads: LargeReads;
  readonly overload: Pick<Overload, 'count'>;
  readonly clock: Clock;
}

/**
 * Sends text or bytes as they are produced, as fast as the client reads and its plan allows. An error before the first
 * piece still becomes a problem document.
 *
 * Reading costs no credits, and 16 MB take as much of the event loop as 50 valuations. Without these limits,
 * one account could block the others.
 */
export async function sendText(
  deps: Deps,
  reply: FastifyReply,
  caller: AuthenticatedCaller,
  { type, pieces, isLarge, status = 200, headers = {} }: LongText,
): Promise<FastifyReply> {
  let endRead = (): void => {};
  // Also if the client is gone before the first piece is sent.
  const end = (): void => {
    endRead();
    pieces.return(undefined).catch(() => {});
  };
  try {
    if (isLarge) endRead = deps.largeReads.begin(caller.accountId);
    const first = await pieces.next();
    const text = first.done ? [] : startingWith(first.value, pieces);
    const stream = Readable.from(paced(deps, caller, text), { objectMode: false });
    stream.once('close', end);
    const isText = typeof first.value === 'string' || type.startsWith('text/');
    reply.code(status).headers(headers);
    return reply.type(isText ? `${type}; charset=utf-8` : type).send(stream);
  } catch (error) {
    end();
    throw error;
  }
}

async function* startingWith<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

/** The request itself already counts for the first megabyte. */
async function* paced(
  deps: Deps,
  caller: AuthenticatedCaller,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  let uncounted = 0;
  for await (const piece of pieces) {
    yield piece;
    uncounted += piece.length;
    for (; uncounted > BYTES_PER_REQUEST; uncounted -= BYTES_PER_REQUEST) {
      deps.overload.count(caller.accountId, 1);
      await pauseForLimits(deps, caller);
    }
  }
}

/** Takes one request from the limits of the plan, and waits if none is left. */
async function pauseForLimits({ rateLimit, clock }: Deps, caller: AuthenticatedCaller): Promise<void> {
  for (let pausedMs = 0; pausedMs < MAX_PAUSE_MS;) {
    const taken = await rateLimit(caller, clock().getTime());
    if (taken === null || taken.isAllowed) return;
    const waitMs = Math.min(taken.waitMs, MAX_PAUSE_MS - pausedMs);
    await sleep(waitMs);
    pausedMs += waitMs;
  }
}

/** Number of large responses that an account may read at the same time. */
export const MAX_LARGE_READS = 4;

export type LargeReads = ReturnType<typeof createLargeReads>;

/** Counts the large responses being read. */
export function createLargeReads() {
  const readingOf = new Map<string, number>();
  return {
    /**
     * Records that an account starts to read one. Call the returned function when it ends. Throws
     * `rate_limited`.
     */
    begin(accountId: string): () => void {
      const reading = readingOf.get(accountId) ?? 0;
      if (reading >= MAX_LARGE_READS) {
        throw new PlumblineError(
          'rate_limited',
          `This account is reading ${reading} complete batches, the maximum at the same time. Try again when one has finished.`,
          { members: { retry_after: 1 } },
        );
      }
      readingOf.set(accountId, reading + 1);
      return () => {
        const left = (readingOf.get(accountId) ?? 1) - 1;
        if (left > 0) readingOf.set(accountId, left);
        else readingOf.delete(accountId);
      };
    },
  };
}
