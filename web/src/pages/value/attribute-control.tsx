import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { ValuationInput } from '../../api/valuations.ts';
import { valueOf, type FieldValue } from './asked.ts';
import { wordOf, type FieldOf } from './fields.ts';
import { formatCount } from '../../parts/format.ts';

export interface AttributeControlProps {
  readonly field: FieldOf;
  /** What the person said; null = nothing, which is always possible. */
  readonly said: FieldValue | null;
  /** What the value was computed with, and where it came from. */
  readonly used: ValuationInput | null;
  readonly source: string;
  readonly cost?: ComponentChildren;
  readonly onChange: (value: FieldValue | null) => void;
}

/** One attribute: what is used now, where it comes from, a way to say otherwise and to take that back. */
export function AttributeControl(props: AttributeControlProps) {
  const { field, said, source, cost, onChange } = props;
  const id = useId();
  return (
    <div class={namesOf(field, said)} data-field={field.name}>
      <div class="attribute-head">
        <label id={`${id}-label`} for={field.control.kind === 'yes-no' ? undefined : id}>
          {field.label}
        </label>
        <span class="attribute-source" id={`${id}-source`}>
          {source}
          {said !== null && (
            <button
              type="button"
              class="link"
              aria-label={`Reset ${field.label}`}
              onClick={() => onChange(null)}
            >
              Reset
            </button>
          )}
        </span>
      </div>
      <Control {...props} id={id} />
      {cost}
    </div>
  );
}

function namesOf({ control }: FieldOf, said: FieldValue | null): string {
  const isShort = control.kind === 'number' && !control.slides;
  return ['attribute', isShort ? 'short' : '', said === null ? '' : 'said'].filter(Boolean).join(' ');
}

function Control(props: AttributeControlProps & { readonly id: string }) {
  const { field, id } = props;
  if (field.control.kind === 'yes-no') return <YesNo {...props} />;
  if (field.control.kind === 'number') return <NumberControl {...props} />;
  const { said, used, onChange } = props;
  const usual = used?.value ?? null;
  return (
    <select
      id={id}
      class="input"
      aria-describedby={`${id}-source`}
      value={said === null ? '' : String(said)}
      onChange={(event) => onChange(valueOf(field, event.currentTarget.value))}
    >
      <option value="">{usual === null ? 'Unknown' : `Unknown: ${wordOf(field.name, usual)}`}</option>
      {field.control.choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** A number that is sent once it is one: half of what is typed is no year yet. Amounts are dragged as well. */
function NumberControl({ field, id, said, used, onChange }: AttributeControlProps & { readonly id: string }) {
  const [draft, setDraft] = useState(said === null ? '' : String(said));
  useEffect(() => setDraft(said === null ? '' : String(said)), [said]);
  const { control } = field;
  if (control.kind !== 'number') return null;
  const read = valueOf(field, draft);
  const isWrong = draft !== '' && read === null;
  const usual = typeof used?.value === 'number' ? used.value : null;
  const type = (text: string): void => {
    setDraft(text);
    const value = valueOf(field, text);
    if (value !== null || text === '') onChange(value);
  };
  const shown = typeof said === 'number' ? said : usual;
  return (
    <div class="number-control">
      <span class="with-unit">
        <input
          id={id}
          class="input"
          type="number"
          inputMode="decimal"
          min={control.min}
          max={control.max}
          step={control.step >= 1 ? 1 : control.step}
          value={draft}
          placeholder={usual === null ? 'unknown' : wordOf(field.name, usual).replace(/ sq ft$/, '')}
          aria-invalid={isWrong ? 'true' : undefined}
          aria-describedby={isWrong ? `${id}-wrong` : `${id}-source`}
          onInput={(event) => type(event.currentTarget.value)}
        />
        {control.unit && <span class="quiet small nowrap">{control.unit}</span>}
      </span>
      {control.slides && shown !== null && (
        <Slide
          field={field}
          shown={shown}
          usual={usual ?? shown}
          step={control.step}
          onInput={(value) => type(String(value))}
        />
      )}
      {isWrong && (
        <span class="wrong" id={`${id}-wrong`}>
          {formatCount(control.min)} to {formatCount(control.max)}
          {control.step >= 1 ? ', whole' : ''}
        </span>
      )}
    </div>
  );
}

/** From half to double of what is usual; of years, half a century either way. */
function Slide(props: {
  readonly field: FieldOf;
  readonly shown: number;
  readonly usual: number;
  readonly step: number;
  readonly onInput: (value: number) => void;
}) {
  const { field, shown, usual, step, onInput } = props;
  // The ends stay where they are while it is dragged: `usual` becomes what was said.
  const [ends, setEnds] = useState(() => endsOf(field, usual, step));
  const isOutside = shown < ends.from || shown > ends.to;
  useEffect(() => {
    if (isOutside) setEnds(endsOf(field, shown, step));
  }, [isOutside, field, shown, step]);
  return (
    <input
      type="range"
      class="slide"
      aria-label={`${field.label}, dragged`}
      min={ends.from}
      max={ends.to}
      step={step}
      value={shown}
      onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
    />
  );
}

function endsOf(
  { name }: FieldOf,
  around: number,
  step: number,
): { readonly from: number; readonly to: number } {
  if (name === 'year_built') return { from: Math.max(1800, around - 50), to: Math.min(2030, around + 50) };
  const whole = (value: number): number => Math.round(value / step) * step;
  return { from: whole(around / 2), to: whole(around * 2) };
}

const YES_NO = [
  { value: true, label: 'Yes' },
  { value: false, label: 'No' },
  { value: null, label: 'Unknown' },
] as const;

function YesNo({ field, id, said, onChange }: AttributeControlProps & { readonly id: string }) {
  return (
    <div class="segments" role="radiogroup" aria-labelledby={`${id}-label`} aria-describedby={`${id}-source`}>
      {YES_NO.map(({ value, label }) => (
        <label key={label}>
          <input
            type="radio"
            name={`${id}-${field.name}`}
            checked={said === value}
            onChange={() => onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}
