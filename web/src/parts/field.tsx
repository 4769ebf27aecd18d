import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

interface Described {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with it, as a sentence. */
  readonly error?: string | null;
}

type InputType = 'text' | 'password' | 'date' | 'search';

/** A line of text with its label, a hint and what is wrong with it. */
export function TextField(
  props: Described & {
    readonly value: string;
    readonly onInput: (value: string) => void;
    readonly type?: InputType;
    readonly name?: string;
    readonly autoComplete?: string;
    readonly isRequired?: boolean;
    readonly placeholder?: string;
    readonly min?: string;
    readonly max?: string;
    readonly maxLength?: number;
    readonly inputMode?: InputHTMLAttributes['inputMode'];
    readonly isAutoFocused?: boolean;
  },
) {
  const { value, onInput, type = 'text', isRequired, isAutoFocused, ...rest } = props;
  const { label, hint, error, ...input } = rest;
  return (
    <Labeled label={label} hint={hint} error={error}>
      {(described) => {
        const shared = {
          ...described,
          ...input,
          class: 'input',
          value,
          required: isRequired,
          spellcheck: false,
          autoFocus: isAutoFocused,
          onInput: (event: InputEvent & { readonly currentTarget: HTMLInputElement }) =>
            onInput(event.currentTarget.value),
        };
        if (type === 'password') return <input {...shared} type="password" />;
        if (type === 'date') return <input {...shared} type="date" />;
        return type === 'search' ? <input {...shared} type="search" /> : <input {...shared} type="text" />;
      }}
    </Labeled>
  );
}

/** A number, or null while nothing is typed. */
export function NumberField(
  props: Described & {
    readonly value: number | null;
    readonly onInput: (value: number | null) => void;
    readonly min?: number;
    readonly max?: number;
    readonly step?: number | 'any';
    /** Said after the field: "sq ft". */
    readonly unit?: string;
    readonly placeholder?: string;
  },
) {
  const { value, onInput, unit, label, hint, error, ...input } = props;
  return (
    <Labeled label={label} hint={hint} error={error}>
      {(described) => (
        <span class="with-unit">
          <input
            {...described}
            {...input}
            class="input"
            type="number"
            inputMode="decimal"
            value={value ?? ''}
            onInput={({ currentTarget: { valueAsNumber } }) =>
              onInput(Number.isNaN(valueAsNumber) ? null : valueAsNumber)
            }
          />
          {unit && <span class="quiet small nowrap">{unit}</span>}
        </span>
      )}
    </Labeled>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function SelectField(
  props: Described & {
    readonly value: string;
    readonly choices: readonly Choice[];
    readonly onInput: (value: string) => void;
  },
) {
  const { value, choices, onInput, label, hint, error } = props;
  return (
    <Labeled label={label} hint={hint} error={error}>
      {(described) => (
        <select
          {...described}
          class="input"
          value={value}
          onChange={(event) => onInput(event.currentTarget.value)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Labeled>
  );
}

export function Checkbox(props: {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isChecked: boolean) => void;
}) {
  const { label, hint, isChecked, isDisabled, onChange } = props;
  const id = useId();
  return (
    <div class="checkbox">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        <label for={id}>{label}</label>
        {hint && (
          <span class="hint" id={`${id}-hint`}>
            {hint}
          </span>
        )}
      </span>
    </div>
  );
}

interface Description {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

/** Label, hint and error around a control of any kind, joined to it for those who hear the page. */
export function Labeled(
  props: Described & { readonly children: (described: Description) => ComponentChildren },
) {
  const { label, hint, error, children } = props;
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-wrong` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? 'true' : undefined,
      })}
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
