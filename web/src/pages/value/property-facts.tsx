import type { DescribedHome, ValuationInput, ValuedParcel } from '../../api/valuations.ts';
import { formatDay, formatUsd } from '../../parts/format.ts';
import { wordOf } from './fields.ts';

/** The units are those of a value just made. Without them, it is not known that there was no sale. */
type Parcel = ValuedParcel & Partial<Pick<DescribedHome, 'units'>>;

/** What the property is: its type, rooms, size, year, parcel and last sale. Estimated figures say so. */
export function PropertyFacts(props: {
  readonly parcel: Parcel;
  readonly inputs: readonly ValuationInput[];
  /** By a challenge. */
  readonly corrected?: readonly { readonly field: string }[];
}) {
  const { parcel, inputs, corrected = [] } = props;
  return (
    <ul class="property-facts">
      {FACTS.map(([field, wordsOf]) => {
        const input = inputs.find((one) => one.field === field);
        if (!input || input.value === null) return null;
        const words = wordsOf(wordOf(field, input.value));
        const isCorrected = corrected.some((one) => one.field === field);
        const note = isCorrected ? ' (corrected)' : input.source === 'comparables' ? ' (estimated)' : '';
        return <li key={field}>{`${words}${note}`}</li>;
      })}
      <ParcelFacts parcel={parcel} />
    </ul>
  );
}

function ParcelFacts({ parcel }: { readonly parcel: Parcel }) {
  const { parcel_id: id, last_sale: sale, units } = parcel;
  return (
    <>
      {id !== null && <li>Parcel {id}</li>}
      {/* The sales of a building of units are listed with its units. */}
      {(sale !== null || units?.length === 0) && (
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
