import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../api/problem.ts';
import {
  describeHome,
  valueBuilding,
  valueHome,
  valueRent,
  type DescribedHome,
  type Valued,
} from '../../api/valuations.ts';
import { originalValue, requestValue, type RequestDeps, type FullRequest } from './request-value.ts';
import { writeQuery, type ValueRequest } from './value-request.ts';

/** A change is valued after this pause in typing or dragging. With a shorter pause most responses would be discarded. */
const PAUSE_MS = 90;

const VALUE = { home: valueHome, rent: valueRent, building: valueBuilding } as const;

export interface ValueState {
  /** What the records contain about the location. */
  readonly described: DescribedHome | null;
  /** The completed request, or the details that it lacks. */
  readonly complete: FullRequest | null;
  readonly valued: Valued | null;
  /** The request of `valued`, as the user entered it. */
  readonly valuedRequest: ValueRequest | null;
  /** The value of the same location and date without the user's details. Null for rents and buildings with details. */
  readonly original: Valued | null;
  /** The value of the same location before the last change: the dashed curve of the plot. */
  readonly previous: Valued | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
}

export interface ShownValue extends ValueState {
  readonly retry: () => void;
  /** The value as of another date, without comparables; null if a required detail was unknown then. */
  readonly valueOn: (date: string | null, signal: AbortSignal) => Promise<Valued | null>;
}

const NOTHING: ValueState = {
  described: null,
  complete: null,
  valued: null,
  valuedRequest: null,
  original: null,
  previous: null,
  problem: null,
  isLoading: false,
};

/** Values the request again after every change, and aborts the request before. */
export function useValue(request: ValueRequest): ShownValue {
  const [state, setState] = useState<ValueState>(NOTHING);
  const [times, setTimes] = useState(0);
  const operations = { describe: describeHome, value: VALUE, problemOf: asProblem };
  const deps = useRef<RequestDeps>({ ...operations, known: new Map() });
  const key = writeQuery(request);
  const subject = subjectOf(request);
  const shown = useRef<string | null>(null);
  // With its location and date.
  const original = useRef<{ readonly of: string; readonly valued: Valued | null } | null>(null);
  useEffect(() => {
    if (request.where === null) {
      shown.current = null;
      setState(NOTHING);
      return undefined;
    }
    const isOther = shown.current !== subject;
    const abort = new AbortController();
    setState((before) => ({ ...(isOther ? NOTHING : before), isLoading: true }));
    const run = async (): Promise<void> => {
      const of = `${subject} ${request.date}`;
      // The page was opened with details, or their date changed. First, because its changes are then free.
      if (!isPlain(request) && original.current?.of !== of)
        original.current = { of, valued: await originalValue(deps.current, request, abort.signal) };
      const outcome = await requestValue(deps.current, request, abort.signal);
      if (outcome.valued === null) {
        setState({ ...NOTHING, ...outcome });
        return;
      }
      // Changes of a home are of its first value: they stay when its last corrected detail is reset.
      const isKept = original.current?.of === of && original.current.valued?.kind === 'home';
      if (isPlain(request) && !isKept) original.current = { of, valued: outcome.valued };
      const { valued: plain = null } = original.current ?? {};
      setState((before) => ({
        ...NOTHING,
        ...outcome,
        valuedRequest: request,
        original: plain,
        previous: shown.current === subject ? before.valued : plain === outcome.valued ? null : plain,
      }));
      shown.current = subject;
    };
    const timer = setTimeout(
      () => {
        run().catch((error: unknown) => {
          if (abort.signal.aborted) return;
          shown.current = null;
          setState((before) => ({ ...NOTHING, described: before.described, problem: asProblem(error) }));
        });
      },
      isOther ? 0 : PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `key` contains all of `request`
  }, [key, times]);
  const valueOn: ShownValue['valueOn'] = async (date, signal) =>
    (await requestValue(deps.current, { ...request, date }, signal, 0)).valued;
  return { ...state, valueOn, retry: () => setTimes((count) => count + 1) };
}

function isPlain({ fields }: ValueRequest): boolean {
  return Object.keys(fields).length === 0;
}

/** What identifies the subject. If only other parts change, the previous value stays as the dashed curve. */
function subjectOf({ kind, where }: ValueRequest): string {
  return `${kind} ${JSON.stringify(where)}`;
}
