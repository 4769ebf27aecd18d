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
