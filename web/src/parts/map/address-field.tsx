import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { completeAddress, type LoadedAddress } from '../../api/addresses.ts';
import { asProblem } from '../../api/request.ts';
import { nextActive } from './next-active.ts';
import './address-field.css';

/** How long somebody pauses before they are helped: a fast typist's letters are 100 ms apart. */
const PAUSE_MS = 150;
/** A house number alone, or one letter, begins too much. */
const LEAST_TYPED = 3;
const LONGEST = 200;

/**
 * A line for an address that is completed from what is loaded. A combobox with a list (ARIA APG): arrows choose, Enter takes,
 * Escape closes. Enter on a text of one's own takes that: it may still be placed by its street.
 */
export function AddressField(props: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  /** One of the suggestions was taken, or a text by Enter (then without its place). */
  readonly onChoose: (address: string, loaded: LoadedAddress | null) => void;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
  readonly placeholder?: string;
  readonly isAutoFocused?: boolean;
}) {
  const { label, value, onInput, onChoose, hint, error, placeholder, isAutoFocused } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const asked = useSuggestions(isOpen ? value.trim() : '');
  const found = isOpen ? (asked?.addresses ?? []) : [];
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => setActive(-1), [asked]);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);

  const take = (text: string, loaded: LoadedAddress | null): void => {
    setOpen(false);
    onInput(text);
    onChoose(text, loaded);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = found[active];
      if (chosen) take(chosen.address, chosen);
      else if (value.trim() !== '') take(value.trim(), null);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      setActive(nextActive(active, found.length, event.key === 'ArrowDown' ? 1 : -1));
    }
  };
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-wrong` : ''].filter(Boolean).join(' ');
  const said = isOpen ? saidOf(value.trim(), asked) : null;
  return (
    <div class="field address-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        maxLength={LONGEST}
        placeholder={placeholder}
        autoFocus={isAutoFocused}
        value={value}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        aria-describedby={describedBy || undefined}
        aria-invalid={error ? 'true' : undefined}
        onInput={(event) => {
          setOpen(true);
          onInput(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label="Addresses"
        class="suggestions"
        hidden={found.length === 0}
        ref={list}
      >
        {found.map((address, i) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the input's
          <li
            key={`${address.address} ${address.latitude} ${address.longitude}`}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === active}
            // Before the input loses the focus, and the list with it.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(address.address, address)}
          >
            {address.address}
          </li>
        ))}
      </ul>
      <span class="small quiet suggestion-note" role="status">
        {said}
      </span>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span class="wrong" id={`${id}-wrong`}>
          {error}
        </span>
      )}
    </div>
  );
}

interface Suggested {
  readonly query: string;
  readonly addresses: readonly LoadedAddress[];
  readonly trouble: string | null;
}

/** What was found for the text of a moment ago; the earlier list stays until there is another. */
function useSuggestions(query: string): Suggested | null {
  const [suggested, setSuggested] = useState<Suggested | null>(null);
  useEffect(() => {
    if (query.length < LEAST_TYPED) {
      setSuggested(null);
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      completeAddress(query, abort.signal).then(
        (addresses) => setSuggested({ query, addresses, trouble: null }),
        (error: unknown) => {
          if (!abort.signal.aborted)
            setSuggested({ query, addresses: [], trouble: asProblem(error).message });
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query]);
  return suggested;
}

/** What is said of the list to those who do not see it, and of its absence to everybody. */
function saidOf(query: string, asked: Suggested | null): ComponentChildren {
  if (asked === null || query.length < LEAST_TYPED) return null;
  if (asked.trouble !== null) return `No suggestions: ${asked.trouble}`;
  const { length } = asked.addresses;
  if (length > 0)
    return <span class="unseen">{`${length} ${length === 1 ? 'address' : 'addresses'} below`}</span>;
  return /[a-z]{2}/i.test(query) ? 'No address like this is loaded.' : null;
}
