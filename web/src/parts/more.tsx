import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../api/problem.ts';
import { asProblem } from '../api/request.ts';
import { Button } from './button.tsx';
import { ProblemNotice, Waiting } from './notice.tsx';

/** One page of a list that goes on behind `next_cursor`. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
  readonly isLoading: boolean;
  readonly problem: Problem | null;
  /** Reads the next page, or the failed one again. */
  readonly more: () => void;
  /** From the beginning. */
  readonly reload: () => void;
}

const NOTHING = { rows: [], nextCursor: null, isLoading: true, problem: null } as const;

/** A list read page by page, from the beginning whenever one of `inputs` changes. */
export function useList<Row>(
  readPage: (cursor: string | null, signal: AbortSignal) => Promise<ListPage<Row>>,
  inputs: readonly unknown[],
): Listed<Row> {
  const [state, setState] = useState<Omit<Listed<Row>, 'more' | 'reload'>>(NOTHING);
  const [from, setFrom] = useState<{ readonly cursor: string | null; readonly times: number }>({
    cursor: null,
    times: 0,
  });
  const isFirst = useRef(true);
  // oxlint-disable-next-line react/exhaustive-deps -- what `readPage` closes over is what the caller lists
  useEffect(() => {
    // The first page is on its way already: asked for twice, it might be charged twice.
    if (isFirst.current) isFirst.current = false;
    else setFrom(({ times }) => ({ cursor: null, times: times + 1 }));
    // oxlint-disable-next-line react/exhaustive-deps
  }, inputs);
  useEffect(() => {
    const abort = new AbortController();
    const { cursor } = from;
    setState((before) => ({ ...(cursor === null ? NOTHING : before), isLoading: true, problem: null }));
    readPage(cursor, abort.signal).then(
      ({ rows, nextCursor }) => {
        if (abort.signal.aborted) return;
        setState((before) => ({
          rows: [...before.rows, ...rows],
          nextCursor,
          isLoading: false,
          problem: null,
        }));
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setState((before) => ({ ...before, isLoading: false, problem: asProblem(error) }));
      },
    );
    return () => abort.abort();
    // oxlint-disable-next-line react/exhaustive-deps
  }, [from]);
  return {
    ...state,
    more: () => setFrom(({ times }) => ({ cursor: state.nextCursor, times: times + 1 })),
    reload: () => setFrom(({ times }) => ({ cursor: null, times: times + 1 })),
  };
}

/** Below a list: what is under way, what failed, or a button for the rest. */
export function MoreButton<Row>({ list, waiting }: { readonly list: Listed<Row>; readonly waiting: string }) {
  if (list.problem) return <ProblemNotice problem={list.problem} onRetry={list.more} />;
  if (list.isLoading) return <Waiting for={waiting} />;
  if (list.nextCursor === null) return null;
  return (
    <div>
      <Button onClick={list.more}>Show more</Button>
    </div>
  );
}
