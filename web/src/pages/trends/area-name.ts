import type { MarketArea } from '../../api/markets.ts';
import { nameApart } from '../../parts/place-in-market.ts';

/** `Census Tract 12 · 53033001200`, `ZIP 98103`, `Area 3, around N 35th St` */
export function areaName({ area, name }: Pick<MarketArea, 'area' | 'name'>): string {
  const [level, id = ''] = area.split(':');
  if (level === 'tract') return name === null ? id : `${name} · ${id}`;
  if (level === 'zip') return `ZIP ${id}`;
  return name === null ? `Area ${id}` : `Area ${id}, ${name}`;
}

/** Only the small areas of the model may share a name or have none. */
export function namedAreas(areas: readonly MarketArea[]): MarketArea[] {
  const names = nameApart(areas);
  return areas.map((area, at) => (area.area.startsWith('model_area:') ? { ...area, name: names[at] } : area));
}
