import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** The frame of a page: its title in the tab and on top, what it is for, what can be done, and the rest below. */
export function Page(props: {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Uses the whole width: maps and wide tables. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}) {
  const { title, lead, actions, isWide, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Plumbline`;
  }, [title]);
  useEffect(() => {
    // After a link within the console, readers of the screen hear where they are; at the first load the browser says so.
    if (document.activeElement !== document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <article class={isWide ? 'page wide' : 'page'}>
      <header class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      {children}
    </article>
  );
}

export function Section(props: {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      <header class="section-head">
        <div>
          <h2 id={id}>{props.title}</h2>
          {props.lead && <p class="lead">{props.lead}</p>}
        </div>
        {props.actions && <div class="row">{props.actions}</div>}
      </header>
      {props.children}
    </section>
  );
}

/** Figures that a page begins with: large, each with what it counts. */
export function Figures(props: {
  readonly figures: readonly {
    readonly label: string;
    readonly value: ComponentChildren;
    readonly note?: ComponentChildren;
  }[];
}) {
  return (
    <dl class="figures">
      {props.figures.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          {note && <dd class="note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
