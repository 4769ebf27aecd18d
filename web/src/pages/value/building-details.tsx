import type { ComponentChildren } from 'preact';
import type { BuildingValuation } from '../../api/valuations.ts';
import { formatCount, formatPercent, formatUsd } from '../../parts/format.ts';
import { Badge } from '../../parts/notice.tsx';
import { Section } from '../../parts/page.tsx';
import { digitsToFollow, percentDigitsToFollow } from './digits-to-follow.ts';
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
      <Section
        title="Three approaches to value"
        lead="Weighted by how well each did on this market’s own sales."
      >
        <div class="approaches">
          <Approach title="Sales comparison" approach={sales}>
            What similar buildings sold for.
          </Approach>
          <Approach title="Gross rent multiplier (GRM)" approach={multiplier}>
            <ByMultiplier approach={multiplier} />
          </Approach>
          <Approach title="Income" approach={income}>
            <ByIncome approach={income} />
          </Approach>
        </div>
        <p class="small quiet">Each by its weight, they make the value:</p>
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

/** Figures have as many digits as it takes to work them out to the value above. */
function ByMultiplier({ approach }: { readonly approach: Approaches['gross_rent_multiplier'] }) {
  const { assumptions, value } = approach;
  if (assumptions === null) return null;
  const { annual_rent: rent, multiplier } = assumptions;
  const digits = value === null ? 2 : digitsToFollow(value, (round) => rent * round(multiplier.value), 2, 4);
  return (
    <Formula>
      {formatUsd(rent)} a year × <Assumed assumption={multiplier} format={(times) => times.toFixed(digits)} />
    </Formula>
  );
}

function ByIncome({ approach }: { readonly approach: Approaches['income'] }) {
  const { assumptions, value } = approach;
  if (assumptions === null) return null;
  const { annual_rent: rent, vacancy, expense_ratio: expenses, cap_rate: rate } = assumptions;
  const { net_operating_income: income } = assumptions;
  const shareDigits = percentDigitsToFollow(
    income,
    (round) => rent * (1 - round(vacancy.value)) * (1 - round(expenses.value)),
  );
  const rateDigits = value === null ? 1 : percentDigitsToFollow(value, (round) => income / round(rate.value));
  const share = (part: number): string => formatPercent(part, shareDigits);
  return (
    <>
      <Formula>
        {formatUsd(rent)} a year less <Assumed assumption={vacancy} format={share} /> vacancy, and of the rest
        less <Assumed assumption={expenses} format={share} /> expenses
      </Formula>
      <Formula>
        = {formatUsd(income)} /{' '}
        <Assumed assumption={rate} format={(part) => formatPercent(part, rateDigits)} /> cap rate
      </Formula>
    </>
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
                90% prediction range
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
    `As a home it would be valued at ${formatUsd(property_value)}, ${Math.abs(difference_pct).toFixed(1)}% ` +
    `${difference_pct >= 0 ? 'less' : 'more'}. On ${formatCount(n)} sales the two differed by no more than ` +
    `${measured_disagreement_pct.toFixed(1)}% in 95 of 100.`
  );
}
