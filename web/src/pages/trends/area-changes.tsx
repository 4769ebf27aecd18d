import '../markets/markets.css';
import { useMemo } from 'preact/hooks';
import type { MarketArea, MarketAreas } from '../../api/markets.ts';
import { Button } from '../../parts/basics.tsx';
import { UNKNOWN, formatChangePct, formatMany, formatMonth, formatUsd } from '../../parts/format.ts';
import { outlinedFeatures, shrinkAt, type OutlinedFeature } from '../../parts/outlines.ts';
import { Section } from '../../parts/page.tsx';
import { PlotFigure } from '../../parts/plot.tsx';
import { numberColumn, Table } from '../../parts/table.tsx';
import { areaName } from './area-name.ts';
import { saveCsv } from '../../parts/save-csv.ts';

/** Classes by the difference from the market, in percentage points. */
const CLASSES = [
  { below: -2, name: 'more than 2 points below the market', color: 'var(--low-2)' },
  { below: -0.5, name: '0.5 to 2 below', color: 'var(--low-1)' },
  { below: 0.5, name: 'within 0.5', color: 'var(--even)' },
  { below: 2, name: '0.5 to 2 above', color: 'var(--high-1)' },
  { below: Infinity, name: 'more than 2 above', color: 'var(--high-2)' },
] as const;

type ChangedArea = MarketArea & { readonly year_over_year_pct: number };

const hasChange = (area: MarketArea): area is ChangedArea => area.year_over_year_pct !== null;

/** A map and a table of the 12-month change by area. Areas without an outline are circles. */
export function AreaChanges({ found }: { readonly found: MarketAreas }) {
  const { areas, last_month: last, year_over_year_pct: market } = found;
  const changed = useMemo(() => areas.filter(hasChange), [areas]);
  const drawn = useMemo(() => {
    const outlined = changed.flatMap((area) => (area.outline ? [{ ...area, outline: area.outline }] : []));
    const { features } = outlinedFeatures(outlined);
    const shrink = shrinkAt(changed.map(({ latitude }) => latitude));
    const points = changed
      .filter(({ outline }) => outline === null)
      .map((area) => ({ ...area, x: area.longitude * shrink, y: area.latitude }));
    return { features, points };
  }, [changed]);
  const colorOf = (area: ChangedArea) => {
    const difference = area.year_over_year_pct - (market ?? 0);
    return CLASSES.find(({ below }) => difference < below)?.color ?? 'var(--even)';
  };
  const titleOf = (area: ChangedArea) =>
    `${areaName(area)}\n${formatChangePct(area.year_over_year_pct)} in a year, ${formatMany(area.sales, 'sale')}`;
  const without = areas.length - changed.length;
  return (
    <Section
      title="Change by area"
      lead={`12 months to ${formatMonth(last)}; the market ${formatChangePct(market)}.${without > 0 ? ` ${formatMany(without, 'area')} with fewer than 20 sales in 24 months have no index.` : ''}`}
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
        <PlotFigure
          label={`${formatMany(changed.length, 'area')}, north at the top, by the difference from the market.`}
          inputs={[drawn]}
          legend={CLASSES.map(({ name, color }) => ({ label: name, color }))}
          plot={(Plot, width) => ({
            height: Math.max(260, Math.min(620, width * 0.7)),
            axis: null,
            projection: {
              type: 'reflect-y',
              domain: {
                type: 'FeatureCollection',
                features: [
                  ...drawn.features,
                  {
                    type: 'Feature',
                    properties: {},
                    geometry: { type: 'MultiPoint', coordinates: drawn.points.map(({ x, y }) => [x, y]) },
                  },
                ],
              },
              inset: 16,
            },
            marks: [
              Plot.geo(drawn.features, {
                fill: ({ properties }: OutlinedFeature<ChangedArea>) => colorOf(properties),
                stroke: 'var(--line)',
                strokeWidth: 0.75,
                title: ({ properties }: OutlinedFeature<ChangedArea>) => titleOf(properties),
              }),
              Plot.dot(drawn.points, {
                x: 'x',
                y: 'y',
                r: 12,
                fill: colorOf,
                stroke: 'var(--line)',
                title: titleOf,
              }),
            ],
          })}
          table={() => (
            <Table
              caption="Change by area"
              rows={areas}
              keyOf={({ area }) => area}
              columns={[
                { label: 'Area', isRowHeader: true, sortBy: areaName, cell: areaName },
                numberColumn<MarketArea>(
                  'In a year',
                  (area) => area.year_over_year_pct,
                  (value) => formatChangePct(value ?? null),
                ),
                numberColumn<MarketArea>('Sales', ({ sales }) => sales),
                numberColumn<MarketArea>('Median price', (area) => area.median_price, formatUsd),
                numberColumn<MarketArea>(
                  'Per sq ft',
                  (area) => area.median_price_per_sqft,
                  (value) => value?.toFixed(2) ?? UNKNOWN,
                ),
              ]}
              sorting={{ column: 'In a year', isDescending: true }}
            />
          )}
        />
      )}
    </Section>
  );
}
