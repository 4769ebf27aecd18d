import type { Valued } from '../../api/valuations.ts';
import { EmptyState } from '../../parts/basics.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatCount, formatUsd } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { AdjustmentGrid } from './adjustment-grid.tsx';
import { isComplete, type Grid } from './grid.ts';
import { EstimatorSum } from './kind-details.tsx';

/** The comparables with their adjustments, their weighted sum, and the value. */
export function ComparablesSection(props: {
  readonly valued: Valued;
  readonly shown: {
    readonly grid: Grid;
    readonly selected: string | null;
    readonly select: (id: string) => void;
    /** The unit of a rent valuation that the listings are adjusted to. */
    readonly unit: number;
    readonly setUnit: (unit: number) => void;
  };
}) {
  const { valued, shown } = props;
  const { grid, selected, select, unit, setUnit } = shown;
  const { search } = valued.answer.comparables;
  const isRent = valued.kind === 'rent';
  const words = isRent
    ? { price: 'Asking rent', date: 'listed', time: 'Market conditions (date of listing)' }
    : { price: 'Sale price', date: 'sold', time: 'Market conditions (date of sale)' };
  if (grid.rows.length === 0) {
    return (
      <Section title="Comparables">
        <EmptyState title="No comparables found">
          <p>There are none within {search.radius_mi} miles on this date. The value is the model’s alone.</p>
        </EmptyState>
      </Section>
    );
  }
  const units = isRent ? valued.answer.valuation.units : [];
  return (
    <Section
      title="Comparables"
      lead={
        `${grid.rows.length} of ${formatCount(search.candidates)} candidates within ${search.radius_mi} miles. ` +
        `In each row, the ${words.price.toLowerCase()} plus its adjustments is the adjusted ${isRent ? 'rent' : 'price'}.`
      }
    >
      {units.length > 1 && (
        <div class="narrow">
          <SelectField
            label="Adjusted to"
            value={String(unit)}
            choices={units.map(({ unit_index, bedrooms, bathrooms }) => ({
              value: String(unit_index),
              label: `Unit ${unit_index + 1}: ${bedrooms} bed, ${bathrooms} bath`,
            }))}
            onInput={(value) => setUnit(Number(value))}
          />
        </div>
      )}
      <AdjustmentGrid
        grid={grid}
        caption={isRent ? 'Listings and their adjustments' : 'Sales and their adjustments'}
        words={words}
        selected={selected}
        onSelect={select}
      />
      <WeightedNote valued={valued} grid={grid} />
      {valued.kind !== 'building' && <EstimatorSum valued={valued} />}
    </Section>
  );
}

/** If the list has all comparables of the estimator, their weighted sum is the estimator's value. */
function WeightedNote({ valued, grid }: { readonly valued: Valued; readonly grid: Grid }) {
  const estimator = valued.answer.valuation.estimators.find(({ name }) => name === 'comparables');
  if (valued.kind !== 'home' || !estimator) return null;
  return (
    <p class="small quiet">
      {isComplete(grid)
        ? `Σ weight × adjusted price = ${formatUsd(grid.weighted)}, the value by comparables.`
        : `The estimator also uses comparables that are not listed. The value by all of them is ${formatUsd(estimator.value)}.`}
    </p>
  );
}
