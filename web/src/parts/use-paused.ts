import { useEffect, useState } from 'preact/hooks';

/** What is typed, once whoever types it pauses. */
export function usePaused(typed: string, pauseMs: number): string {
  const [paused, setPaused] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed, pauseMs]);
  return paused;
}
