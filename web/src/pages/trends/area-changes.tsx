import '../markets/markets.css';
import { useMemo, useState } from 'preact/hooks';
import type { MarketArea, MarketAreas } from '../../api/markets.ts';
import { Button } from '../../parts/basics.tsx';
import { UNKNOWN, formatChangePct, formatMany, formatMonth, formatUsd } from '../../parts/format.ts';
import { MapView } from '../../parts/map/map-view.tsx';
import { Section } from '../../parts/page.tsx';
import { Legend } from '../../parts/plot.tsx';
import { numberColumn, Table, type Column } from '../../parts/table.tsx';
import { areaMap, CLASSES, hasChange, type ChangedArea } from './area-map.ts';
import { areaName } from './area-name.ts';
import { jumpInYear } from './index-plots.tsx';
import { saveCsv } from '../../parts/save-csv.ts';

/** A map and a table of the 12-month change by area. Areas without an outline are dots. */
export function AreaChanges({ found }: { readonly found: MarketAreas }) {
  const { areas, last_month: last, year_over_year_pct: market } = found;
  const [selected, setSelected] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const changed = useMemo(() => areas.filter(hasChange), [areas]);
  const drawn = useMemo(() => areaMap(changed, market ?? 0), [changed, market]);
  const shown = changed.find(({ area }) => area === (hovered ?? selected));
  const jump = jumpInYear(found);
  const without = areas.length - changed.length;
  return (
    <Section
      title="Change by area"
      lead={[
        `12 months to ${formatMonth(last)}; the market ${formatChangePct(market)}.`,
        jump,
        without > 0 && `${formatMany(without, 'area')} with fewer than 20 sales in 24 months have no index.`,
        areas.some(({ area }) => area.startsWith('model_area:')) &&
          'Numbered areas are groups of neighboring sales; the map of accuracy has other areas.',
      ]
        .filter(Boolean)
        .join(' ')}
      actions={
        <Button
          isSmall
          onClick={() =>
            saveCsv(
              `${found.market}-areas.csv`,
              areas.map(({ outline: _outline, ...row }) => row),
            )
          }
        >
          Download CSV
        </Button>
      }
    >
      {changed.length === 0 ? (
        <p>No area has a 12-month change: the history is shorter, or sales are too few.</p>
      ) : (
        <div class="stack">
          <Legend entries={CLASSES.map(({ name, color }) => ({ label: name, color }))} />
          <MapView
            label={`Map of ${formatMany(changed.length, 'area')} with the change of each in 12 months, colored by the difference from the market`}
            alternative="Point at or click an area for its name. The table below lists the same."
            {...drawn}
            selectedId={selected}
            onSelect={setSelected}
            onHover={setHovered}
            card={shown && <ChangeCard area={shown} />}
          />
          <details class="plot-table">
            <summary>Show as a table</summary>
            <Table
              caption="Change by area"
              rows={areas}
              keyOf={({ area }) => area}
              columns={COLUMNS}
              sorting={{ column: IN_A_YEAR, isDescending: true }}
            />
          </details>
        </div>
      )}
    </Section>
  );
}

/** The area under the pointer, or the selected one. */
function ChangeCard({ area }: { readonly area: ChangedArea }) {
  return (
    <>
      <strong>{areaName(area)}</strong>
      <span>{formatChangePct(area.year_over_year_pct)} in a year</span>
      <span>{formatMany(area.sales, 'sale')}</span>
    </>
  );
}

const IN_A_YEAR = '12-month change';

const COLUMNS: readonly Column<MarketArea>[] = [
  { label: 'Area', isRowHeader: true, sortBy: areaName, cell: areaName },
  numberColumn(
    IN_A_YEAR,
    (area) => area.year_over_year_pct,
    (value) => formatChangePct(value ?? null),
  ),
  numberColumn('Sales', ({ sales }) => sales),
  numberColumn('Median price', (area) => area.median_price, formatUsd),
  numberColumn(
    'Per sq ft',
    (area) => area.median_price_per_sqft,
    (value) => value?.toFixed(2) ?? UNKNOWN,
  ),
];
