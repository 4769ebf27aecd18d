import type { RentalValuation } from '../../api/valuations.ts';
import { formatCount, formatUsd } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';

type UnitRent = RentalValuation['valuation']['units'][number];

const COLUMNS: readonly Column<UnitRent>[] = [
  { name: 'unit', label: 'Unit', isRowHeader: true, cell: ({ unit_index }) => `Unit ${unit_index + 1}` },
  {
    name: 'rooms',
    label: 'Rooms',
    cell: ({ bedrooms, bathrooms, size, is_furnished }) =>
      [
        `${bedrooms} bed`,
        `${bathrooms} bath`,
        size === null ? null : `${formatCount(size)} sq ft`,
        is_furnished ? 'furnished' : null,
      ]
        .filter((part) => part !== null)
        .join(' · '),
  },
  {
    name: 'rent',
    label: 'Monthly rent',
    isNumber: true,
    cell: (unit) => <strong>{formatUsd(unit.estimated_rent)}</strong>,
  },
  {
    name: 'range',
    label: '90% prediction range',
    isNumber: true,
    cell: (unit) => `${formatUsd(unit.estimated_rent_low)} – ${formatUsd(unit.estimated_rent_high)}`,
  },
  {
    name: 'sqft',
    label: 'A sq ft',
    isNumber: true,
    cell: ({ rent_per_sqft }) => (rent_per_sqft === null ? '—' : `$${rent_per_sqft.toFixed(2)}`),
  },
];

/** Each unit's rent, and how they make a total whose range is no plain sum. */
export function RentDetails({ answer }: { readonly answer: RentalValuation }) {
  const { units, annual_rent, estimated_rent, total_method, units_valued } = answer.valuation;
  return (
    <Section
      title={units_valued === 1 ? 'The unit' : 'Unit by unit'}
      lead={units_valued === 1 ? null : total_method}
    >
      <Table
        caption="Rents by unit"
        columns={COLUMNS}
        rows={units}
        keyOf={({ unit_index }) => String(unit_index)}
      />
      <p class="sum-line">
        <strong>{formatUsd(estimated_rent)}</strong> a month × 12 = <strong>{formatUsd(annual_rent)}</strong>{' '}
        a year, none empty
      </p>
    </Section>
  );
}
