import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { AddressField } from '../../parts/map/address-field.tsx';
import { whereOf, whereText, type Where } from '../../parts/map/where.ts';
import { KINDS, type Kind } from './asked.ts';

const LABELS = { home: 'Home value', rent: 'Rent', building: 'Multifamily' } as const satisfies Record<
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
  const take = (typed: string): void => {
    const chosen = whereOf(typed);
    if (chosen) onWhere(chosen);
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
      <div class="address-form">
        <AddressField
          label="Address"
          value={text}
          placeholder="1 Main St"
          onInput={setText}
          onChoose={take}
        />
        <Button
          kind="primary"
          isDisabled={text.trim() === ''}
          onClick={() => onWhere({ address: text.trim() })}
        >
          Value
        </Button>
      </div>
    </div>
  );
}
