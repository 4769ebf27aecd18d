import type { MissingDetails, ValuationInput } from '../../api/valuations.ts';
import { formatPercent } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { FIELDS_OF, withField, type Asked } from './asked.ts';
import { AttributeControl } from './attribute-control.tsx';
import type { CompleteAsked } from './complete-asked.ts';
import { wordOf, type FieldOf } from './fields.ts';
import { costSentence, sourceWords } from './words.ts';

/** Everything that can be said of the subject, with what is used where nothing was said. */
export function AttributesPanel(props: {
  readonly asked: Asked;
  readonly complete: CompleteAsked | null;
  readonly inputs: readonly ValuationInput[];
  readonly costs: MissingDetails | null;
  readonly onChange: (asked: Asked) => void;
}) {
  const { asked, complete, inputs, costs, onChange } = props;
  const used = new Map(inputs.map((input) => [input.field, input]));
  return (
    <Section title="Property details" lead="Enter what you know; leave the rest blank.">
      <div class="attributes">
        {FIELDS_OF[asked.kind].map((field) => {
          const taken = complete?.taken.get(field.name) ?? null;
          const input = taken ?? used.get(field.name) ?? null;
          return (
            <AttributeControl
              key={field.name}
              field={field}
              said={asked.fields[field.name] ?? null}
              used={input}
              source={sourceOf(field, asked, input)}
              cost={<Cost field={field} costs={costs} />}
              onChange={(value) => onChange(withField(asked, field.name, value))}
            />
          );
        })}
      </div>
    </Section>
  );
}

function sourceOf(
  { name, isRequired, control }: FieldOf,
  asked: Asked,
  input: ValuationInput | null,
): string {
  if (name in asked.fields) return 'Entered by you';
  if (input === null) return isRequired ? 'please say' : '';
  const source = sourceWords(input, asked.kind);
  // Other controls show in themselves what is used.
  return control.kind === 'yes-no' && input.value !== null
    ? `${wordOf(name, input.value)}: ${source}`
    : source;
}

function Cost({
  field: { name },
  costs,
}: {
  readonly field: FieldOf;
  readonly costs: MissingDetails | null;
}) {
  const cost = costs?.costs.find(({ field }) => field === name);
  if (!costs || !cost) return null;
  const width = costs.estimated_value_high - costs.estimated_value_low;
  const share = Math.max(0, cost.narrower_by / width);
  if (share < 0.005) return null;
  return (
    <div class="attribute-cost" title={costSentence(name, cost.narrower_by, width, cost.values)}>
      <span class="cost-bar" aria-hidden="true">
        <span style={{ inlineSize: `${Math.min(100, 400 * share)}%` }} />
      </span>
      <span>{formatPercent(share, 0)} of the range</span>
    </div>
  );
}
