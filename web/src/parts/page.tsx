import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface HeadingProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame of a page: title, lead, actions and content. `isWide` uses the whole width, for maps and wide tables. */
export function Page(
  props: HeadingProps & {
    readonly isWide?: boolean;
    /** The title of the browser's tab, if it is not the page's. */
    readonly tabTitle?: string;
    /** Above the title. */
    readonly before?: ComponentChildren;
  },
) {
  const { title, tabTitle = title, before, lead, actions, isWide, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${tabTitle} · Plumbline`;
  }, [tabTitle]);
  useEffect(() => {
    // After a link within the console, screen readers announce the new page; at the first load the browser does.
    if (document.activeElement !== document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <article class={isWide ? 'page wide' : 'page'}>
      {before}
      <header class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <div class="lead">{lead}</div>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      {children}
    </article>
  );
}

/** `anchor`: the id of a section that a link or button goes to. */
export function Section(props: HeadingProps & { readonly anchor?: string }) {
  const { title, lead, actions, anchor, children } = props;
  const id = useId();
  return (
    <section class="section" id={anchor} aria-labelledby={id}>
      <header class="section-head">
        <div>
          <h2 id={id} tabIndex={anchor ? -1 : undefined}>
            {title}
          </h2>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** Links to the sections of a long page. */
export function SectionLinks(props: {
  readonly sections: readonly (readonly [anchor: string, title: string])[];
}) {
  return (
    <nav class="section-links" aria-label="Sections of this page">
      {props.sections.map(([anchor, title]) => (
        <a key={anchor} href={`#${anchor}`}>
          {title}
        </a>
      ))}
    </nav>
  );
}

/** Looks like a link, but leaves the page's address alone: a change of it asks about unsaved changes. */
export function GoToSection({ anchor, children }: { readonly anchor: string; readonly children: string }) {
  const go = (): void => {
    const target = document.getElementById(anchor);
    const title = target?.querySelector('h2');
    target?.scrollIntoView({ behavior: 'smooth', block: title ? 'start' : 'center' });
    (title ?? target)?.focus({ preventScroll: true });
  };
  return (
    <button type="button" class="link" onClick={go}>
      {children}
    </button>
  );
}

/** Large figures, each with its label. */
export function Figures(props: {
  readonly figures: readonly {
    readonly label: string;
    readonly value: ComponentChildren;
    readonly note?: ComponentChildren;
  }[];
  /** `figures` are cards; `value-facts` are small, in columns; `place-facts` are small, in a column. */
  readonly look?: 'figures' | 'value-facts' | 'place-facts';
}) {
  return (
    <dl class={props.look ?? 'figures'}>
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

/** Facts by label, one per line. Facts that are null or false are left out. */
export function Facts(props: {
  readonly facts: readonly (readonly [label: string, value: ComponentChildren])[];
  readonly class?: string;
}) {
  return (
    <dl class={`facts ${props.class ?? ''}`}>
      {props.facts.map(
        ([label, value]) =>
          value !== null &&
          value !== false && (
            <>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </>
          ),
      )}
    </dl>
  );
}
