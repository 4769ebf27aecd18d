/** Why a part was not taken on, and whether it may be later. */
export interface Refusal {
  /** A sentence for people. */
  readonly message: string;
  /** After so many seconds it is worth while to ask again; null where the same would be answered for ever. */
  readonly retryAfter: number | null;
}

export type Outcome<Answer> =
  { readonly answer: Answer; readonly refusal: null } | { readonly answer: null; readonly refusal: Refusal };

export interface SendDeps<Part, Answer> {
  readonly send: (part: Part, signal: AbortSignal) => Promise<Outcome<Answer>>;
  /** Resolves when the time has passed; rejects where the signal ends it. */
  readonly wait: (seconds: number, signal: AbortSignal) => Promise<void>;
  /** Told before waiting, and with null when it is over. */
  readonly onWait: (waiting: { readonly seconds: number; readonly message: string } | null) => void;
  /** Told of each part that was answered, and awaited: it is kept before the next is sent. */
  readonly onAnswer: (part: Part, answer: Answer) => Promise<void> | void;
}

/** Attempts that go unanswered come no less often than this. */
const OWN_WAIT_SECONDS_MAX = 60;

/**
 * Sends parts one after the other, in order. What is refused for now (limits, a server that restarts, a line that is down) is
 * tried again until `signal` ends it; what is refused for good ends it, and is returned. Null when all were answered.
 */
export async function sendParts<Part, Answer>(
  deps: SendDeps<Part, Answer>,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<{ readonly part: Part; readonly message: string } | null> {
  for (const part of parts) {
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted();
      const { answer, refusal } = await deps.send(part, signal);
      if (refusal === null) {
        await deps.onAnswer(part, answer);
        break;
      }
      if (refusal.retryAfter === null) return { part, message: refusal.message };
      // As long as was asked for; longer where that was in vain before.
      const seconds = Math.max(refusal.retryAfter, Math.min(OWN_WAIT_SECONDS_MAX, 2 ** attempt));
      deps.onWait({ seconds, message: refusal.message });
      try {
        await deps.wait(seconds, signal);
      } finally {
        deps.onWait(null);
      }
    }
  }
  return null;
}
