import type { PlotOptions } from '@observablehq/plot';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Waiting } from './notice.tsx';

type PlotModule = typeof import('@observablehq/plot');

/** A plot is drawn anew for every width. Colors are those of the theme: `fill: 'var(--series-1)'` follows light and dark. */
export type PlotOf = (Plot: PlotModule, width: number) => PlotOptions;

/**
 * A picture of figures: what it shows in words, and the figures themselves as a table for whoever cannot or will not read it from
 * the picture. The library is loaded with the first plot. `inputs`: what it is drawn from.
 */
export function PlotFigure(props: {
  /** What it shows, as a sentence: seen above it, and read out. */
  readonly label: string;
  readonly plot: PlotOf;
  readonly inputs: readonly unknown[];
  /** The same figures as a table. */
  readonly table?: () => ComponentChildren;
  readonly isLabelUnseen?: boolean;
  /** What the colors mean: the library's own legends stand in markup that the page's policy refuses. */
  readonly legend?: readonly { readonly label: string; readonly color: string }[];
}) {
  const { label, plot, inputs, table, isLabelUnseen, legend } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [Plot, setPlot] = useState<PlotModule | null>(null);
  const [width, setWidth] = useState(0);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    import('@observablehq/plot').then(setPlotModule, setError);
    function setPlotModule(module: PlotModule): void {
      setPlot(() => module);
    }
  }, []);
  useEffect(() => {
    if (!frame.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!Plot || !frame.current || width === 0) return;
    const drawn = Plot.plot({ width, ...plot(Plot, width) });
    // The page's policy takes styles from files alone; styles/parts.css says the same.
    for (const sheet of drawn.querySelectorAll('style')) sheet.remove();
    // One picture with one name: what the library says of its parts is said of nothing that has a role.
    for (const part of drawn.querySelectorAll('[aria-label], [aria-description]')) {
      part.removeAttribute('aria-label');
      part.removeAttribute('aria-description');
    }
    drawn.setAttribute('role', 'img');
    drawn.setAttribute('aria-label', label);
    frame.current.replaceChildren(drawn);
    // oxlint-disable-next-line react/exhaustive-deps -- what `plot` closes over is what the caller lists
  }, [Plot, width, label, ...inputs]);
  if (error) throw error;
  return (
    <figure class="plot">
      <figcaption class={isLabelUnseen ? 'unseen' : undefined}>{label}</figcaption>
      {legend && (
        <ul class="legend">
          {legend.map((entry) => (
            <li key={entry.label}>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <rect width="10" height="10" rx="2" fill={entry.color} />
              </svg>
              {entry.label}
            </li>
          ))}
        </ul>
      )}
      <div ref={frame} />
      {!Plot && <Waiting for="Drawing" />}
      {table && (
        <details>
          <summary>The figures as a table</summary>
          {table()}
        </details>
      )}
    </figure>
  );
}
