import type { PlotOptions } from '@observablehq/plot';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Waiting } from './basics.tsx';

type PlotModule = typeof import('@observablehq/plot');

/** A plot is redrawn for every width. Its colors are variables of the theme: `fill: 'var(--series-1)'`. */
export type PlotOf = (Plot: PlotModule, width: number) => PlotOptions;

interface LegendEntry {
  readonly label: string;
  readonly color: string;
}

export function Legend({ entries }: { readonly entries: readonly LegendEntry[] }) {
  return (
    <ul class="legend">
      {entries.map(({ label, color }) => (
        <li key={label}>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect width="10" height="10" rx="2" fill={color} />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}

/**
 * A plot with a label and the same figures as a table. The library is loaded with the first plot. A change of
 * `inputs` redraws it.
 */
export function PlotFigure(props: {
  /** What it shows, as a sentence above it and for screen readers. */
  readonly label: string;
  readonly plot: PlotOf;
  readonly inputs: readonly unknown[];
  /** Called with the row of data that the pointer selects, on a click. */
  readonly onSelect?: (row: unknown) => void;
  /** The same figures as a table. */
  readonly table?: () => ComponentChildren;
  readonly isLabelHidden?: boolean;
  /** The colors. The content security policy blocks the library's own legends. */
  readonly legend?: readonly LegendEntry[];
}) {
  const { label, plot, inputs, onSelect, table, isLabelHidden, legend } = props;
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
    // The content security policy allows styles only in files; styles/parts.css has the same rules.
    for (const sheet of drawn.querySelectorAll('style')) sheet.remove();
    // The plot is one image with one name. ARIA does not allow names on parts without a role.
    for (const part of drawn.querySelectorAll('[aria-label], [aria-description]')) {
      part.removeAttribute('aria-label');
      part.removeAttribute('aria-description');
    }
    drawn.setAttribute('role', 'img');
    drawn.setAttribute('aria-label', label);
    if (onSelect) drawn.addEventListener('click', () => onSelect(drawn.value));
    frame.current.replaceChildren(drawn);
    // oxlint-disable-next-line react/exhaustive-deps -- the caller lists what `plot` uses
  }, [Plot, width, label, ...inputs]);
  if (error) throw error;
  return (
    <figure class="plot">
      <figcaption class={isLabelHidden ? 'visually-hidden' : undefined}>{label}</figcaption>
      {legend && <Legend entries={legend} />}
      <div ref={frame} />
      {!Plot && <Waiting for="Drawing" />}
      {table && (
        <details>
          <summary>Show as a table</summary>
          {table()}
        </details>
      )}
    </figure>
  );
}
