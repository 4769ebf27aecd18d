import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/problem.ts';
import { Button, ProblemNotice, Waiting } from './basics.tsx';

interface ListState<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
  readonly isLoading: boolean;
  readonly problem: Problem | null;
}

export interface RowPages<Row> extends ListState<Row> {
  /** Reads the next page, or the failed one again. */
  readonly more: () => void;
  /** Takes a row out of those that were read. */
  readonly drop: (row: Row) => void;
  /** Reads the list from its start. */
  readonly reload: () => void;
}

const NOTHING = { rows: [], nextCursor: null, isLoading: true, problem: null } as const;

/** A list that is read page by page, and from its start whenever one of `inputs` changes. */
export function useList<Row>(
  readPage: (
    cursor: string | null,
    signal: AbortSignal,
  ) => Promise<{ readonly rows: readonly Row[]; readonly next_cursor: string | null }>,
  inputs: readonly unknown[],
): RowPages<Row> {
  const [state, setState] = useState<ListState<Row>>(NOTHING);
  const [from, setFrom] = useState<{ readonly cursor: string | null }>({ cursor: null });
  const isFirst = useRef(true);
  // oxlint-disable-next-line react/exhaustive-deps -- the caller lists what `readPage` uses
  useEffect(() => {
    // The first page is being read already. A second request could be charged again.
    if (isFirst.current) isFirst.current = false;
    else setFrom({ cursor: null });
    // oxlint-disable-next-line react/exhaustive-deps
  }, inputs);
  useEffect(() => {
    const abort = new AbortController();
    const { cursor } = from;
    setState((before) => ({ ...(cursor === null ? NOTHING : before), isLoading: true, problem: null }));
    const set = (change: (before: ListState<Row>) => Partial<ListState<Row>>): void => {
      if (!abort.signal.aborted) setState((before) => ({ ...before, ...change(before), isLoading: false }));
    };
    readPage(cursor, abort.signal).then(
      ({ rows, next_cursor: nextCursor }) =>
        set((before) => ({ rows: [...before.rows, ...rows], nextCursor, problem: null })),
      (error: unknown) => set(() => ({ problem: asProblem(error) })),
    );
    return () => abort.abort();
    // oxlint-disable-next-line react/exhaustive-deps
  }, [from]);
  return {
    ...state,
    more: () => setFrom({ cursor: state.nextCursor }),
    drop: (row) => setState((before) => ({ ...before, rows: before.rows.filter((each) => each !== row) })),
    reload: () => {
      // At once: until the end of loading, the rows before are not taken for the new ones.
      setState(NOTHING);
      setFrom({ cursor: null });
    },
  };
}

/** Below a list: what is loading, what failed, or a button for more. */
export function ShowMore<Row>({ list, waiting }: { readonly list: RowPages<Row>; readonly waiting: string }) {
  if (list.problem) return <ProblemNotice problem={list.problem} onRetry={list.more} />;
  if (list.isLoading) return <Waiting for={waiting} />;
  if (list.nextCursor === null) return null;
  return (
    <div>
      <Button onClick={list.more}>Show more</Button>
    </div>
  );
}
