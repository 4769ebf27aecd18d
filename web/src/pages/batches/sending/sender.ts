import { pause } from '../../../api/pause.ts';
import { asProblem } from '../../../api/request.ts';
import type { Problem } from '../../../api/problem.ts';
import { submitBatch, type Submitted } from '../../../api/batches.ts';
import { readTable } from '../csv/read-table.ts';
import { makeItems, type RowItem } from '../request/make-items.ts';
import { bodyOf, keyOfPart } from './chunks.ts';
import { sendParts, type Outcome } from './send-parts.ts';
import { openFileStore, withJob, type StoredFile } from './stored-files.ts';

/** How far the sending of a file is, in this page. */
export interface Sending {
  readonly isRunning: boolean;
  /** Of a part that waits to be sent again: why, and for how long. */
  readonly waiting: { readonly seconds: number; readonly message: string } | null;
  /** What ended it before all was sent. */
  readonly problem: string | null;
  /** Parts that the server had taken on before, so that no second job was made of them. */
  readonly replays: number;
}

const IDLE: Sending = { isRunning: false, waiting: null, problem: null, replays: 0 };

interface Running {
  state: Sending;
  abort: AbortController;
}

const running = new Map<string, Running>();
const listeners = new Set<() => void>();

/** Called whenever something about any sending changes; what it returns ends that. */
export function onSending(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function sendingOf(id: string): Sending {
  return running.get(id)?.state ?? IDLE;
}

export function stopSending(id: string): void {
  running.get(id)?.abort.abort();
}

/** Sends what of a file was not sent yet. It goes on while other pages of the console are open, and ends with the window. */
export async function startSending(id: string): Promise<void> {
  if (sendingOf(id).isRunning) return;
  const abort = new AbortController();
  running.set(id, { state: { ...IDLE, isRunning: true }, abort });
  tell(id, {});
  window.addEventListener('beforeunload', askBeforeLeaving);
  try {
    tell(id, { problem: await sendFile(id, abort.signal) });
  } catch (error) {
    tell(id, { problem: abort.signal.aborted ? null : asProblem(error).message });
  } finally {
    window.removeEventListener('beforeunload', askBeforeLeaving);
    tell(id, { isRunning: false, waiting: null });
  }
}

function tell(id: string, change: Partial<Sending>): void {
  const entry = running.get(id);
  if (entry !== undefined) entry.state = { ...entry.state, ...change };
  for (const listener of listeners) listener();
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

interface Unsent {
  readonly at: number;
  readonly items: readonly RowItem[];
}

async function sendFile(id: string, signal: AbortSignal): Promise<string | null> {
  const store = await openFileStore();
  const found = await store.find(id);
  if (found === null) return 'This browser no longer has the file. Choose it again.';
  let file: StoredFile = found;
  const refused = await sendParts<Unsent, Submitted>(
    {
      send: (part, signal) => sendPart(file, part, signal),
      wait: pause,
      onWait: (waiting) => tell(id, { waiting }),
      async onAnswer({ at }, { job, isReplay }) {
        file = withJob(file, at, job.job_id);
        await store.put(file);
        tell(id, { replays: sendingOf(id).replays + Number(isReplay) });
      },
    },
    await unsentParts(file, signal),
    signal,
  );
  return refused === null ? null : `Job ${refused.part.at + 1} of ${file.parts.length}: ${refused.message}`;
}

/** The same rows as when the file was checked, made into the same items. */
async function unsentParts(file: StoredFile, signal: AbortSignal): Promise<Unsent[]> {
  if (file.parts.every(({ jobId }) => jobId !== null)) return [];
  const table = await readTable(file.file, { signal });
  const { items } = await makeItems(file.kind, table, file.mapping, { today: file.today, signal });
  const byRow = new Map(items.map((item) => [item.at, item]));
  return file.parts.flatMap(({ jobId, rows }, at): Unsent[] => {
    if (jobId !== null) return [];
    return [{ at, items: rows.map((row) => byRow.get(row)).filter((item) => item !== undefined) }];
  });
}

async function sendPart(file: StoredFile, part: Unsent, signal: AbortSignal): Promise<Outcome<Submitted>> {
  const body = bodyOf(part.items, file.notifyUrl);
  const { fileSha256, attempt } = file;
  const key = await keyOfPart({ fileSha256, attempt, part: part.at + 1, body });
  try {
    return { answer: await submitBatch(file.kind, body, key, signal), refusal: null };
  } catch (error) {
    signal.throwIfAborted();
    const problem = asProblem(error);
    return { answer: null, refusal: { message: problem.message, retryAfter: retryAfterOf(problem) } };
  }
}

/** 409: the same part is being taken on this very moment. */
const FOR_NOW = ['rate_limited', 'unavailable', 'deadline_exceeded', 'unreachable', 'conflict'];

export function retryAfterOf({ code, retryAfterSeconds }: Problem): number | null {
  return FOR_NOW.includes(code) ? (retryAfterSeconds ?? 2) : null;
}
