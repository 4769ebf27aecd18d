import { useEffect, useState } from 'preact/hooks';
import { Button } from '../basics.tsx';
import { AddressField, placeOfText } from './address-field.tsx';
import { parseLocation, locationText, type Place } from './location.ts';
import './address-form.css';

/**
 * An address, a parcel number or coordinates, with suggestions from the loaded addresses. Typed text can be submitted too,
 * because an address that is not loaded may still be located by its street.
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
  const submit = (typed: string): void => {
    setText(typed);
    const chosen = parseLocation(typed);
    if (chosen) onWhere(chosen);
  };
  return (
    <form
      class="address-form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        // A search that fails leaves the text, whose problem the page shows.
        void placeOfText(text).then(submit, () => submit(text));
      }}
    >
      <AddressField
        label="Address or coordinates"
        placeholder="1 Main St, a parcel number, or 43.05, -87.9"
        text={text}
        onText={setText}
        onChoose={submit}
      />
      <Button type="submit" kind="primary" isDisabled={text.trim() === ''}>
        {action}
      </Button>
    </form>
  );
}
