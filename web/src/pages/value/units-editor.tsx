import { Button } from '../../parts/button.tsx';
import { Section } from '../../parts/page.tsx';
import { UNITS_MAX, type Unit } from './asked.ts';

const NEW_UNIT: Unit = { bedrooms: 2, bathrooms: 1, size: null, is_furnished: false };

/** The dwellings to let, one row each. */
export function UnitsEditor(props: {
  readonly units: readonly Unit[];
  /** What the page assumes until somebody says. */
  readonly isAssumed: boolean;
  readonly onChange: (units: readonly Unit[]) => void;
}) {
  const { units, isAssumed, onChange } = props;
  const set = (at: number, unit: Unit): void => onChange(units.map((one, i) => (i === at ? unit : one)));
  return (
    <Section
      title="Units to let"
      lead={
        isAssumed
          ? 'Assumed from what is recorded: say otherwise.'
          : 'Each is valued alone; the range of their sum allows for errors that they share.'
      }
    >
      <div class="units">
        {units.map((unit, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- units have no name but their place
          <fieldset key={i} class="unit">
            <legend class="small">Unit {i + 1}</legend>
            <UnitNumber
              label="Beds"
              value={unit.bedrooms}
              max={10}
              step={1}
              onInput={(bedrooms) => set(i, { ...unit, bedrooms: bedrooms ?? 0 })}
            />
            <UnitNumber
              label="Baths"
              value={unit.bathrooms}
              max={10}
              step={0.5}
              onInput={(bathrooms) => set(i, { ...unit, bathrooms: bathrooms ?? 0 })}
            />
            <UnitNumber
              label="Sq ft"
              value={unit.size}
              max={100_000}
              step={1}
              onInput={(size) => set(i, { ...unit, size: size || null })}
            />
            <label class="unit-furnished small">
              <input
                type="checkbox"
                checked={unit.is_furnished}
                onChange={(event) => set(i, { ...unit, is_furnished: event.currentTarget.checked })}
              />{' '}
              furnished
            </label>
            {units.length > 1 && (
              <Button
                isSmall
                label={`Remove unit ${i + 1}`}
                onClick={() => onChange(units.filter((_, other) => other !== i))}
              >
                Remove
              </Button>
            )}
          </fieldset>
        ))}
      </div>
      <div class="row">
        <Button
          isSmall
          isDisabled={units.length >= UNITS_MAX}
          onClick={() => onChange([...units, units.at(-1) ?? NEW_UNIT])}
        >
          Add a unit
        </Button>
        {units.length >= UNITS_MAX && (
          <span class="small quiet">{UNITS_MAX} at most here; the API takes 1,000.</span>
        )}
      </div>
    </Section>
  );
}

function UnitNumber(props: {
  readonly label: string;
  readonly value: number | null;
  readonly max: number;
  readonly step: number;
  readonly onInput: (value: number | null) => void;
}) {
  const { label, value, max, step, onInput } = props;
  return (
    <label class="unit-number small">
      {label}
      <input
        class="input"
        type="number"
        inputMode="decimal"
        min={0}
        max={max}
        step={step}
        value={value ?? ''}
        placeholder="—"
        onInput={({ currentTarget: { valueAsNumber: typed } }) => {
          if (Number.isNaN(typed)) onInput(null);
          else if (typed >= 0 && typed <= max) onInput(typed);
        }}
      />
    </label>
  );
}
