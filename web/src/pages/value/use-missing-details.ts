import { useCallback, useEffect, useState } from 'preact/hooks';
import { asProblem } from '../../api/request.ts';
import type { Asked } from '../../api/use-answer.ts';
import { readMissingDetails, type MissingDetails } from '../../api/valuations.ts';
import type { ValueState } from './use-value.ts';

/** What a range costs takes the server as long as sixty values: asked for once the value is looked at. */
const COSTS_PAUSE_MS = 350;

type Told = Pick<Asked<MissingDetails>, 'answer' | 'problem'> & { readonly id: string };

/** What each unknown attribute of the home that was valued costs. Costs of one value are never shown beside another. */
export function useMissingDetails({ valued, isLoading }: ValueState): Asked<MissingDetails> {
  const [told, setTold] = useState<Told | null>(null);
  const [times, setTimes] = useState(0);
  const id = valued?.kind === 'home' ? valued.answer.valuation.valuation_id : null;
  useEffect(() => {
    if (id === null || isLoading) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      readMissingDetails(id, abort.signal).then(
        (answer) => setTold({ id, answer, problem: null }),
        (error: unknown) => abort.signal.aborted || setTold({ id, answer: null, problem: asProblem(error) }),
      );
    }, COSTS_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [id, isLoading, times]);
  const reload = useCallback(() => {
    setTold(null);
    setTimes((count) => count + 1);
  }, []);
  const { answer = null, problem = null } = told?.id === id ? told : {};
  return { answer, problem, isLoading: answer === null && problem === null, reload };
}
