import { LINES_EXPLAINED, WEIGHTS_EXPLAINED } from '../../../../src/domain/adjustment-fields.ts';
import type { RentalValuation, Valued } from '../../api/valuations.ts';
import { useState } from 'preact/hooks';
import { Badge, Button, EmptyState, Waiting } from '../../parts/basics.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatCount, formatDay, formatMany, formatPercent, formatUsd } from '../../parts/format.ts';
import { GoToSection, Section } from '../../parts/page.tsx';
import { saveCsv } from '../../parts/save-csv.ts';
import { AdjustmentGrid, ASCENDING_FIRST, SORTS } from './adjustment-grid.tsx';
import {
  adjustedRange,
  FIRST_VIEW,
  isComplete,
  priorSaleText,
  totalsText,
  type Grid,
  type GridRow,
  type GridView,
} from './grid.ts';
import type { ShownComparables } from './use-comparables.ts';
import { AdjustDialog } from './change-dialogs.tsx';
import { isPinned, withAdjusted, withExclusion, withoutReason, withPin } from './changes.ts';
import { comparableRows } from './comparables-csv.ts';
import { MISSING_REASON } from './change-list.tsx';
import type { ShownChallenge } from './use-challenge.ts';
import { EstimatorSum } from './kind-details.tsx';

/** The comparables with their adjustments, their weighted sum, and the value. */
export function ComparablesSection(props: {
  readonly valued: Valued;
  readonly shown: ShownComparables & { readonly grid: Grid };
  readonly challenge: ShownChallenge;
  readonly isStored?: boolean;
}) {
  const { valued, shown, challenge, isStored = false } = props;
  const [adjusted, setAdjusted] = useState<GridRow | null>(null);
  const { grid, rows, view, setView, selected, select, hover, unit, setUnit } = shown;
  const { candidates } = valued.response.comparables.search;
  const isRent = valued.kind === 'rent';
  const words = isRent
    ? { price: 'Asking rent', date: 'listed', time: 'Market conditions (date of listing)' }
    : { price: 'Sale price', date: 'sold', time: 'Market conditions (date of sale)' };
  if (grid.rows.length === 0)
    return <NoComparables valued={valued} isStored={isStored} isLoading={challenge.preview.isLoading} />;
  const stored = valued.kind === 'home' ? (valued.response.changes?.adjustments ?? []) : [];
  const replaced = challenge.isChanged ? challenge.changes.overrides : stored;
  const excludedCount = Object.keys(challenge.changes.excluded).length;
  const hasChoices = grid.rows.some(({ choice }) => choice !== null) || excludedCount > 0;
  return (
    <Section
      title="Comparables"
      lead={
        `${listWords(grid.rows.length, hasChoices ? null : candidates, isRent)} ` +
        `In each row, the ${words.price.toLowerCase()} plus its adjustments is the adjusted ${isRent ? 'rent' : 'price'}.`
      }
    >
      {isRent && <UnitChoice units={valued.response.valuation.units} unit={unit} onChange={setUnit} />}
      <ViewControls view={view} isRent={isRent} onChange={setView} />
      <HiddenRows shown={shown} challenge={challenge} isRent={isRent} />
      <AdjustmentGrid
        grid={grid}
        shownRows={rows}
        sorting={view.sorting}
        onSort={(sorting) => setView({ ...view, sorting })}
        caption={isRent ? 'Listings and their adjustments' : 'Sales and their adjustments'}
        words={words}
        selected={selected}
        onSelect={select}
        onHover={hover}
        isReplaced={(row, field) => replaced.some((line) => line.comp_id === row.id && line.field === field)}
        actionsOf={
          challenge.id === null
            ? (row) => row.choice && <Badge>{row.choice}</Badge>
            : (row) => <RowActions row={row} challenge={challenge} onAdjust={() => setAdjusted(row)} />
        }
      />
      <ListEnd valued={valued} shown={shown} />
      <p class="small quiet">
        Below an amount is what the comparable has → what this home has. {LINES_EXPLAINED} Net and gross
        adjustments are in percent of the price; the second line is without market conditions.{' '}
        {valued.kind === 'home' && WEIGHTS_EXPLAINED}
      </p>
      {adjusted && (
        <AdjustDialog
          row={adjusted}
          onClose={() => setAdjusted(null)}
          onAdjust={(lines) => challenge.change(withAdjusted(challenge.changes, adjusted.id, lines))}
        />
      )}
      <WeightedNote valued={valued} grid={grid} />
      {valued.kind !== 'building' && <EstimatorSum valued={valued} />}
    </Section>
  );
}

function NoComparables(props: {
  readonly valued: Valued;
  readonly isStored: boolean;
  readonly isLoading: boolean;
}) {
  const { valued, isStored, isLoading } = props;
  if (isLoading) {
    return (
      <Section title="Comparables">
        <Waiting for="Listing the comparables" />
      </Section>
    );
  }
  const { radius_mi: radiusMi } = valued.response.comparables.search;
  return (
    <Section title="Comparables">
      {isStored && valued.kind !== 'home' ? (
        <EmptyState title="No comparables stored">
          <p>This value was requested without comparables, or there are none. “Value again” lists them.</p>
        </EmptyState>
      ) : (
        <EmptyState title="No comparables found">
          <p>There are none within {radiusMi} miles on this date. The value is the model’s alone.</p>
        </EmptyState>
      )}
    </Section>
  );
}

/** The unit whose rent the listings are adjusted to. */
function UnitChoice(props: {
  readonly units: RentalValuation['valuation']['units'];
  readonly unit: number;
  readonly onChange: (unit: number) => void;
}) {
  const { units, unit, onChange } = props;
  if (units.length < 2) return null;
  return (
    <div class="narrow">
      <SelectField
        label="Adjusted to"
        value={String(unit)}
        choices={units.map(({ unit_index, bedrooms, bathrooms }) => ({
          value: String(unit_index),
          label: `Unit ${unit_index + 1}: ${bedrooms} bed, ${bathrooms} bath`,
        }))}
        onInput={(value) => onChange(Number(value))}
      />
    </div>
  );
}

/** How many rows the limits hide, and how many sales are excluded. */
function HiddenRows(props: {
  readonly shown: ShownComparables & { readonly grid: Grid };
  readonly challenge: ShownChallenge;
  readonly isRent: boolean;
}) {
  const { shown, challenge, isRent } = props;
  const { grid, rows, view, setView } = shown;
  const excludedCount = Object.keys(challenge.changes.excluded).length;
  return (
    <>
      {rows.length < grid.rows.length && (
        <p class="small quiet" role="status">
          {rows.length} of {grid.rows.length} shown. The value uses all of them.{' '}
          <button
            type="button"
            class="link"
            onClick={() => setView({ ...FIRST_VIEW, sorting: view.sorting })}
          >
            Show all
          </button>
        </p>
      )}
      {excludedCount > 0 && (
        <p class="small quiet" role="status">
          {formatMany(excludedCount, isRent ? 'listing' : 'sale')} excluded.
          {withoutReason(challenge.changes).length > 0 && (
            <>
              {' '}
              <GoToSection anchor={MISSING_REASON}>Give the reasons</GoToSection>
            </>
          )}
        </p>
      )}
    </>
  );
}

/** The search of a value is wider than that of its list, so that no distance is named. Chosen sales need none. */
function listWords(count: number, candidates: number | null, isRent: boolean): string {
  const rows = isRent ? 'listing' : 'sale';
  return candidates !== null && candidates > count
    ? `${count} of the ${formatCount(candidates)} nearest ${rows}s.`
    : `${formatMany(count, rows)}.`;
}

const LIMITS = [
  {
    name: 'radiusMi',
    label: 'Radius',
    none: 'Any',
    values: [0.25, 0.5, 1, 2, 5],
    wordOf: (miles: number) => `${miles} mi`,
  },
  {
    name: 'months',
    label: 'Sold within',
    none: 'Any time',
    values: [6, 12, 24, 36],
    wordOf: (months: number) => `${months} months`,
  },
  { name: 'count', label: 'Number shown', none: 'All', values: [5, 10, 15], wordOf: String },
] as const;

/** Limits of the list, and its order for a phone, where the table has no heads. */
function ViewControls(props: {
  readonly view: GridView;
  readonly isRent: boolean;
  readonly onChange: (view: GridView) => void;
}) {
  const { view, isRent, onChange } = props;
  return (
    <div class="row filters">
      {LIMITS.map(({ name, label, none, values, wordOf }) => (
        <SelectField
          key={name}
          label={isRent && name === 'months' ? 'Listed within' : label}
          value={String(view[name] ?? '')}
          choices={[
            { value: '', label: none },
            ...values.map((one) => ({ value: String(one), label: wordOf(one) })),
          ]}
          onInput={(value) => onChange({ ...view, [name]: value === '' ? null : Number(value) })}
        />
      ))}
      <div class="sort-choice">
        <SelectField
          label="Sort by"
          value={view.sorting.column}
          choices={Object.entries(SORTS).map(([value, label]) => ({ value, label }))}
          onInput={(column) =>
            onChange({ ...view, sorting: { column, isDescending: !ASCENDING_FIRST.has(column) } })
          }
        />
      </div>
    </div>
  );
}

function RowActions(props: {
  readonly row: GridRow;
  readonly challenge: ShownChallenge;
  readonly onAdjust: () => void;
}) {
  const { row, challenge, onAdjust } = props;
  const { changes, change } = challenge;
  const isRowPinned = isPinned(changes, row.id);
  return (
    <span class="grid-actions small">
      {row.choice && <Badge>{row.choice}</Badge>}
      {row.choice !== 'added' && (
        <>
          <button
            type="button"
            class="link"
            aria-label={`${isRowPinned ? 'Unpin' : 'Pin'} comparable ${row.number}`}
            onClick={() => change(withPin(changes, row.id, !isRowPinned))}
          >
            {isRowPinned ? 'Unpin' : 'Pin'}
          </button>
          <button
            type="button"
            class="link"
            aria-label={`Exclude comparable ${row.number}`}
            onClick={() => change(withExclusion(changes, row.id))}
          >
            Exclude
          </button>
        </>
      )}
      <button type="button" class="link" aria-label={`Adjust comparable ${row.number}`} onClick={onAdjust}>
        Adjust
      </button>
    </span>
  );
}

/** Only when the user wants it, because the map leaves the window. */
function showRow(id: string): void {
  const row = document.querySelector(`[data-comp="${CSS.escape(id)}"]`);
  row?.scrollIntoView({ block: 'center', behavior: 'smooth' });
}

/** The selected comparable, on the map. */
export function ComparableCard({ row, onClose }: { readonly row: GridRow; readonly onClose: () => void }) {
  const { number, title, note, price, date, proximity, adjusted, weight, totals } = row;
  return (
    <>
      <div class="row spread">
        <strong>
          {number}. {title}
        </strong>
        <span class="row">
          <button type="button" class="link small" onClick={() => showRow(row.id)}>
            Show in the table
          </button>
          <button type="button" class="link small" onClick={onClose}>
            Close
          </button>
        </span>
      </div>
      <span class="small">
        <strong>{formatUsd(price)}</strong> on {formatDay(date)} · {proximity}
      </span>
      {note && <span class="small quiet">{note}</span>}
      <span class="small quiet">{priorSaleText(row)}</span>
      <span class="small">
        Adjusted <strong>{formatUsd(adjusted)}</strong> · weight {formatPercent(weight)}
      </span>
      <span class="small quiet">Net and gross adjustment {totalsText(totals.all)}</span>
    </>
  );
}

/** Where the adjusted prices lie, and the list as a file: all of it, whatever the limits of the view. */
function ListEnd(props: {
  readonly valued: Valued;
  readonly shown: Pick<ShownComparables, 'records' | 'areRecordsLoading'> & { readonly grid: Grid };
}) {
  const { valued, shown } = props;
  const { grid, records, areRecordsLoading } = shown;
  const { least, median, most } = adjustedRange(grid);
  const { as_of_date: asOf } = valued.response.valuation;
  const ids = new Set(grid.rows.map(({ id }) => id));
  const items = valued.response.comparables.items.filter(({ comp_id }) => ids.has(comp_id));
  return (
    <div class="row spread">
      <p>
        Adjusted {valued.kind === 'rent' ? 'rents' : 'prices'}: {formatUsd(least)} – {formatUsd(most)}, median{' '}
        <strong>{formatUsd(median)}</strong>
      </p>
      <Button
        isSmall
        isDisabled={areRecordsLoading}
        onClick={() => saveCsv(`comparables-${asOf}.csv`, comparableRows(items, records))}
      >
        Download comparables (CSV)
      </Button>
    </div>
  );
}

/** If the list has all comparables of the estimator, their weighted sum is the estimator's value. */
function WeightedNote({ valued, grid }: { readonly valued: Valued; readonly grid: Grid }) {
  const estimator = valued.response.valuation.estimators.find(({ name }) => name === 'comparables');
  if (valued.kind !== 'home' || !estimator) return null;
  return (
    <p class="small quiet">
      {isComplete(grid)
        ? `Each adjusted price times its weight, added up, is the value by comparables: ${formatUsd(grid.weighted)}.`
        : `The estimator also uses comparables that are not listed. The value by all of them is ${formatUsd(estimator.value)}.`}
    </p>
  );
}
