/** Runs at most `most` tasks at once, in the order of their arrival. */
export function limitConcurrency(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    /** Tasks that have not begun. */
    waiting: (): number => waiting.length,
    async run<Result>(task: () => Promise<Result>): Promise<Result> {
      if (running >= most) await new Promise<void>((begin) => waiting.push(begin));
      else running++;
      try {
        return await task();
      } finally {
        // The task that has waited longest takes this place.
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
