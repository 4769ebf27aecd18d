/** Between two frames of 60 a second there are 16 ms; half of them are for what the page itself does. */
const STRETCH_MS = 8;

/** For long work of a page: `await breathe()` often, and clicks and drawing have their turn. */
export function createBreather(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < STRETCH_MS) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    begun = performance.now();
  };
}

/** How often progress is told: each time the page is drawn anew, which takes longer than a stretch of the work itself. */
const TOLD_EVERY_MS = 100;

/** Whether it is time to tell how far something is. */
export function createTeller(): () => boolean {
  let told = -Infinity;
  return () => {
    if (performance.now() - told < TOLD_EVERY_MS) return false;
    told = performance.now();
    return true;
  };
}
