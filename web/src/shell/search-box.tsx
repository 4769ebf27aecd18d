import { useLocation } from 'preact-iso/router';
import { useEffect, useRef, useState } from 'preact/hooks';
import { search, type SearchResult } from '../api/places.ts';
import { useRequest } from '../api/use-request.ts';
import { Combobox } from '../parts/combobox.tsx';
import { parseLocation, writeLocation } from '../parts/map/location.ts';
import { mayLeave } from '../parts/unsaved-changes.ts';

/** Suggestions appear after this pause in typing. */
const PAUSE_MS = 120;
const LENGTH_MIN = 3;
const NONE: readonly SearchResult[] = [];

/** Finds addresses, parcels, valuations and batches from every page. `/`, Ctrl-K and Cmd-K go to it. */
export default function SearchBox() {
  const { path, route } = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const query = isOpen ? text.trim() : '';
  const found = useRequest(
    async (signal) => (query.length < LENGTH_MIN ? NONE : search(query, signal)),
    [query],
    PAUSE_MS,
  );
  const results = query.length < LENGTH_MIN ? NONE : (found.data ?? NONE);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isSlash = event.key === '/' && !isTyping(event.target);
      const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isK) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  const open = (href: string): void => {
    if (!mayLeave()) return;
    setOpen(false);
    setText('');
    input.current?.blur();
    route(href);
  };
  // A place is shown on the page Place if that is open.
  const page = path.startsWith('/console/place') ? '/console/place' : '/console/value';
  return (
    <Combobox
      label="Find an address, a parcel, a saved valuation or an ID"
      placeholder="Search  ( / )"
      listLabel="Found"
      input={input}
      text={text}
      isOpen={isOpen}
      options={results}
      keyOf={({ kind, text: name, valuation_id, latitude, longitude }) =>
        `${kind} ${name} ${valuation_id} ${latitude} ${longitude}`
      }
      shownAs={({ kind, text: name, note }) => (
        <>
          {name}
          <span class="quiet small second-line">
            {KINDS[kind]}
            {note && `, ${note}`}
          </span>
        </>
      )}
      onText={setText}
      onOpen={setOpen}
      onChoose={(result) => open(hrefOf(result, page))}
      onSubmit={(typed) => {
        const where = parseLocation(typed);
        if (where) open(`${page}?${writeLocation(where)}`);
      }}
    >
      <span class="visually-hidden" role="status">
        {results.length > 0 && `${results.length} found`}
        {query.length >= LENGTH_MIN && !found.isLoading && results.length === 0 && 'Nothing found'}
      </span>
    </Combobox>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

const KINDS = {
  address: 'Address',
  parcel: 'Parcel',
  valuation: 'Valuation',
  batch: 'Batch',
  saved: 'Saved',
} as const;

function hrefOf({ kind, text, address, latitude, longitude }: SearchResult, page: string) {
  if (kind === 'batch') return `/console/batches/${text}`;
  if (kind === 'saved') return `/console/saved?${new URLSearchParams({ find: text })}`;
  if (kind === 'valuation') return `/console/value?${new URLSearchParams({ valuation: text })}`;
  if (address !== null) return `${page}?${writeLocation({ address })}`;
  return `${page}?${writeLocation({ latitude: latitude ?? 0, longitude: longitude ?? 0 })}`;
}
