import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

/** Tabs; arrow keys move between them. */
export function Tabs(props: {
  readonly label: string;
  readonly tabs: readonly {
    readonly name: string;
    readonly label: string;
    readonly content: () => ComponentChildren;
  }[];
}) {
  const { label, tabs } = props;
  const [chosen, setChosen] = useState(tabs[0]?.name);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find(({ name }) => name === chosen) ?? tabs[0];
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ name }) => name === current?.name);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + tabs.length) % tabs.length;
    setChosen(tabs[index]?.name);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return (
    <div>
      <div class="tabs" role="tablist" aria-label={label} ref={list}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab.name === current?.name}
            aria-controls={`${id}-panel`}
            tabIndex={tab.name === current?.name ? 0 : -1}
            onClick={() => setChosen(tab.name)}
            onKeyDown={onKeyDown}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current?.name}`}>
        {current?.content()}
      </div>
    </div>
  );
}
