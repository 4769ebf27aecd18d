import { useEffect, useId, useState } from 'preact/hooks';
import type { MissingDetails, ValuationInput } from '../../api/valuations.ts';
import { Segments } from '../../parts/field.tsx';
import { formatCount, formatPercent } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import type { FullRequest } from './request-value.ts';
import { FIELDS_OF, valueOf, withField, type ValueRequest, type FieldValue } from './value-request.ts';
import { featureFields, wordOf, type FieldOf } from './fields.ts';
import { detailSentence, isWorthKnowing, sourceWords } from './words.ts';

/** A form of all property details, with the values that are used for details that are not entered. */
export function AttributesPanel(props: {
  readonly request: ValueRequest;
  readonly complete: FullRequest | null;
  readonly inputs: readonly ValuationInput[];
  /** The own features of the market. */
  readonly features: Parameters<typeof featureFields>[0];
  readonly details: MissingDetails | null;
  readonly onChange: (request: ValueRequest) => void;
}) {
  const { request, complete, inputs, features, details, onChange } = props;
  const used = new Map(inputs.map((input) => [input.field, input]));
  return (
    <Section title="Property details" lead="Enter what you know; leave the rest blank.">
      <div class="attributes">
        {[...FIELDS_OF[request.kind], ...featureFields(features)].map((field) => {
          const input = complete?.taken.get(field.name) ?? used.get(field.name) ?? null;
          return (
            <Attribute
              key={field.name}
              field={field}
              entered={request.fields[field.name] ?? null}
              used={input}
              source={input && sourceWords(input, request.kind)}
              details={details}
              onChange={(value) => onChange(withField(request, field.name, value))}
            />
          );
        })}
      </div>
    </Section>
  );
}

interface AttributeProps {
  readonly field: FieldOf;
  /** The value that the user entered; null = none. */
  readonly entered: FieldValue | null;
  /** The value that the valuation used, and where it came from. */
  readonly used: ValuationInput | null;
  readonly source: string | null;
  readonly onChange: (value: FieldValue | null) => void;
}

/** One detail: its control, the value in use, its source, and a button that resets it. */
function Attribute(props: AttributeProps & { readonly details: MissingDetails | null }) {
  const { field, entered, onChange } = props;
  const { control, label } = field;
  const id = useId();
  const isShort = control.kind === 'number' && !control.slides;
  const names = ['attribute', isShort && 'short', entered !== null && 'entered'].filter(Boolean).join(' ');
  return (
    <div class={names} data-field={field.name}>
      <div class="attribute-head">
        <label id={`${id}-label`} for={control.kind === 'yes-no' ? undefined : id}>
          {label}
        </label>
        <span class="tiny quiet" id={`${id}-source`}>
          {sourceOf(props)}
          {entered !== null && (
            <button type="button" class="link" aria-label={`Reset ${label}`} onClick={() => onChange(null)}>
              Reset
            </button>
          )}
        </span>
      </div>
      {control.kind === 'yes-no' && (
        <Segments
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-source`}
          choices={YES_NO}
          value={entered}
          onChange={onChange}
        />
      )}
      {control.kind === 'number' && <NumberControl {...props} id={id} />}
      {control.kind === 'choice' && <ChoiceControl {...props} id={id} />}
      <Effect name={field.name} details={props.details} />
    </div>
  );
}

function sourceOf({ field, entered, used, source }: AttributeProps): string {
  if (entered !== null) return 'Entered by you';
  if (used?.source === 'request') return '';
  if (used === null || source === null) return field.isRequired ? 'Required' : '';
  // Other controls show the value in use themselves.
  const hasValue = field.control.kind === 'yes-no' && used.value !== null;
  return hasValue ? `${wordOf(field.name, used.value)}: ${source}` : source;
}

type ControlProps = AttributeProps & { readonly id: string };

/** Where the value of a choice that the user did not make comes from. The kind of valuation can imply it, too. */
const NOTES = {
  request: 'from your request',
  record: 'public record',
  default: 'assumed',
  comparables: 'estimated',
} as const;

function ChoiceControl({ field, id, entered, used, onChange }: ControlProps) {
  if (field.control.kind !== 'choice') return null;
  const usual = used?.value ?? null;
  return (
    <select
      id={id}
      class="input"
      aria-describedby={`${id}-source`}
      value={entered === null ? '' : String(entered)}
      onChange={(event) => onChange(valueOf(field, event.currentTarget.value))}
    >
      <option value="">
        {usual === null || used === null ? 'Unknown' : `${wordOf(field.name, usual)} (${NOTES[used.source]})`}
      </option>
      {field.control.choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** A number is sent when it is valid, so that half-typed years are not. Some numbers also have a slider. */
function NumberControl({ field, id, entered, used, onChange }: ControlProps) {
  const [draft, setDraft] = useState(entered === null ? '' : String(entered));
  useEffect(() => setDraft(entered === null ? '' : String(entered)), [entered]);
  const { control } = field;
  if (control.kind !== 'number') return null;
  const isWrong = draft !== '' && valueOf(field, draft) === null;
  const usual = typeof used?.value === 'number' ? used.value : null;
  const type = (text: string): void => {
    setDraft(text);
    const value = valueOf(field, text);
    if (value !== null || text === '') onChange(value);
  };
  const shown = typeof entered === 'number' ? entered : usual;
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
        <Slider field={field} shown={shown} usual={usual ?? shown} step={control.step} onInput={type} />
      )}
      {isWrong && (
        <span class="wrong" id={`${id}-wrong`}>
          {formatCount(control.min)} to {formatCount(control.max)}
          {control.step >= 1 ? ', whole numbers' : ''}
        </span>
      )}
    </div>
  );
}

/** From half to double the usual value; for years, fifty years in both directions. */
function Slider(props: {
  readonly field: FieldOf;
  readonly shown: number;
  readonly usual: number;
  readonly step: number;
  readonly onInput: (value: string) => void;
}) {
  const { field, shown, usual, step, onInput } = props;
  // The ends must not move while the slider is dragged, which makes `usual` the entered value.
  const [ends, setEnds] = useState(() => endsOf(field, usual, step));
  const isOutside = shown < ends.from || shown > ends.to;
  useEffect(() => {
    if (isOutside) setEnds(endsOf(field, shown, step));
  }, [isOutside, field, shown, step]);
  return (
    <input
      type="range"
      class="slide"
      aria-label={`${field.label}, slider`}
      min={ends.from}
      max={ends.to}
      step={step}
      value={shown}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

function endsOf({ name }: FieldOf, around: number, step: number) {
  if (name === 'year_built') return { from: Math.max(1800, around - 50), to: Math.min(2030, around + 50) };
  const whole = (value: number): number => Math.round(value / step) * step;
  return { from: whole(around / 2), to: whole(around * 2) };
}

const YES_NO: readonly { readonly value: FieldValue | null; readonly label: string }[] = [
  { value: true, label: 'Yes' },
  { value: false, label: 'No' },
  { value: null, label: 'Unknown' },
];

/** How much the range would narrow if this detail were known. */
function Effect({ name, details }: { readonly name: string; readonly details: MissingDetails | null }) {
  const detail = details?.costs.find(({ field }) => field === name);
  if (!details || !detail) return null;
  const width = details.estimated_value_high - details.estimated_value_low;
  if (!isWorthKnowing(detail.narrower_by, width)) return null;
  const share = detail.narrower_by / width;
  return (
    <div class="effect tiny quiet" title={detailSentence(name, detail.narrower_by, width, detail.values)}>
      <span class="cost-bar" aria-hidden="true">
        <span style={{ inlineSize: `${Math.min(100, 400 * share)}%` }} />
      </span>
      <span>{formatPercent(share, 0)} of the range</span>
    </div>
  );
}
