/** Colors of the current theme in the form that MapLibre takes: it cannot read CSS variables. */
export interface MapColors {
  readonly ground: string;
  readonly county: string;
  readonly area: string;
  readonly house: string;
  readonly text: string;
  readonly quiet: string;
  readonly halo: string;
  readonly accent: string;
  readonly incident: string;
  readonly low: string;
  readonly high: string;
}

const VARIABLES: Readonly<Record<keyof MapColors, string>> = {
  ground: '--map-ground',
  county: '--edge',
  area: '--edge',
  house: '--map-house',
  text: '--ink',
  quiet: '--quiet',
  halo: '--map-ground',
  accent: '--accent',
  incident: '--series-2',
  low: '--series-1',
  high: '--series-2',
};

/** Reads them through an element, because `light-dark()` is resolved only where a color is used. */
export function readMapColors(within: HTMLElement): MapColors {
  const probe = document.createElement('span');
  within.append(probe);
  const read = (variable: string): string => {
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  };
  const colors = {
    ground: read(VARIABLES.ground),
    county: read(VARIABLES.county),
    area: read(VARIABLES.area),
    house: read(VARIABLES.house),
    text: read(VARIABLES.text),
    quiet: read(VARIABLES.quiet),
    halo: read(VARIABLES.halo),
    accent: read(VARIABLES.accent),
    incident: read(VARIABLES.incident),
    low: read(VARIABLES.low),
    high: read(VARIABLES.high),
  };
  probe.remove();
  return colors;
}
