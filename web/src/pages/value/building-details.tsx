import type { ComponentChildren } from 'preact';
import type { BuildingValuation } from '../../api/valuations.ts';
import { formatCount, formatPercent, formatUsd } from '../../parts/format.ts';
import { Badge } from '../../parts/notice.tsx';
import { Section } from '../../parts/page.tsx';
import { EstimatorSum } from './estimators.tsx';

type Value = BuildingValuation['valuation'];
type Approaches = Value['approaches'];
type Assumption = NonNullable<Approaches['income']['assumptions']>['cap_rate'];
type Rents = NonNullable<Approaches['income']['assumptions']>['rents'];

/** The three approaches, each with its weight and everything it assumes. */
export function BuildingDetails({ answer }: { readonly answer: BuildingValuation }) {
  const { approaches, agreement } = answer.valuation;
  const { sales_comparison: sales, gross_rent_multiplier: multiplier, income } = approaches;
  const rents = multiplier.assumptions?.rents ?? income.assumptions?.rents ?? null;
  return (
    <>
      <Section title="Three approaches" lead="Weighted by how well each did on this market’s own sales.">
        <div class="approaches">
          <Approach title="Sales comparison" approach={sales}>
            What similar buildings sold for.
          </Approach>
          <Approach title="Rent multiplier" approach={multiplier}>
            {multiplier.assumptions && (
              <Formula>
                {formatUsd(multiplier.assumptions.annual_rent)} a year ×{' '}
                <Assumed
                  assumption={multiplier.assumptions.multiplier}
                  format={(value) => value.toFixed(2)}
                />
              </Formula>
            )}
          </Approach>
          <Approach title="Income" approach={income}>
            {income.assumptions && (
              <>
                <Formula>
                  {formatUsd(income.assumptions.annual_rent)} a year less{' '}
                  <Assumed assumption={income.assumptions.vacancy} format={formatPercent} /> vacancy and{' '}
                  <Assumed assumption={income.assumptions.expense_ratio} format={formatPercent} /> expenses
                </Formula>
                <Formula>
                  = {formatUsd(income.assumptions.net_operating_income)} /{' '}
                  <Assumed assumption={income.assumptions.cap_rate} format={formatPercent} /> cap rate
                </Formula>
              </>
            )}
          </Approach>
        </div>
        <EstimatorSum valued={{ kind: 'building', answer }} />
        {agreement && <p class="small quiet">{agreementSentence(agreement)}</p>}
      </Section>
      {rents && <UnitMix rents={rents} />}
    </>
  );
}

function Approach(props: {
  readonly title: string;
  readonly approach: Approaches['sales_comparison'];
  readonly children: ComponentChildren;
}) {
  const { title, approach, children } = props;
  const { value, weight, low, high, reason } = approach;
  return (
    <div class="card approach">
      <h3>
        {title} <Badge>{formatPercent(weight, 0)}</Badge>
      </h3>
      <p class="approach-value">{formatUsd(value)}</p>
      {low !== null && high !== null && (
        <p class="small quiet">
          {formatUsd(low)} – {formatUsd(high)} if it alone spoke
        </p>
      )}
      <div class="small">{children}</div>
      {reason && <p class="small quiet">{reason}</p>}
    </div>
  );
}

function Formula({ children }: { readonly children: ComponentChildren }) {
  return <p class="formula">{children}</p>;
}

const FROM = {
  market: 'measured here',
  operator: 'set by the operator',
  default: 'usual, not measured here',
} as const;

function Assumed(props: { readonly assumption: Assumption; readonly format: (value: number) => string }) {
  const { assumption, format } = props;
  return (
    <strong title={`${FROM[assumption.source]}, ± ${format(assumption.spread)}`}>
      {format(assumption.value)}
      <span class="assumed"> ({FROM[assumption.source]})</span>
    </strong>
  );
}

function UnitMix({ rents }: { readonly rents: Rents }) {
  return (
    <Section
      title="Unit mix and rents"
      lead="The units behind the rent; their rooms add up to the building’s."
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Rents by kind of unit">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Units</th>
              <th scope="col">Each</th>
              <th scope="col" class="number">
                Rent of each
              </th>
              <th scope="col" class="number">
                Nine in ten
              </th>
            </tr>
          </thead>
          <tbody>
            {rents.map((group, i) => (
              // oxlint-disable-next-line react/no-array-index-key -- groups have no name but their place
              <tr key={i}>
                <th scope="row">{group.units}</th>
                <td>{roomsOf(group)}</td>
                <td class="number">{formatUsd(group.monthly_rent)}</td>
                <td class="number">
                  {formatUsd(group.monthly_rent_low)} – {formatUsd(group.monthly_rent_high)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function roomsOf({ bedrooms, bathrooms, size }: Rents[number]): string {
  const parts = [
    bedrooms === null ? null : `${bedrooms} bed`,
    bathrooms === null ? null : `${bathrooms} bath`,
    size === null ? null : `${formatCount(Math.round(size))} sq ft`,
  ].filter((part) => part !== null);
  return parts.join(' · ') || 'rooms unknown';
}

function agreementSentence(agreement: NonNullable<Value['agreement']>): string {
  const { property_value, difference_pct, measured_disagreement_pct, n } = agreement;
  return (
    `As a home it would be valued at ${formatUsd(property_value)}, ${Math.abs(difference_pct).toFixed(1)} % ` +
    `${difference_pct >= 0 ? 'less' : 'more'}. On ${formatCount(n)} sales the two differed by no more than ` +
    `${measured_disagreement_pct.toFixed(1)} % in 95 of 100.`
  );
}
