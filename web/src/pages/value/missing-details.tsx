import type { Asked } from '../../api/use-answer.ts';
import type { AttributeCost, MissingDetails } from '../../api/valuations.ts';
import { Answered } from '../../parts/answered.tsx';
import { formatChangeUsd, formatUsd } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { valueOf, type FieldValue } from './asked.ts';
import { HOME_FIELDS, labelOf, wordOf } from './fields.ts';
import { costSentence, isWorthKnowing } from './words.ts';

type OnTry = (field: string, value: FieldValue) => void;

/** What each attribute that nobody told costs in range, and what the home would be valued at with each plausible answer. */
export function MissingDetailsSection(props: {
  readonly costs: Asked<MissingDetails>;
  readonly onTry: OnTry;
}) {
  const { costs, onTry } = props;
  return (
    <Section
      title="Missing details that matter most"
      lead="Attributes that nearby homes filled in, dearest first, each as if it alone became known: they do not add up."
    >
      <Answered asked={costs} waiting="Valuing it with each plausible answer">
        {(told) => <Costs costs={told} onTry={onTry} />}
      </Answered>
    </Section>
  );
}

function Costs({ costs, onTry }: { readonly costs: MissingDetails; readonly onTry: OnTry }) {
  const width = costs.estimated_value_high - costs.estimated_value_low;
  const worth = costs.costs.filter(({ narrower_by }) => isWorthKnowing(narrower_by, width));
  const others = costs.costs.filter(({ narrower_by }) => !isWorthKnowing(narrower_by, width));
  const list = (some: readonly AttributeCost[]) => (
    <ol class="costs">
      {some.map((cost) => (
        <Cost key={cost.field} cost={cost} costs={costs} onTry={onTry} />
      ))}
    </ol>
  );
  if (costs.costs.length === 0) return <p class="quiet">Nothing: everything the model asks for is known.</p>;
  return (
    <>
      {worth.length > 0 && list(worth)}
      {others.length > 0 && (
        <details class="inputs">
          <summary>
            {others.length} more that would not narrow it:{' '}
            {others.map(({ field }) => labelOf(field).toLowerCase()).join(', ')}
          </summary>
          {list(others)}
        </details>
      )}
    </>
  );
}

function Cost(props: {
  readonly cost: AttributeCost;
  readonly costs: MissingDetails;
  readonly onTry: OnTry;
}) {
  const { cost, costs, onTry } = props;
  const { field, values, narrower_by } = cost;
  const width = costs.estimated_value_high - costs.estimated_value_low;
  return (
    <li class="cost">
      <div class="cost-head">
        <h3>{labelOf(field)}</h3>
        <span class="cost-bar" aria-hidden="true">
          <span style={{ inlineSize: `${Math.max(0, Math.min(100, (250 * narrower_by) / width))}%` }} />
        </span>
      </div>
      <p class="small">{costSentence(field, narrower_by, width, values)}</p>
      {values.length > 1 && (
        <div class="row">
          {values.map((tried) => (
            <Plausible key={String(tried.value)} field={field} tried={tried} costs={costs} onTry={onTry} />
          ))}
        </div>
      )}
    </li>
  );
}

/** One plausible answer, to be tried. Records hold what a request cannot say, as one and a half stories: that is only told. */
function Plausible(props: {
  readonly field: string;
  readonly tried: AttributeCost['values'][number];
  readonly costs: MissingDetails;
  readonly onTry: OnTry;
}) {
  const { field, tried, costs, onTry } = props;
  const { value, estimated_value } = tried;
  const control = HOME_FIELDS.find(({ name }) => name === field);
  const sayable = control ? valueOf(control, String(value)) : null;
  const words = (
    <>
      {wordOf(field, value)}{' '}
      <span class="quiet">{formatChangeUsd(estimated_value - costs.estimated_value)}</span>
    </>
  );
  if (sayable === null) return <span class="chip told">{words}</span>;
  return (
    <button
      type="button"
      class="chip"
      title={`${formatUsd(estimated_value)} with it`}
      onClick={() => onTry(field, sayable)}
    >
      {words}
    </button>
  );
}
