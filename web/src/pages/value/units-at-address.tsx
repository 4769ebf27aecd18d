import { useState } from 'preact/hooks';
import type { DescribedHome } from '../../api/valuations.ts';
import { Button } from '../../parts/basics.tsx';
import { formatCount, formatDay, formatMany, formatUsd, UNKNOWN } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { numberColumn, Table } from '../../parts/table.tsx';
import { writeQuery, type ValueRequest } from './value-request.ts';

/** A tower has hundreds. */
const UNITS_AT_FIRST = 12;

type Unit = DescribedHome['units'][number];

/** The units of a building that was found by its street address, each a link to its own value. */
export function UnitsAtAddress(props: { readonly request: ValueRequest; readonly units: readonly Unit[] }) {
  const { request, units } = props;
  const [hasAll, setAll] = useState(false);
  const shown = hasAll ? units : units.slice(0, UNITS_AT_FIRST);
  const linkOf = (address: string): string =>
    `/console/value?${writeQuery({ ...request, where: { address }, fields: {}, units: [] })}`;
  return (
    <Section
      title="Units at this address"
      lead={`The value above is for no particular unit. Choose one of the ${formatMany(units.length, 'unit')} below, or add the unit to the address, for its own value.`}
    >
      <Table
        caption="Units at this address"
        rows={shown}
        keyOf={({ unit }) => unit}
        columns={[
          {
            label: 'Unit',
            isRowHeader: true,
            cell: ({ unit, address }) => (
              <a href={linkOf(address)} aria-label={`Unit ${unit}`}>
                {unit}
              </a>
            ),
          },
          numberColumn<Unit>('Beds', ({ bedrooms }) => bedrooms, formatCount),
          numberColumn<Unit>('Baths', ({ bathrooms }) => bathrooms, formatCount),
          numberColumn<Unit>('Sq ft', ({ living_area }) => living_area, formatCount),
          {
            label: 'Last sale',
            isNumber: true,
            cell: ({ last_sale: sale }) =>
              sale === null ? UNKNOWN : `${formatUsd(sale.sale_price)}, ${formatDay(sale.sale_date)}`,
          },
        ]}
      />
      {shown.length < units.length && (
        <div>
          <Button isSmall onClick={() => setAll(true)}>
            Show all {units.length} units
          </Button>
        </div>
      )}
    </Section>
  );
}
