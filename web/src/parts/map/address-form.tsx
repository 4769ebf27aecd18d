import { useEffect, useRef, useState } from 'preact/hooks';
import { completeAddress } from '../../api/places.ts';
import { useRequest, type Loaded } from '../../api/use-request.ts';
import { Button } from '../basics.tsx';
import { Labeled } from '../field.tsx';
import { nextOption, parseLocation, locationText, type Place } from './location.ts';
import './address-form.css';

/** Suggestions appear after this pause in typing. The letters of a fast typist are 100 ms apart. */
const PAUSE_MS = 150;
/** Shorter texts match too much. */
const LENGTH_MIN = 3;

type Suggestions = Awaited<ReturnType<typeof completeAddress>>;

/**
 * An address or coordinates, with suggestions from the loaded addresses. The field is a combobox with a list
 * (ARIA APG): arrows move, Enter selects, Escape closes. Enter on typed text submits the text, because an
 * address that is not loaded may still be located by its street.
 */
export function AddressForm(props: {
  readonly where: Place | null;
  readonly action: string;
  readonly onWhere: (where: Place) => void;
}) {
  const { where, action, onWhere } = props;
  const current = where === null ? '' : locationText(where);
  const [text, setText] = useState(current);
  useEffect(() => setText(current), [current]);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const query = isOpen ? text.trim() : '';
  const suggestions = useRequest<Suggestions>(
    async (signal) => (query.length < LENGTH_MIN ? [] : completeAddress(query, signal)),
    [query],
    PAUSE_MS,
  );
  const found = query.length < LENGTH_MIN ? [] : (suggestions.data ?? []);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => setActive(-1), [suggestions.data]);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);

  const submit = (typed: string): void => {
    setOpen(false);
    setText(typed);
    const chosen = parseLocation(typed);
    if (chosen) onWhere(chosen);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      submit(found[active]?.address ?? text);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      setActive(nextOption(active, found.length, event.key === 'ArrowDown' ? 1 : -1));
    }
  };
  return (
    <form
      class="address-form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        submit(text);
      }}
    >
      <Labeled label="Address or coordinates" class="address-field">
        {({ id, ...described }) => (
          <>
            <input
              {...described}
              id={id}
              class="input"
              type="text"
              role="combobox"
              autocomplete="off"
              spellcheck={false}
              maxLength={200}
              placeholder="1 Main St, or 43.05, -87.9"
              value={text}
              aria-expanded={found.length > 0}
              aria-controls={`${id}-list`}
              aria-autocomplete="list"
              aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
              onInput={(event) => {
                setOpen(true);
                // A suggestion for an earlier text must not be submitted.
                setActive(-1);
                setText(event.currentTarget.value);
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
              {found.map(({ address, latitude, longitude }, i) => (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input handles the keys
                <li
                  key={`${address} ${latitude} ${longitude}`}
                  id={`${id}-${i}`}
                  role="option"
                  aria-selected={i === active}
                  // Keeps the focus in the input: losing it would close the list before the click.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => submit(address)}
                >
                  {address}
                </li>
              ))}
            </ul>
            <Announcement query={query} suggestions={suggestions} />
          </>
        )}
      </Labeled>
      <Button type="submit" kind="primary" isDisabled={text.trim() === ''}>
        {action}
      </Button>
    </form>
  );
}

/** Screen readers announce the number of suggestions. Everybody sees that there are none, and why. */
function Announcement(props: { readonly query: string; readonly suggestions: Loaded<Suggestions> }) {
  const { query, suggestions } = props;
  const { data, problem, isLoading } = suggestions;
  const count = data?.length ?? 0;
  const isWord = query.length >= LENGTH_MIN && /[a-z]{2}/i.test(query);
  return (
    <span class="small quiet suggestion-note" role="status">
      {query !== '' && problem !== null && `No suggestions: ${problem.message}`}
      {query.length >= LENGTH_MIN && count > 0 && (
        <span class="visually-hidden">{`${count} ${count === 1 ? 'address' : 'addresses'} below`}</span>
      )}
      {isWord && !isLoading && data?.length === 0 && 'No loaded address starts like this.'}
    </span>
  );
}
