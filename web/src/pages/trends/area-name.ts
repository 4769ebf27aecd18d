/** `Census Tract 12 · 53033001200`, `ZIP 98103`, `Area 3` */
export function areaName({ area, name }: { readonly area: string; readonly name: string | null }): string {
  const [level, id = ''] = area.split(':');
  if (level === 'tract') return name === null ? id : `${name} · ${id}`;
  return level === 'zip' ? `ZIP ${id}` : `Area ${id} of the model`;
}
