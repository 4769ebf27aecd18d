import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Labeled } from './field.tsx';
import { nextOption } from './next-option.ts';

/**
 * A text with suggestions: a combobox with a list (ARIA APG). Arrows move, Enter selects, Escape closes. Enter on
 * typed text submits the text, or the form around it if there is no `onSubmit`.
 */
export function Combobox<Option>(props: {
  readonly label: string;
  readonly class?: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  /** What is wrong with it, as a sentence. */
  readonly error?: string | null;
  /** The accessible name of the list. */
  readonly listLabel: string;
  readonly text: string;
  readonly isOpen: boolean;
  readonly options: readonly Option[];
  readonly keyOf: (option: Option) => string;
  readonly shownAs: (option: Option) => ComponentChildren;
  readonly input?: RefObject<HTMLInputElement | null>;
  readonly onText: (text: string) => void;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onChoose: (option: Option) => void;
  readonly onSubmit?: (text: string) => void;
  /** What screen readers announce about the list. */
  readonly children: ComponentChildren;
}) {
  const { text, isOpen, options, keyOf, shownAs, input, onText, onOpen, onChoose, onSubmit } = props;
  const [active, setActive] = useState(-1);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => setActive(-1), [options]);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      onOpen(false);
    } else if (event.key === 'Enter') {
      const chosen = active >= 0 ? options.at(active) : undefined;
      if (chosen !== undefined || onSubmit) event.preventDefault();
      if (chosen !== undefined) onChoose(chosen);
      else if (onSubmit) onSubmit(text);
      else onOpen(false);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      onOpen(true);
      setActive(nextOption(active, options.length, event.key === 'ArrowDown' ? 1 : -1));
    }
  };
  return (
    <Labeled label={props.label} error={props.error} class={`combobox ${props.class ?? ''}`}>
      {({ id, ...described }) => (
        <>
          <input
            {...described}
            id={id}
            ref={input}
            class="input"
            type="text"
            role="combobox"
            autocomplete="off"
            spellcheck={false}
            maxLength={200}
            placeholder={props.placeholder}
            required={props.isRequired}
            value={text}
            aria-expanded={options.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
            onInput={(event) => {
              onOpen(true);
              // A suggestion for an earlier text must not be submitted.
              setActive(-1);
              onText(event.currentTarget.value);
            }}
            onKeyDown={onKeyDown}
            onBlur={() => onOpen(false)}
          />
          <ul
            id={`${id}-list`}
            role="listbox"
            aria-label={props.listLabel}
            class="suggestions"
            hidden={options.length === 0}
            ref={list}
          >
            {options.map((option, i) => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input handles the keys
              <li
                key={keyOf(option)}
                id={`${id}-${i}`}
                role="option"
                aria-selected={i === active}
                // Keeps the focus in the input: losing it would close the list before the click.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(option)}
              >
                {shownAs(option)}
              </li>
            ))}
          </ul>
          {props.children}
        </>
      )}
    </Labeled>
  );
}
