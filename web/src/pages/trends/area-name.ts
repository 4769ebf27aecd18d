import type { MarketArea } from '../../api/markets.ts';
import { placeAmong } from '../../parts/place-in-market.ts';

/** `Census Tract 12 · 53033001200`, `ZIP 98103`, `Area 3, 2.41 mi NW of the center` */
export function areaName({ area, name }: Pick<MarketArea, 'area' | 'name'>): string {
  const [level, id = ''] = area.split(':');
  if (level === 'tract') return name === null ? id : `${name} · ${id}`;
  if (level === 'zip') return `ZIP ${id}`;
  return name === null ? `Area ${id}` : `Area ${id}, ${name}`;
}

/** Areas of the model have no name: they are named by where they are. */
export function namedAreas(areas: readonly MarketArea[]): MarketArea[] {
  const placeOf = placeAmong(areas);
  return areas.map((area) => (area.area.startsWith('model_area:') ? { ...area, name: placeOf(area) } : area));
}
