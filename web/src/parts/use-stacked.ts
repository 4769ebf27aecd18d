import { useEffect, useRef, useState } from 'preact/hooks';

/** parts.css shows stacked tables at this width. */
const PHONE = 'screen and (max-width: 46rem)';

/**
 * Whether the rows of a table must be cards: on a phone, once the table was wider than its frame. Then it stays so,
 * because a card has no width to compare.
 */
export function useStacked() {
  const frame = useRef<HTMLDivElement>(null);
  const [isStacked, setStacked] = useState(false);
  useEffect(() => {
    const { current: shown } = frame;
    if (!shown || isStacked) return undefined;
    const observer = new ResizeObserver(() => {
      if (window.matchMedia(PHONE).matches && shown.scrollWidth > shown.clientWidth) setStacked(true);
    });
    // The table grows with its rows, the frame with the window.
    for (const element of [shown, ...shown.children]) observer.observe(element);
    return () => observer.disconnect();
  }, [isStacked]);
  return { frame, isStacked };
}
