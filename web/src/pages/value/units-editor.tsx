import { useId, useState } from 'preact/hooks';
import { Button } from '../../parts/basics.tsx';
import { formatCount } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { MAX_UNITS, type Unit } from './value-request.ts';

const NEW_UNIT: Unit = { bedrooms: 2, bathrooms: 1, size: null, is_furnished: false };

const NUMBERS = [
  { name: 'bedrooms', label: 'Beds', max: 10, step: 1 },
  { name: 'bathrooms', label: 'Baths', max: 10, step: 0.5 },
  { name: 'size', label: 'Sq ft', max: 100_000, step: 1 },
] as const;

/** The rental units, one row each. */
export function UnitsEditor(props: {
  readonly units: readonly Unit[];
  /** Whether the units are an assumption of the page, not entered. */
  readonly isAssumed: boolean;
  readonly onChange: (units: readonly Unit[]) => void;
}) {
  const { units, isAssumed, onChange } = props;
  return (
    <Section
      title="Rental units"
      lead={
        isAssumed
          ? 'Assumed from public records. Change them if they are wrong.'
          : 'Each unit is valued separately. The range of the total allows for shared errors.'
      }
    >
      <div class="stack">
        {units.map((unit, i) => (
          <UnitRow
            // oxlint-disable-next-line react/no-array-index-key -- units have no other name
            key={i}
            unit={unit}
            number={i + 1}
            onChange={(changed) => onChange(units.with(i, changed))}
            onRemove={units.length > 1 ? () => onChange(units.toSpliced(i, 1)) : null}
          />
        ))}
      </div>
      <div class="row">
        <Button
          isSmall
          isDisabled={units.length >= MAX_UNITS}
          onClick={() => onChange([...units, units.at(-1) ?? NEW_UNIT])}
        >
          Add a unit
        </Button>
        {units.length >= MAX_UNITS && (
          <span class="small quiet">At most {MAX_UNITS} here; the API accepts 1,000.</span>
        )}
      </div>
    </Section>
  );
}

function UnitRow(props: {
  readonly unit: Unit;
  readonly number: number;
  readonly onChange: (unit: Unit) => void;
  readonly onRemove: (() => void) | null;
}) {
  const { unit, number, onChange, onRemove } = props;
  return (
    <fieldset class="unit">
      <legend class="small">Unit {number}</legend>
      {NUMBERS.map(({ name, label, max, step }) => (
        <UnitNumber
          key={name}
          label={label}
          max={max}
          step={step}
          isRequired={name !== 'size'}
          value={unit[name]}
          onChange={(value) => onChange({ ...unit, [name]: value })}
        />
      ))}
      <label class="unit-furnished small">
        <input
          type="checkbox"
          checked={unit.is_furnished}
          onChange={(event) => onChange({ ...unit, is_furnished: event.currentTarget.checked })}
        />{' '}
        furnished
      </label>
      {onRemove && (
        <Button isSmall label={`Remove unit ${number}`} onClick={onRemove}>
          Remove
        </Button>
      )}
    </fieldset>
  );
}

/** A number is used when it is possible. An impossible one stays with what is allowed. */
function UnitNumber(props: {
  readonly label: string;
  readonly max: number;
  readonly step: number;
  readonly isRequired: boolean;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}) {
  const { label, max, step, isRequired, value, onChange } = props;
  const id = useId();
  // The text while the user types; null = the value in use.
  const [draft, setDraft] = useState<string | null>(null);
  // A unit may have no bedroom, but not no area.
  const min = isRequired ? 0 : 1;
  const isPossible = (typed: string): boolean =>
    typed === ''
      ? !isRequired
      : Number(typed) >= min && Number(typed) <= max && Number.isInteger(Number(typed) / step);
  const isWrong = draft !== null && !isPossible(draft);
  return (
    <label class="small">
      {label}
      <input
        class="input"
        type="number"
        inputMode="decimal"
        min={min}
        max={max}
        step={step}
        value={draft ?? value ?? ''}
        placeholder="—"
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={isWrong ? id : undefined}
        onInput={({ currentTarget: { value: typed } }) => {
          setDraft(typed);
          if (isPossible(typed)) onChange(typed === '' ? null : Number(typed));
        }}
        onBlur={() => !isWrong && setDraft(null)}
      />
      {isWrong && (
        <span class="wrong" id={id} role="alert">
          {formatCount(min)} to {formatCount(max)}
          {step < 1 ? ', halves allowed' : ', whole'}
        </span>
      )}
    </label>
  );
}
