const waiting: (() => void)[] = [];

/**
 * Resolves in a later round of the event loop, for one waiting caller each round. Work that is done in pieces holds up
 * other requests for one piece at most, however many do such work at the same time.
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
