import { Section } from '../../parts/page.tsx';
import { SelectField } from '../../parts/field.tsx';
import { EmptyState } from '../../parts/notice.tsx';
import { formatCount, formatUsd } from '../../parts/format.ts';
import type { Valued } from '../../api/valuations.ts';
import { AdjustmentGrid } from './adjustment-grid.tsx';
import { EstimatorSum } from './estimators.tsx';
import { isWhole, type Grid } from './grid.ts';

/** The comparables, added up before the reader's eyes to what they say together, and then to the value. */
export function ComparablesSection(props: {
  readonly valued: Valued;
  readonly grid: Grid;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  /** Of rents the unit that the listings are adjusted to. */
  readonly unit: number;
  readonly onUnit: (unit: number) => void;
}) {
  const { valued, grid, selected, onSelect, unit, onUnit } = props;
  const { search } = valued.answer.comparables;
  const isRent = valued.kind === 'rent';
  const words = isRent ? { price: 'Rent asked', date: 'listed' } : { price: 'Sale price', date: 'sold' };
  const lead =
    `${grid.rows.length} of ${formatCount(search.candidates)} compared within ${search.radius_mi} miles. ` +
    `Every row adds up: ${words.price.toLowerCase()} and its lines make the adjusted ${isRent ? 'rent' : 'price'}.`;
  if (grid.rows.length === 0) {
    return (
      <Section title="Comparables">
        <EmptyState title="None was found nearby.">
          <p>
            Within {search.radius_mi} miles nothing like it was known on that day. The value rests on the
            model alone.
          </p>
        </EmptyState>
      </Section>
    );
  }
  return (
    <Section title="Comparables" lead={lead}>
      {valued.kind === 'rent' && valued.answer.valuation.units.length > 1 && (
        <div class="unit-choice">
          <SelectField
            label="Adjusted to"
            value={String(unit)}
            choices={valued.answer.valuation.units.map(({ unit_index, bedrooms, bathrooms }) => ({
              value: String(unit_index),
              label: `Unit ${unit_index + 1}: ${bedrooms} bed, ${bathrooms} bath`,
            }))}
            onInput={(value) => onUnit(Number(value))}
          />
        </div>
      )}
      <AdjustmentGrid
        grid={grid}
        caption={isRent ? 'Listings and their adjustments' : 'Sales and their adjustments'}
        words={words}
        selected={selected}
        onSelect={onSelect}
      />
      <WeightedNote valued={valued} grid={grid} />
      {valued.kind !== 'building' && <EstimatorSum valued={valued} />}
    </Section>
  );
}

/** Whether the list is all that the estimator rests on: then its sum is the estimator's value. */
function WeightedNote({ valued, grid }: { readonly valued: Valued; readonly grid: Grid }) {
  const told = valued.answer.valuation.estimators.find(({ name }) => name === 'comparables');
  if (valued.kind !== 'home' || !told) return null;
  if (!isWhole(grid)) {
    return (
      <p class="small quiet">
        The estimator also rests on comparables farther away than are listed: together they say{' '}
        {formatUsd(told.value)}.
      </p>
    );
  }
  return (
    <p class="small quiet">
      Σ weight × adjusted price = {formatUsd(grid.weighted)}, which is what the comparables say together.
    </p>
  );
}
