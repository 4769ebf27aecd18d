import { useRequest, type Loaded } from '../../api/use-request.ts';
import { readMissingDetails, type MissingDetail, type MissingDetails } from '../../api/valuations.ts';
import { WhenLoaded } from '../../parts/basics.tsx';
import { formatChangeUsd, formatMany, formatUsd } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { valueOf, type FieldValue } from './value-request.ts';
import { HOME_FIELDS, isFeature, labelOf, wordOf } from './fields.ts';
import type { ValueState } from './use-value.ts';
import { detailSentence, isWorthKnowing } from './words.ts';

/** It takes the server as long as sixty valuations, so it is requested only when the value stays the same. */
const PAUSE_MS = 350;

/** How much each unknown detail of the valued home would narrow its range. */
export function useMissingDetails({ valued, isLoading }: ValueState): Loaded<MissingDetails> {
  const id = valued?.kind === 'home' && !isLoading ? valued.response.valuation.valuation_id : null;
  const request = useRequest(
    async (signal) => id && { id, details: await readMissingDetails(id, signal) },
    [id],
    PAUSE_MS,
  );
  // Details of one value are never shown next to another.
  const details = request.data && request.data.id === id ? request.data.details : null;
  return { ...request, data: details };
}

type OnTry = (field: string, value: FieldValue) => void;

/** The unknown details, and the value of the home with each plausible figure. */
export function MissingDetailsSection(props: {
  readonly details: Loaded<MissingDetails>;
  readonly onTry: OnTry;
}) {
  const { details, onTry } = props;
  return (
    <Section
      title="Missing details that matter most"
      lead={
        details.data?.costs.length === 0
          ? undefined
          : 'These details were estimated from nearby homes. Each figure assumes that only that detail becomes known, so they do not add up.'
      }
    >
      <WhenLoaded of={details} waiting="Valuing each plausible detail">
        {(found) => <Details details={found} onTry={onTry} />}
      </WhenLoaded>
    </Section>
  );
}

function Details({ details, onTry }: { readonly details: MissingDetails; readonly onTry: OnTry }) {
  const width = details.estimated_value_high - details.estimated_value_low;
  const { true: worth = [], false: others = [] } = Object.groupBy(details.costs, ({ narrower_by }) =>
    isWorthKnowing(narrower_by, width) ? 'true' : 'false',
  );
  const list = (some: readonly MissingDetail[]) => (
    <ol class="costs">
      {some.map(({ field, values, narrower_by }) => (
        <li class="cost" key={field}>
          <div class="row spread">
            <h3>{labelOf(field)}</h3>
            <span class="cost-bar" aria-hidden="true">
              <span style={{ inlineSize: `${Math.max(0, Math.min(100, (250 * narrower_by) / width))}%` }} />
            </span>
          </div>
          <p class="small">{detailSentence(field, narrower_by, width, values)}</p>
          {values.length > 1 && (
            <div class="row">
              {values.map((tried) => (
                <Plausible
                  key={String(tried.value)}
                  field={field}
                  tried={tried}
                  change={tried.estimated_value - details.estimated_value}
                  onTry={onTry}
                />
              ))}
            </div>
          )}
        </li>
      ))}
    </ol>
  );
  if (details.costs.length === 0)
    return (
      <p class="quiet">
        All details that this market’s model uses are known. Details that are unknown above do not change its
        values.
      </p>
    );
  return (
    <>
      {worth.length > 0 && list(worth)}
      {others.length > 0 && (
        <details class="fold">
          <summary>
            {formatMany(others.length, 'other detail')} that would not narrow the range:{' '}
            {others.map(({ field }) => labelOf(field).toLowerCase()).join(', ')}
          </summary>
          {list(others)}
        </details>
      )}
    </>
  );
}

/** A plausible figure to try. Some records have values that a request cannot have, such as 1.5 stories: those are not buttons. */
function Plausible(props: {
  readonly field: string;
  readonly tried: MissingDetail['values'][number];
  readonly change: number;
  readonly onTry: OnTry;
}) {
  const { field, tried, change, onTry } = props;
  const control = HOME_FIELDS.find(({ name }) => name === field);
  // Areas that were computed from acres have decimals, which a request cannot have.
  const isArea = control?.control.kind === 'number' && control.control.unit !== undefined;
  const text = String(isArea ? Math.round(Number(tried.value)) : tried.value);
  const enterable = isFeature(field) ? text : control ? valueOf(control, text) : null;
  const words = (
    <>
      {wordOf(field, tried.value)} <span class="quiet">{formatChangeUsd(change)}</span>
    </>
  );
  if (enterable === null) return <span class="chip">{words}</span>;
  return (
    <button
      type="button"
      class="chip"
      title={`Value with this detail: ${formatUsd(tried.estimated_value)}`}
      onClick={() => onTry(field, enterable)}
    >
      {words}
    </button>
  );
}
