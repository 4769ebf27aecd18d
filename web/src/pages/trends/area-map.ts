import type { MarketArea } from '../../api/markets.ts';
import { formatChangePct } from '../../parts/format.ts';
import type { MapContent } from '../../parts/map/map-content.ts';
import { middleOf } from '../../parts/place-in-market.ts';
import { areaName } from './area-name.ts';

/** Classes by the difference from the market, in percentage points. */
export const CLASSES = [
  { below: -2, name: 'more than 2 points below the market', color: 'var(--low-2)' },
  { below: -0.5, name: '0.5 to 2 below', color: 'var(--low-1)' },
  { below: 0.5, name: 'within 0.5', color: 'var(--even)' },
  { below: 2, name: '0.5 to 2 above', color: 'var(--high-1)' },
  { below: Infinity, name: 'more than 2 above', color: 'var(--high-2)' },
] as const;

/** Streets and water stay visible below the colors. */
const OPACITY = 0.7;

export type ChangedArea = MarketArea & { readonly year_over_year_pct: number };

export const hasChange = (area: MarketArea): area is ChangedArea => area.year_over_year_pct !== null;

/**
 * Areas with an outline are filled, the others are dots. Each has its change as a label; of labels that would overlap,
 * those of the areas with the most sales are shown.
 */
export function areaMap(
  areas: readonly ChangedArea[],
  market: number,
): Pick<MapContent, 'areas' | 'markers' | 'labels'> {
  const colorOf = ({ year_over_year_pct: change }: ChangedArea): string =>
    CLASSES.find(({ below }) => change - market < below)?.color ?? 'var(--even)';
  return {
    areas: areas.flatMap((area) =>
      area.outline ? [{ id: area.area, outline: area.outline, color: colorOf(area), opacity: OPACITY }] : [],
    ),
    markers: areas
      .filter(({ outline }) => outline === null)
      .map((area) => ({
        id: area.area,
        kind: 'incident',
        latitude: area.latitude,
        longitude: area.longitude,
        color: colorOf(area),
        title: `${areaName(area)}: ${formatChangePct(area.year_over_year_pct)} in a year`,
      })),
    labels: areas
      .toSorted((a, b) => b.sales - a.sales)
      .map(({ latitude, longitude, outline, year_over_year_pct: change }) => ({
        ...(outline ? middleOf(outline) : { latitude, longitude }),
        text: formatChangePct(change),
        isBeside: outline === null,
      })),
  };
}
