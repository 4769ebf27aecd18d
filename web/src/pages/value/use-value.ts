import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../api/problem.ts';
import { asProblem } from '../../api/request.ts';
import {
  describeHome,
  valueBuilding,
  valueHome,
  valueRent,
  type DescribedHome,
  type Valued,
} from '../../api/valuations.ts';
import { askValue, type Asking } from './ask-value.ts';
import { writeAsked, type Asked } from './asked.ts';
import type { CompleteAsked } from './complete-asked.ts';

/** Typing and dragging ask when they pause for so long; shorter and most answers would be thrown away. */
const PAUSE_MS = 90;

const VALUE = {
  home: valueHome,
  rent: valueRent,
  building: valueBuilding,
} as const satisfies Asking['value'];

export interface ValueState {
  /** What records say of the place before anybody says anything. */
  readonly described: DescribedHome | null;
  /** What was sent for `valued`, or what is still missing to send it. */
  readonly complete: CompleteAsked | null;
  readonly valued: Valued | null;
  /** What the person had said when `valued` was asked for. */
  readonly answered: Asked | null;
  /** The value before the last change of the same place: the ghost in the picture. */
  readonly before: Valued | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
}

/** The same on another day, without its comparables; null where something is missing that nobody knew then. */
export type ValueOn = (date: string | null, signal: AbortSignal) => Promise<Valued | null>;

const NOTHING: ValueState = {
  described: null,
  complete: null,
  valued: null,
  answered: null,
  before: null,
  problem: null,
  isLoading: false,
};

/** The value of what is asked, anew with every change; requests that were overtaken are given up. */
export function useValue(
  asked: Asked,
): ValueState & { readonly retry: () => void; readonly valueOn: ValueOn } {
  const [state, setState] = useState<ValueState>(NOTHING);
  const [times, setTimes] = useState(0);
  const asking = useRef<Asking>({
    describe: describeHome,
    value: VALUE,
    problemOf: asProblem,
    known: new Map(),
  });
  const key = writeAsked(asked);
  const subject = subjectOf(asked);
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (asked.where === null) {
      shown.current = null;
      setState(NOTHING);
      return undefined;
    }
    const isOther = shown.current !== subject;
    const abort = new AbortController();
    setState((before) => ({ ...(isOther ? NOTHING : before), isLoading: true }));
    const run = async (): Promise<void> => {
      const answer = await askValue(asking.current, asked, abort.signal);
      if (answer.valued === null) {
        setState({ ...NOTHING, ...answer });
        return;
      }
      setState((before) => ({
        ...NOTHING,
        ...answer,
        answered: asked,
        before: shown.current === subject ? before.valued : null,
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
    // oxlint-disable-next-line react/exhaustive-deps -- `key` is all of `asked`
  }, [key, times]);
  const valueOn: ValueOn = async (date, signal) =>
    (await askValue(asking.current, { ...asked, date }, signal, 0)).valued;
  return { ...state, valueOn, retry: () => setTimes((count) => count + 1) };
}

/** Whose value it is: changes of anything else leave the value before as a ghost. */
function subjectOf({ kind, where }: Asked): string {
  return `${kind} ${JSON.stringify(where)}`;
}
