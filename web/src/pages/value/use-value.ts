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
import { bodyOf, writeAsked, type Asked, type Kind } from './asked.ts';
import { completeAsked, type CompleteAsked } from './complete-asked.ts';

/** Typing and dragging ask when they pause for so long; shorter and most answers would be thrown away. */
const PAUSE_MS = 90;

const VALUE = { home: valueHome, rent: valueRent, building: valueBuilding } as const satisfies Record<
  Kind,
  (body: unknown, signal: AbortSignal) => Promise<Valued>
>;

export interface ValueState {
  /** What records say of the place before anybody says anything. */
  readonly described: DescribedHome | null;
  /** What was sent for `valued`, or what is still missing to send it. */
  readonly complete: CompleteAsked | null;
  readonly valued: Valued | null;
  /** The value before the last change of the same place: the ghost in the picture. */
  readonly before: Valued | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
}

const NOTHING: ValueState = {
  described: null,
  complete: null,
  valued: null,
  before: null,
  problem: null,
  isLoading: false,
};

/** The value of what is asked, anew with every change; requests that were overtaken are given up. */
export function useValue(asked: Asked): ValueState & { readonly retry: () => void } {
  const [state, setState] = useState<ValueState>(NOTHING);
  const [times, setTimes] = useState(0);
  const described = useRef(new Map<string, DescribedHome>());
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
      const home = await describeOnce(described.current, asked, abort.signal);
      const complete = completeAsked(asked, home);
      if (complete.missing.length > 0) {
        setState({ ...NOTHING, described: home, complete });
        return;
      }
      const valued = await VALUE[asked.kind](bodyOf(complete.asked), abort.signal);
      setState((before) => ({
        ...NOTHING,
        described: home,
        complete,
        valued,
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
  return { ...state, retry: () => setTimes((count) => count + 1) };
}

/** Whose value it is: changes of anything else leave the value before as a ghost. */
function subjectOf({ kind, where }: Asked): string {
  return `${kind} ${JSON.stringify(where)}`;
}

/**
 * What the records said of the place on the day: those of a later day must fill no request of an earlier one. Rents and buildings
 * can do without, where no sales are known.
 */
async function describeOnce(
  known: Map<string, DescribedHome>,
  { where, date, kind }: Asked,
  signal: AbortSignal,
): Promise<DescribedHome | null> {
  const key = JSON.stringify([where, date]);
  const found = known.get(key);
  if (found) return found;
  try {
    const body = { location: where, search_params: date === null ? {} : { date } };
    const described = await describeHome(body, signal);
    known.set(key, described);
    return described;
  } catch (error) {
    const { code } = asProblem(error);
    if (kind !== 'home' && (code === 'insufficient_data' || code === 'outside_coverage')) return null;
    throw error;
  }
}
