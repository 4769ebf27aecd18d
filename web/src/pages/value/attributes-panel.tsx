import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { MissingDetails, ValuationInput, ValuationWarning } from '../../api/valuations.ts';
import { Badge, Button } from '../../parts/basics.tsx';
import { formatCount, formatMany, formatPercent } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import type { FullRequest } from './request-value.ts';
import { FIELDS_OF, valueOf, withField, type ValueRequest, type FieldValue } from './value-request.ts';
import { featureFields, readableMessage, wordOf, type FieldOf } from './fields.ts';
import { ABOUT_A_FIELD, detailSentence, isWorthKnowing, sourceWords } from './words.ts';

type Inputs = ReadonlyMap<string, ValuationInput>;

/** All property details, filled in with the values in use. Only what the user changes is sent. */
export function AttributesPanel(props: {
  readonly request: ValueRequest;
  readonly complete: FullRequest | null;
  /** What the value used. */
  readonly inputs: readonly ValuationInput[];
  /** What records and nearby homes say without the user's changes. */
  readonly described: readonly ValuationInput[];
  /** The own features of the market. */
  readonly features: Parameters<typeof featureFields>[0];
  readonly details: MissingDetails | null;
  readonly warnings: readonly ValuationWarning[];
  readonly onChange: (request: ValueRequest) => void;
}) {
  const { request, complete, features, details, warnings, onChange } = props;
  const [used, described] = [byField(props.inputs), byField(props.described)];
  const edited = Object.keys(request.fields).length;
  const attributeOf = (field: FieldOf) => {
    const own = described.get(field.name) ?? null;
    const input = complete?.taken.get(field.name) ?? used.get(field.name) ?? own;
    const words = (one: ValuationInput | null): string =>
      one === null || one.value === null ? '' : sourceWords(one, request.kind);
    // A home is valued without its rooms too, if no record has them.
    const isMissing = field.isRequired && props.inputs.length === 0;
    return (
      <Attribute
        key={field.name}
        field={field}
        entered={request.fields[field.name] ?? null}
        used={input?.value ?? null}
        source={words(input) || (isMissing ? 'Required' : '')}
        before={words(own) && `${wordOf(field.name, own?.value ?? null)}, ${words(own)}`}
        details={details}
        warning={
          warnings.find((one) => ABOUT_A_FIELD.has(one.code) && one.field === field.name)?.message ?? null
        }
        onChange={(value) => onChange(withField(request, field.name, isRecorded(own, value) ? null : value))}
      />
    );
  };
  const fields = [...FIELDS_OF[request.kind], ...featureFields(features)];
  const { true: blank = [], false: shown = [] } = Object.groupBy(fields, (field) =>
    isBlank(field, described) ? 'true' : 'false',
  );
  return (
    <Section
      title="Property details"
      lead="From public records, or estimated from nearby homes. Change what is wrong: the value follows."
      actions={
        edited > 1 && (
          <Button isSmall onClick={() => onChange({ ...request, fields: {} })}>
            Reset {formatMany(edited, 'change')}
          </Button>
        )
      }
    >
      <div class="card">
        <div class="attributes">{shown.map(attributeOf)}</div>
        {blank.length > 0 && (
          <details class="fold" open={blank.some(({ name }) => name in request.fields) || undefined}>
            <summary>{formatMany(blank.length, 'more detail')}, without a record</summary>
            <p class="small quiet">
              Enter what you know. The value changes if the sales of this market have that detail.
            </p>
            <div class="attributes">{blank.map(attributeOf)}</div>
          </details>
        )}
      </div>
    </Section>
  );
}

/** Neither a record nor nearby homes have it: in many markets half of the details. */
function isBlank({ name, isRequired }: FieldOf, described: Inputs): boolean {
  const own = described.get(name);
  return !isRequired && own?.value === null && own.source === 'default';
}

function byField(inputs: readonly ValuationInput[]): Inputs {
  return new Map(inputs.map((input) => [input.field, input]));
}

/** A record's own value is not a change. An estimate that the user confirms is. */
function isRecorded(own: ValuationInput | null, value: FieldValue | null): boolean {
  return own?.source === 'record' && own.value === value;
}

interface ControlProps {
  readonly id: string;
  readonly field: FieldOf;
  /** The value that the user entered; null = none. */
  readonly entered: FieldValue | null;
  /** The value in use. */
  readonly used: FieldValue | null;
  readonly onChange: (value: FieldValue | null) => void;
}

/** One detail: its control with the value in use, its source, and whether the user changed it. */
function Attribute(
  props: Omit<ControlProps, 'id'> & {
    readonly source: string;
    /** The value without the user's change, and its source. */
    readonly before: string;
    readonly details: MissingDetails | null;
    /** Such as why the detail does not affect the value. */
    readonly warning: string | null;
  },
) {
  const { field, entered, source, before, details, warning, onChange } = props;
  const id = useId();
  const isEdited = entered !== null;
  return (
    <div class={isEdited ? 'attribute entered' : 'attribute'} data-field={field.name}>
      <div class="attribute-head">
        <label for={id}>{field.label}</label>
        {isEdited && <Badge>edited</Badge>}
      </div>
      {field.control.kind === 'number' ? (
        <NumberControl {...props} id={id} />
      ) : (
        <ChoiceControl {...props} id={id} />
      )}
      <span class="tiny quiet" id={`${id}-source`}>
        {isEdited ? before || 'Entered by you' : source}
        {isEdited && (
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
      {warning !== null && (
        <span class="tiny" role="status">
          {readableMessage(warning)}
        </span>
      )}
      <Effect name={field.name} details={details} />
    </div>
  );
}

const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
] as const;

function ChoiceControl({ field, id, entered, used, onChange }: ControlProps) {
  const { name, control } = field;
  const choices = control.kind === 'choice' ? control.choices : YES_NO;
  const shown = entered ?? used;
  const text = shown === null ? '' : String(shown);
  const isListed = choices.some(({ value }) => value === text);
  return (
    <select
      id={id}
      class="input"
      aria-describedby={`${id}-source`}
      value={text}
      onChange={(event) => onChange(valueOf(field, event.currentTarget.value))}
    >
      {!isListed && <option value={text}>{shown === null ? 'Unknown' : wordOf(name, shown)}</option>}
      {choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Numbers of rooms and stories are below, areas and years above. */
const SMALL = 100;

/** A number is sent when it is valid, so that half-typed years are not. Some numbers also have a slider. */
function NumberControl({ field, id, entered, used, onChange }: ControlProps) {
  // The text while the user types; null = the value in use.
  const [draft, setDraft] = useState<string | null>(null);
  // What was entered before typing began. "9" of an impossible "99" must not stay in use.
  const before = useRef(entered);
  const { control } = field;
  if (control.kind !== 'number') return null;
  const shown = entered ?? used;
  const usual = typeof shown === 'number' ? shown : null;
  const isWhole = control.step >= 1;
  // A record can have what no request may: one and a half stories.
  const isHalf = usual !== null && used === usual && !Number.isInteger(usual) && usual < SMALL;
  const text = draft ?? (usual === null ? '' : String(isWhole && !isHalf ? Math.round(usual) : usual));
  const isWrong = draft !== null && draft !== '' && valueOf(field, draft) === null;
  const change = (typed: string): void => {
    const value = valueOf(field, typed);
    onChange(value !== null || typed === '' ? value : before.current);
  };
  const slide = (typed: string): void => {
    setDraft(null);
    change(typed);
  };
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
          step={isHalf ? 'any' : isWhole ? 1 : control.step}
          value={text}
          placeholder="Unknown"
          aria-invalid={isWrong ? 'true' : undefined}
          aria-describedby={isWrong ? `${id}-wrong` : `${id}-source`}
          onInput={({ currentTarget: { value } }) => {
            setDraft(value);
            change(value);
          }}
          onFocus={() => {
            if (!isWrong) before.current = entered;
          }}
          // An impossible number stays, so that the user sees what is wrong.
          onBlur={() => !isWrong && setDraft(null)}
        />
        {control.unit && <span class="quiet small nowrap">{control.unit}</span>}
      </span>
      {control.slides && usual !== null && (
        <Slider field={field} shown={usual} step={control.step} onInput={slide} />
      )}
      {isWrong && (
        <span class="wrong" id={`${id}-wrong`} role="alert">
          Enter {isWhole ? 'a whole number' : 'a number'} from {limitText(field, control.min)} to{' '}
          {limitText(field, control.max)}.{' '}
          {shown !== null && `The value still uses ${wordOf(field.name, shown)}.`}{' '}
          <button type="button" class="link" onClick={() => setDraft(null)}>
            Undo
          </button>
        </span>
      )}
    </div>
  );
}

/** Years have no thousands separator. */
function limitText({ name }: FieldOf, limit: number): string {
  return name === 'year_built' ? String(limit) : formatCount(limit);
}

/** From half to double the first value; for years, fifty years in both directions. */
function Slider(props: {
  readonly field: FieldOf;
  readonly shown: number;
  readonly step: number;
  readonly onInput: (value: string) => void;
}) {
  const { field, shown, step, onInput } = props;
  // The ends must not move while the slider is dragged.
  const [ends, setEnds] = useState(() => endsOf(field, shown, step));
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
      <span>narrows the range {formatPercent(share, 0)}</span>
    </div>
  );
}
