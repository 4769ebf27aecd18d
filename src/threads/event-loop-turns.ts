const waiting: (() => void)[] = [];

/**
 * Resolves in a later iteration of the event loop, for one waiting caller per iteration. Work that runs in
 * pieces therefore delays other requests by at most one piece, however many callers do such work.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(takeTurn);
  });
}

function takeTurn(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(takeTurn);
  next?.();
}
