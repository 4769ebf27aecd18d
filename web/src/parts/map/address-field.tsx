import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { compactParcelNumber } from '../../../../src/domain/parcel.ts';
import { completeAddress, search } from '../../api/places.ts';
import { useRequest, type Loaded } from '../../api/use-request.ts';
import { Combobox } from '../combobox.tsx';
import { locationText } from './location.ts';

/** Suggestions appear after this pause in typing. The letters of a fast typist are 100 ms apart. */
const PAUSE_MS = 150;
/** Shorter texts match too much. */
const LENGTH_MIN = 3;

interface Suggestion {
  readonly key: string;
  readonly shown: string;
  /** The text of the field if it is chosen. */
  readonly chosen: string;
}

const NONE: readonly Suggestion[] = [];

/** One word with a digit may be a parcel number. */
const PARCEL_NUMBER = /^\S*\d\S*$/;

async function suggestParcels(query: string, signal?: AbortSignal): Promise<readonly Suggestion[]> {
  if (!PARCEL_NUMBER.test(query)) return NONE;
  const results = await search(query, signal);
  return results.flatMap(({ kind, text, address, latitude, longitude }): Suggestion[] => {
    if (kind !== 'parcel' || latitude === null || longitude === null) return [];
    const shown = `Parcel ${text}${address === null ? '' : `, ${address}`}`;
    return [{ key: text, shown, chosen: address ?? locationText({ latitude, longitude }) }];
  });
}

/** The place of the parcel whose whole number is typed; the text itself if it is no number of one parcel. */
export async function placeOfText(text: string): Promise<string> {
  const typed = text.trim();
  const parcels = await suggestParcels(typed);
  const exact = parcels.filter(({ key }) => compactParcelNumber(key) === compactParcelNumber(typed));
  return exact.length === 1 ? exact[0].chosen : text;
}

/** Loaded addresses, or the homes of a parcel number: many have no address. */
async function suggestionsFor(query: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
  const [addresses, parcels] = await Promise.all([
    completeAddress(query, signal),
    suggestParcels(query, signal),
  ]);
  return [
    ...parcels,
    ...addresses.map(({ address, latitude, longitude }) => {
      return { key: `${address} ${latitude} ${longitude}`, shown: address, chosen: address };
    }),
  ];
}

type FieldProps = Pick<
  ComponentProps<typeof Combobox<Suggestion>>,
  'label' | 'placeholder' | 'isRequired' | 'error' | 'text' | 'onText'
>;

/** An address in a form, with suggestions from the loaded addresses. */
export function AddressField(props: FieldProps & { readonly onChoose: (address: string) => void }) {
  const { onChoose, ...field } = props;
  const [isOpen, setOpen] = useState(false);
  const query = isOpen ? field.text.trim() : '';
  const suggestions = useRequest<readonly Suggestion[]>(
    async (signal) => (query.length < LENGTH_MIN ? NONE : suggestionsFor(query, signal)),
    [query],
    PAUSE_MS,
  );
  return (
    <Combobox
      {...field}
      listLabel="Addresses"
      isOpen={isOpen}
      options={query.length < LENGTH_MIN ? NONE : (suggestions.data ?? NONE)}
      keyOf={({ key }) => key}
      shownAs={({ shown }) => shown}
      onOpen={setOpen}
      onChoose={({ chosen }) => {
        setOpen(false);
        onChoose(chosen);
      }}
    >
      <Announcement query={query} suggestions={suggestions} />
    </Combobox>
  );
}

/** The house number of the text if suggestions have other numbers only, which is easily overlooked. */
function missingNumber(query: string, suggestions: readonly Suggestion[]): string | null {
  const [, number] = /^(\d+)\s+\S/.exec(query) ?? [];
  if (number === undefined || suggestions.length === 0) return null;
  return suggestions.some(({ shown }) => shown.startsWith(number)) ? null : number;
}

/** Screen readers announce the number of suggestions. Everybody sees that there are none, and why. */
function Announcement(props: {
  readonly query: string;
  readonly suggestions: Loaded<readonly Suggestion[]>;
}) {
  const { query, suggestions } = props;
  const { data, problem, isLoading } = suggestions;
  const count = data?.length ?? 0;
  const missing = isLoading ? null : missingNumber(query, data ?? NONE);
  const isWord = query.length >= LENGTH_MIN && /[a-z]{2}/i.test(query);
  return (
    <span class="small quiet suggestion-note" role="status">
      {query !== '' && problem !== null && `No suggestions: ${problem.message}`}
      {query.length >= LENGTH_MIN && count > 0 && (
        <span class="visually-hidden">{`${count} ${count === 1 ? 'address' : 'addresses'} below`}</span>
      )}
      {isWord && !isLoading && data?.length === 0 && 'No loaded address starts like this.'}
      {missing !== null && `No loaded address has the number ${missing}. The nearest are listed.`}
    </span>
  );
}
