import type { AriaAttributes, ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

interface FieldText {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with it, as a sentence. */
  readonly error?: string | null;
}

/** A text input with its label, hint and error. */
export function TextField(
  props: FieldText &
    Pick<InputHTMLAttributes, 'name' | 'placeholder' | 'maxLength' | 'inputMode' | 'autoComplete'> & {
      readonly value: string;
      readonly onInput: (value: string) => void;
      readonly type?: 'text' | 'password' | 'date' | 'search';
      readonly isRequired?: boolean;
    },
) {
  const { label, hint, error, onInput, type = 'text', isRequired, ...input } = props;
  return (
    <Labeled label={label} hint={hint} error={error}>
      {(described) => {
        const shared = {
          ...described,
          ...input,
          class: 'input',
          required: isRequired,
          spellcheck: false,
          onInput: (event: InputEvent & { readonly currentTarget: HTMLInputElement }) =>
            onInput(event.currentTarget.value),
        };
        // Types of inputs depend on a literal `type`.
        if (type === 'password') return <input {...shared} type="password" />;
        if (type === 'date') return <input {...shared} type="date" />;
        return type === 'search' ? <input {...shared} type="search" /> : <input {...shared} type="text" />;
      }}
    </Labeled>
  );
}

/** A paragraph, such as a note or a reason. Line breaks become spaces, because no text of the API has any. */
export function ParagraphField(
  props: FieldText & {
    readonly value: string;
    readonly onInput: (value: string) => void;
    readonly maxLength: number;
    readonly isRequired?: boolean;
  },
) {
  const { label, hint, error, onInput, isRequired, ...input } = props;
  return (
    <Labeled label={label} hint={hint} error={error}>
      {(described) => (
        <textarea
          {...described}
          {...input}
          class="input"
          rows={3}
          required={isRequired}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
          onInput={({ currentTarget }) => onInput(currentTarget.value.replaceAll(/\s*\n\s*/g, ' '))}
        />
      )}
    </Labeled>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function SelectField(
  props: FieldText & {
    readonly value: string;
    readonly choices: readonly Choice[];
    readonly onInput: (value: string) => void;
  },
) {
  const { value, choices, onInput, ...described } = props;
  return (
    <Labeled {...described}>
      {(attributes) => (
        <select
          {...attributes}
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
  readonly onChange: (isChecked: boolean) => void;
}) {
  const { label, hint, isChecked, onChange } = props;
  const id = useId();
  return (
    <div class="checkbox">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        <label for={id}>{label}</label>
        <Hint id={id} text={hint} />
      </span>
    </div>
  );
}

/** Radio buttons side by side, for a few short choices. */
export function Segments<Value>(
  props: Pick<AriaAttributes, 'aria-label' | 'aria-labelledby' | 'aria-describedby'> & {
    readonly choices: readonly { readonly value: Value; readonly label: string }[];
    readonly value: Value;
    readonly onChange: (value: Value) => void;
    /** It begins without a choice, and the browser asks for one when the form is sent. */
    readonly isRequired?: boolean;
  },
) {
  const { choices, value: current, onChange, isRequired, ...aria } = props;
  const id = useId();
  return (
    <div class="segments" role="radiogroup" {...aria}>
      {choices.map(({ value, label }) => (
        <label key={label}>
          <input
            type="radio"
            name={id}
            required={isRequired}
            checked={value === current}
            onChange={() => onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}

function Hint({ id, text }: { readonly id: string; readonly text: ComponentChildren }) {
  if (!text) return null;
  return (
    <span class="hint" id={`${id}-hint`}>
      {text}
    </span>
  );
}

interface ControlAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

/** Label, hint and error around any control, linked to it for screen readers. */
export function Labeled(
  props: FieldText & {
    readonly class?: string;
    readonly children: (attributes: ControlAttributes) => ComponentChildren;
  },
) {
  const { label, hint, error, children } = props;
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-wrong` : ''].filter(Boolean).join(' ');
  return (
    <div class={`field ${props.class ?? ''}`}>
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? 'true' : undefined,
      })}
      <Hint id={id} text={hint} />
      {error && (
        <span class="wrong" id={`${id}-wrong`}>
          {error}
        </span>
      )}
    </div>
  );
}
