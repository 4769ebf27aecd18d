import type { DescribedHome, ValuationInput } from '../../api/valuations.ts';
import { formatDay, formatUsd } from '../../parts/format.ts';
import { wordOf } from './fields.ts';

/** What the property is: its type, rooms, size, year, parcel and last sale. Estimated figures say so. */
export function PropertyFacts(props: {
  /** Null for a stored value, whose record is not read again. */
  readonly described: DescribedHome | null;
  readonly inputs: readonly ValuationInput[];
}) {
  const { described, inputs } = props;
  return (
    <ul class="property-facts">
      {FACTS.map(([field, wordsOf]) => {
        const input = inputs.find((one) => one.field === field);
        if (!input || input.value === null) return null;
        const words = wordsOf(wordOf(field, input.value));
        return <li key={field}>{input.source === 'comparables' ? `${words} (estimated)` : words}</li>;
      })}
      {described && <RecordFacts described={described} />}
    </ul>
  );
}

function RecordFacts({ described }: { readonly described: DescribedHome }) {
  const { parcel_id: parcel, last_sale: sale, units } = described;
  return (
    <>
      {parcel !== null && <li>Parcel {parcel}</li>}
      {/* The sales of a building of units are listed with its units. */}
      {(sale !== null || units.length === 0) && (
        <li>
          {sale === null
            ? 'No sale known'
            : `Last sold ${formatDay(sale.sale_date)} for ${formatUsd(sale.sale_price)}`}
          {sale?.is_used === false && ' (not used)'}
        </li>
      )}
    </>
  );
}

const FACTS: readonly (readonly [field: string, wordsOf: (value: string) => string])[] = [
  ['property_type', (type) => type],
  ['total_bedrooms', (count) => `${count} bed`],
  ['total_bathrooms', (count) => `${count} bath`],
  ['living_area', (area) => area],
  ['year_built', (year) => `built ${year}`],
];
