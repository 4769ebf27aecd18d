/** How far each address was scrolled, until the console is reloaded. */
const positions = new Map<string, number>();

/** A page that loads longer than this stays where it is. */
const RESTORE_MS = 5000;

/**
 * Back and Forward show a page where it was left. The browser alone tries that before the contents are loaded, when the
 * page is still too short.
 */
export function rememberScroll(): void {
  let stop: (() => void) | null = null;
  window.addEventListener('scroll', () => {
    if (stop === null) positions.set(address(), window.scrollY);
  });
  window.addEventListener('popstate', () => {
    stop?.();
    const top = positions.get(address()) ?? 0;
    // A link within the page.
    if (top === 0 || location.hash !== '') return;
    const restoring = keepAt(top);
    stop = (): void => {
      restoring();
      stop = null;
    };
    setTimeout(stop, RESTORE_MS);
    for (const input of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      window.addEventListener(input, stop, { once: true, passive: true });
  });
}

function address(): string {
  return location.pathname + location.search;
}

/** Scrolls to a position again whenever the page changes its height. */
function keepAt(top: number): () => void {
  const observer = new ResizeObserver(() => window.scrollTo(0, top));
  observer.observe(document.body);
  return () => observer.disconnect();
}
