import { claimChunk } from '../store/job-queue.ts';
import { createForgetting } from './forget-results.ts';
import { ITEM_TASKS } from './item-kinds.ts';
import { workChunk, type WorkDeps } from './work-chunk.ts';

/** Items of a claim: a commit for each claim and each end is shared by so many. */
const CHUNK_ITEMS = 10;
/** How long an item that another process submitted waits at most before it is seen. */
const LOOK_EVERY_MS = 500;

/** Does what is queued, one chunk after the other, as long as the thread lives. */
export interface Working {
  /** Looks for something to do now, and every half second from now on. */
  readonly start: () => void;
  /** Looks now: something was submitted here. */
  readonly wake: () => void;
  /** Resolves when nothing is due and nothing is under way. */
  readonly idle: () => Promise<void>;
  /** Claims no more; resolves when what was begun is written and the rest given back. */
  readonly close: () => Promise<void>;
}

export function createWorking(deps: WorkDeps): Working {
  const stopping = new AbortController();
  const forgetOldOnes = createForgetting(deps);
  const state = { isLooking: false, isAskedAgain: false };
  let looking = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;

  const wake = (): void => {
    state.isAskedAgain = true;
    if (!state.isLooking) looking = look();
  };
  async function look(): Promise<void> {
    state.isLooking = true;
    try {
      while (state.isAskedAgain && !stopping.signal.aborted) {
        state.isAskedAgain = false;
        while (!stopping.signal.aborted && (await workOnce(deps, stopping.signal)));
        if (!stopping.signal.aborted) await forgetOldOnes();
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'batches cannot be worked on now');
    } finally {
      state.isLooking = false;
    }
  }
  return {
    wake,
    start: () => {
      timer ??= setInterval(wake, LOOK_EVERY_MS);
      wake();
    },
    idle: async () => {
      wake();
      while (state.isLooking) await looking;
    },
    close: async () => {
      stopping.abort();
      if (timer !== null) clearInterval(timer);
      await looking;
    },
  };
}

/** False where nothing is due. */
async function workOnce(deps: WorkDeps, stopping: AbortSignal): Promise<boolean> {
  const now = deps.clock().getTime();
  const claim = { now, leaseUntil: now + deps.leaseMs, most: CHUNK_ITEMS, tasks: ITEM_TASKS };
  const chunk = await claimChunk(deps.store, claim);
  if (chunk === null) return false;
  await workChunk(deps, chunk, stopping);
  return true;
}
