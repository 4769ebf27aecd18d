/** Colours of the theme in force, as MapLibre takes them: it knows nothing of CSS variables. */
export interface MapColours {
  readonly ground: string;
  readonly county: string;
  readonly area: string;
  readonly street: string;
  readonly streetEdge: string;
  readonly text: string;
  readonly quiet: string;
  readonly halo: string;
  readonly accent: string;
  readonly incident: string;
  readonly low: string;
  readonly high: string;
}

const VARIABLES: Readonly<Record<keyof MapColours, string>> = {
  ground: '--map-ground',
  county: '--edge',
  area: '--edge',
  street: '--map-street',
  streetEdge: '--map-street-edge',
  text: '--ink',
  quiet: '--quiet',
  halo: '--map-ground',
  accent: '--accent',
  incident: '--series-2',
  low: '--series-1',
  high: '--series-2',
};

/** Reads them through an element, since `light-dark()` is told apart only where a colour is used. */
export function readMapColours(within: HTMLElement): MapColours {
  const probe = document.createElement('span');
  within.append(probe);
  const read = (variable: string): string => {
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    ground: read(VARIABLES.ground),
    county: read(VARIABLES.county),
    area: read(VARIABLES.area),
    street: read(VARIABLES.street),
    streetEdge: read(VARIABLES.streetEdge),
    text: read(VARIABLES.text),
    quiet: read(VARIABLES.quiet),
    halo: read(VARIABLES.halo),
    accent: read(VARIABLES.accent),
    incident: read(VARIABLES.incident),
    low: read(VARIABLES.low),
    high: read(VARIABLES.high),
  };
  probe.remove();
  return colours;
}
