import type { ComponentChildren } from 'preact';
import type { BuildingValuation, RentalValuation, Valued } from '../../api/valuations.ts';
import { Badge } from '../../parts/basics.tsx';
import { formatChangeUsd, formatCount, formatPercent, formatUsd, UNKNOWN } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { enoughDecimals, enoughPercentDecimals } from './enough-decimals.ts';
import { roomsText } from './fields.ts';

const rangeOf = (low: number | null, high: number | null): string => `${formatUsd(low)} – ${formatUsd(high)}`;

/** The rent of each unit, and how they add up. */
export function RentDetails({ response }: { readonly response: RentalValuation }) {
  const { units, annual_rent, estimated_rent, total_method, units_valued } = response.valuation;
  return (
    <Section
      title={units_valued === 1 ? 'Unit' : 'Rents by unit'}
      lead={units_valued === 1 ? null : total_method}
    >
      <Table
        caption="Rents by unit"
        rows={units}
        keyOf={({ unit_index }) => unit_index}
        columns={[
          { label: 'Unit', isRowHeader: true, cell: ({ unit_index }) => `Unit ${unit_index + 1}` },
          {
            label: 'Rooms',
            cell: (unit) => `${roomsText(unit)}${unit.is_furnished ? ' · furnished' : ''}`,
          },
          {
            label: 'Monthly rent',
            isNumber: true,
            cell: (unit) => <strong>{formatUsd(unit.estimated_rent)}</strong>,
          },
          {
            label: '90% prediction range',
            isNumber: true,
            cell: (unit) => rangeOf(unit.estimated_rent_low, unit.estimated_rent_high),
          },
          {
            label: 'Per sq ft',
            isNumber: true,
            cell: ({ rent_per_sqft: rent }) => (rent === null ? UNKNOWN : `$${rent.toFixed(2)}`),
          },
        ]}
      />
      <p class="sum-line">
        <strong>{formatUsd(estimated_rent)}</strong> per month × 12 ={' '}
        <strong>{formatUsd(annual_rent)}</strong> per year, without vacancy
      </p>
    </Section>
  );
}

type Approaches = BuildingValuation['valuation']['approaches'];
type IncomeAssumptions = NonNullable<Approaches['income']['assumptions']>;

/** The three approaches to value, each with its weight and assumptions. */
export function BuildingDetails({ response }: { readonly response: BuildingValuation }) {
  const { approaches, agreement } = response.valuation;
  const { sales_comparison: sales, gross_rent_multiplier: multiplier, income } = approaches;
  const rents = multiplier.assumptions?.rents ?? income.assumptions?.rents ?? null;
  return (
    <>
      <Section
        title="Three approaches to value"
        lead="Weighted by the accuracy of each on this market’s own sales."
      >
        <div class="approaches">
          <Approach title="Sales comparison" approach={sales}>
            From sales of similar buildings.
          </Approach>
          <Approach title="Gross rent multiplier (GRM)" approach={multiplier}>
            <MultiplierFormula approach={multiplier} />
          </Approach>
          <Approach title="Income" approach={income}>
            <IncomeFormula approach={income} />
          </Approach>
        </div>
        <EstimatorSum valued={{ kind: 'building', response }} />
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
      <h3 class="row spread">
        {title} <Badge>{formatPercent(weight, 0)}</Badge>
      </h3>
      <p class="approach-value">{formatUsd(value)}</p>
      {low !== null && high !== null && (
        <p class="small quiet">{rangeOf(low, high)} by this approach alone</p>
      )}
      <div class="small">{children}</div>
      {reason && <p class="small quiet">{reason}</p>}
    </div>
  );
}

/** Shown with enough digits for the reader to compute the value above. */
function MultiplierFormula({ approach }: { readonly approach: Approaches['gross_rent_multiplier'] }) {
  const { assumptions, value } = approach;
  if (assumptions === null) return null;
  const { annual_rent: rent, multiplier } = assumptions;
  const digits = value === null ? 2 : enoughDecimals(value, (round) => rent * round(multiplier.value), 2, 4);
  return (
    <p>
      {formatUsd(rent)} per year ×{' '}
      <Assumed assumption={multiplier} format={(times) => times.toFixed(digits)} />
    </p>
  );
}

function IncomeFormula({ approach }: { readonly approach: Approaches['income'] }) {
  const { assumptions, value } = approach;
  if (assumptions === null) return null;
  const { annual_rent: rent, vacancy, expense_ratio: expenses, cap_rate: rate } = assumptions;
  const { net_operating_income: income } = assumptions;
  const shareDigits = enoughPercentDecimals(
    income,
    (round) => rent * (1 - round(vacancy.value)) * (1 - round(expenses.value)),
  );
  const rateDigits = value === null ? 1 : enoughPercentDecimals(value, (round) => income / round(rate.value));
  const share = (part: number): string => formatPercent(part, shareDigits);
  return (
    <>
      <p>
        {formatUsd(rent)} per year, less <Assumed assumption={vacancy} format={share} /> vacancy, then less{' '}
        <Assumed assumption={expenses} format={share} /> expenses
      </p>
      <p>
        = {formatUsd(income)} /{' '}
        <Assumed assumption={rate} format={(part) => formatPercent(part, rateDigits)} /> cap rate
      </p>
    </>
  );
}

const ASSUMPTION_SOURCES = {
  market: 'measured in this market',
  operator: 'set by the operator',
  default: 'default, not measured here',
} as const;

function Assumed(props: {
  readonly assumption: IncomeAssumptions['cap_rate'];
  readonly format: (value: number) => string;
}) {
  const { assumption, format } = props;
  const source = ASSUMPTION_SOURCES[assumption.source];
  return (
    <strong title={`${source}, ± ${format(assumption.spread)}`}>
      {format(assumption.value)}
      <span class="assumed"> ({source})</span>
    </strong>
  );
}

function UnitMix({ rents }: { readonly rents: IncomeAssumptions['rents'] }) {
  return (
    <Section
      title="Unit mix and rents"
      lead="The units from which the rent is computed. Their rooms add up to those of the building."
    >
      <Table
        caption="Rents by kind of unit"
        rows={rents}
        keyOf={(_, at) => at}
        columns={[
          { label: 'Units', isRowHeader: true, cell: ({ units }) => units },
          { label: 'Rooms per unit', cell: (group) => roomsText(group) || 'unknown' },
          {
            label: 'Monthly rent per unit',
            isNumber: true,
            cell: ({ monthly_rent }) => formatUsd(monthly_rent),
          },
          {
            label: '90% prediction range',
            isNumber: true,
            cell: ({ monthly_rent_low, monthly_rent_high }) => rangeOf(monthly_rent_low, monthly_rent_high),
          },
        ]}
      />
    </Section>
  );
}

function agreementSentence(agreement: NonNullable<BuildingValuation['valuation']['agreement']>): string {
  const { property_value, difference_pct, measured_disagreement_pct, n } = agreement;
  return (
    `The home model values it at ${formatUsd(property_value)}, ${Math.abs(difference_pct).toFixed(1)}% ` +
    `${difference_pct >= 0 ? 'less' : 'more'}. On ${formatCount(n)} sales the two models differed by at most ` +
    `${measured_disagreement_pct.toFixed(1)}% in 95% of cases.`
  );
}

const ESTIMATORS: Readonly<Record<string, string>> = {
  model: 'model',
  comparables: 'comparables',
  census: 'census rents',
  sales_comparison: 'sales comparison',
  gross_rent_multiplier: 'GRM',
  income: 'income',
};

/** How the value is blended: `72.0% × $412,300 (model) + 28.0% × $402,100 (comparables) = $409,444`. */
export function EstimatorSum({ valued }: { readonly valued: Valued }) {
  const { estimators, point_value } = valued.response.valuation;
  const split = valued.kind === 'home' ? (valued.response.changes?.split ?? []) : [];
  const renovated = split.find(({ cause }) => cause === 'renovations')?.amount ?? 0;
  const digits = enoughPercentDecimals(point_value, (round) =>
    estimators.reduce((sum, { value, weight }) => sum + round(weight) * value, renovated),
  );
  return (
    <p class="sum-line">
      {estimators.map(({ name, value, weight }, i) => (
        <span key={name}>
          {i > 0 && ' + '}
          <strong>{formatPercent(weight, digits)}</strong> × {formatUsd(value)}{' '}
          <span class="quiet">({ESTIMATORS[name] ?? name.replaceAll('_', ' ')})</span>
        </span>
      ))}
      {renovated !== 0 && (
        <>
          {' '}
          <strong>{formatChangeUsd(renovated)}</strong> <span class="quiet">(completed renovations)</span>
        </>
      )}{' '}
      = <strong>{formatUsd(point_value)}</strong>
    </p>
  );
}
