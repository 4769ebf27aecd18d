import { useEffect } from 'preact/hooks';
import type { Asked } from '../../api/use-answer.ts';

/** While something runs, a bar should move; otherwise it is enough to learn that something has begun. */
const BUSY_MS = 2000;
const QUIET_MS = 15_000;

/** Asks again and again as long as the page is looked at, more often while it has something to tell. */
export function useFresh<T>(asked: Asked<T>, isBusy: boolean): void {
  const { answer, isLoading, problem, reload } = asked;
  useEffect(() => {
    if (isLoading || problem) return undefined;
    const timer = setInterval(
      () => {
        if (!document.hidden) reload();
      },
      isBusy ? BUSY_MS : QUIET_MS,
    );
    return () => clearInterval(timer);
  }, [answer, isLoading, problem, isBusy, reload]);
}
