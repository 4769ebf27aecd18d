import type { PropertyValuation } from '../../api/valuations.ts';
import { formatChangeUsd, formatDay, formatUsd } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { Split } from './challenge-section.tsx';
import { labelOf, wordOf } from './fields.ts';
import { nameOfSale } from './grid.ts';
import { StoredRenovations } from './renovations.tsx';
import { SavedChallenges, type SavedChallengeList } from './saved-challenges.tsx';
import { assessmentText } from './words.ts';

/** The changes that a stored value was computed with. */
export function StoredChanges(props: {
  readonly response: PropertyValuation;
  readonly saved: SavedChallengeList;
}) {
  const { response, saved } = props;
  const { changes, comparables, valuation } = response;
  if (!changes) return null;
  const chosen = ['pinned', 'added'].flatMap((what) =>
    comparables.items.filter(({ choice }) => choice === what),
  );
  const nameOf = (id: string): string => {
    const item = comparables.items.find(({ comp_id }) => comp_id === id);
    return item ? nameOfSale(item) : id;
  };
  return (
    <>
      <Section
        title="Changes"
        lead="The model, the data and the as-of date are those of the original value, so only these changes move it."
      >
        <Split changes={changes} changedUsd={valuation.point_value} />
        <ul class="changes">
          {changes.facts.map(({ field, before, after }) => (
            <li key={field}>
              Corrected: {labelOf(field)} {wordOf(field, before)} → <strong>{wordOf(field, after)}</strong>
            </li>
          ))}
          {changes.facts_reason && (
            <li>
              Reason for the corrected details: <span class="quiet">{changes.facts_reason}</span>
            </li>
          )}
          {changes.assessment && (
            <li>
              Appealed assessment: <strong>{assessmentText(changes.assessment)}</strong>
            </li>
          )}
          {changes.excluded.map((sale) => (
            <li key={sale.comp_id}>
              Excluded: <strong>{nameOfSale(sale)}</strong> {formatUsd(sale.sale_price)},{' '}
              {formatDay(sale.sale_date)}, <span class="quiet">{sale.reason}</span>
            </li>
          ))}
          {chosen.map(({ comp_id, choice, sale_price, sale_date }) => (
            <li key={comp_id}>
              {choice === 'added' ? 'Added' : 'Pinned'}: <strong>{nameOf(comp_id)}</strong>{' '}
              {formatUsd(sale_price)}, {formatDay(sale_date)}
            </li>
          ))}
          {changes.adjustments.map(({ comp_id, field, computed_amount, amount, reason }) => (
            <li key={`${comp_id} ${field}`}>
              Adjusted: <strong>{nameOf(comp_id)}</strong> {labelOf(field)} {formatChangeUsd(computed_amount)}{' '}
              → <strong>{formatChangeUsd(amount)}</strong>, <span class="quiet">{reason}</span>
            </li>
          ))}
        </ul>
        <SavedChallenges id={valuation.valuation_id} list={saved} />
      </Section>
      {changes.renovations && <StoredRenovations renovated={changes.renovations} />}
    </>
  );
}
