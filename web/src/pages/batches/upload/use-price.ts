import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ValuationKind } from '../../../../../src/domain/valuation-kind.ts';
import { priceBatch } from '../../../api/batches.ts';
import type { Problem } from '../../../api/problem.ts';
import { asProblem } from '../../../api/request.ts';
import type { RowItem } from '../request/make-items.ts';
import { bodyOf, cutIntoJobs } from '../sending/chunks.ts';
import { sendParts, type Outcome } from '../sending/send-parts.ts';
import { pause } from '../../../api/pause.ts';
import { retryAfterOf } from '../sending/sender.ts';

export interface Price {
  /** The most that all jobs can cost; null until each was asked about. */
  readonly credits: number | null;
  readonly asked: number;
  readonly jobs: number;
  readonly isAsking: boolean;
  readonly waiting: string | null;
  readonly problem: string | null;
  /** Asks about every job. */
  readonly ask: () => void;
}

/** So many jobs are asked about without being told to: each is a request of the plan's limits. */
const ASKED_AT_ONCE = 4;

const UNASKED = { credits: null, asked: 0, isAsking: false, waiting: null, problem: null } as const;

/** What sending these items can cost, as the server says: a dry run of each job, which also checks them by its rules. */
export function usePrice(
  kind: ValuationKind,
  items: readonly RowItem[] | null,
  notifyUrl: string | null,
): Price {
  const [state, setState] = useState<Omit<Price, 'ask' | 'jobs'>>(UNASKED);
  const jobs = useRef<RowItem[][]>([]);
  const abort = useRef<AbortController | null>(null);
  const ask = useCallback(() => {
    abort.current?.abort();
    const { signal } = (abort.current = new AbortController());
    setState({ ...UNASKED, isAsking: true });
    let credits = 0;
    let asked = 0;
    const deps = {
      send: (part: Part, signal: AbortSignal) => priceOf(kind, part, notifyUrl, signal),
      wait: pause,
      onWait: (waiting: { readonly message: string } | null) =>
        setState((before) => ({ ...before, waiting: waiting?.message ?? null })),
      onAnswer(_part: Part, most: number) {
        credits += most;
        asked++;
        setState((before) => ({ ...before, asked }));
      },
    };
    sendParts(
      deps,
      jobs.current.map((items) => ({ items })),
      signal,
    ).then(
      (refused) => {
        if (signal.aborted) return;
        setState({ ...UNASKED, asked, credits: refused ? null : credits, problem: refused?.message ?? null });
      },
      (error: unknown) => {
        if (!signal.aborted) setState({ ...UNASKED, problem: asProblem(error).message });
      },
    );
  }, [kind, notifyUrl]);
  useEffect(() => {
    abort.current?.abort();
    setState(UNASKED);
    jobs.current = items === null ? [] : cutIntoJobs(items);
    if (jobs.current.length === 0 || jobs.current.length > ASKED_AT_ONCE) return;
    const timer = setTimeout(ask, 400);
    return () => {
      clearTimeout(timer);
      abort.current?.abort();
    };
  }, [items, ask]);
  return { ...state, jobs: items === null ? 0 : jobs.current.length, ask };
}

interface Part {
  readonly items: readonly RowItem[];
}

async function priceOf(
  kind: ValuationKind,
  { items }: Part,
  notifyUrl: string | null,
  signal: AbortSignal,
): Promise<Outcome<number>> {
  try {
    return { answer: await priceBatch(kind, bodyOf(items, notifyUrl), signal), refusal: null };
  } catch (error) {
    signal.throwIfAborted();
    const problem: Problem = asProblem(error);
    return {
      answer: null,
      refusal: { message: sentenceOf(problem, items), retryAfter: retryAfterOf(problem) },
    };
  }
}

/** The server names items by their place in the batch; people know them by their reference. */
function sentenceOf(problem: Problem, items: readonly RowItem[]): string {
  const [first] = problem.fields;
  if (first === undefined) return problem.message;
  const [, list, index, ...path] = first.loc;
  if (list === 'notify_url') return `Callback: ${first.msg}.`;
  const item = typeof index === 'number' ? items[index]?.item : undefined;
  const reference =
    item !== undefined && 'property_id' in item ? String(item.property_id) : `item ${Number(index) + 1}`;
  return `The server refuses ${reference}: ${path.join('.')} ${first.msg}.`;
}
