import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { KINDS, whereText, type Kind, type Where } from './asked.ts';

const LABELS = { home: 'A home', rent: 'Rent', building: 'A building of units' } as const satisfies Record<
  Kind,
  string
>;

/** What is to be valued, and where. */
export function PlaceForm(props: {
  readonly kind: Kind;
  readonly where: Where | null;
  readonly onKind: (kind: Kind) => void;
  readonly onWhere: (where: Where) => void;
}) {
  const { kind, where, onKind, onWhere } = props;
  const said = where === null ? '' : whereText(where);
  const [text, setText] = useState(said);
  useEffect(() => setText(said), [said]);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== '') onWhere({ address: text.trim() });
  };
  return (
    <div class="place-form">
      <div class="segments kinds" role="radiogroup" aria-label="What to value">
        {KINDS.map((one) => (
          <label key={one}>
            <input type="radio" name="kind" checked={one === kind} onChange={() => onKind(one)} />
            <span>{LABELS[one]}</span>
          </label>
        ))}
      </div>
      <form class="address-form" onSubmit={submit} role="search">
        <TextField
          label="Address"
          value={text}
          onInput={setText}
          placeholder="1 Main St"
          autoComplete="off"
        />
        <Button type="submit" kind="primary">
          Value
        </Button>
      </form>
    </div>
  );
}
