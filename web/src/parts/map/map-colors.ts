export type MapColors = ReturnType<typeof readMapColors>;

/**
 * The colors of the current theme in the form that MapLibre takes, which cannot read CSS variables. They are
 * read through an element, because `light-dark()` is resolved only where a color is used.
 */
export function readMapColors(within: HTMLElement) {
  return withColorReader(within, (read) => ({
    ground: read('var(--map-ground)'),
    edge: read('var(--edge)'),
    house: read('var(--map-house)'),
    text: read('var(--ink)'),
    quiet: read('var(--quiet)'),
    accent: read('var(--accent)'),
    incident: read('var(--series-2)'),
    water: read('var(--map-water)'),
    waterLabel: read('var(--map-water-label)'),
    park: read('var(--map-park)'),
    parkLabel: read('var(--map-park-label)'),
    wood: read('var(--map-wood)'),
    building: read('var(--map-building)'),
    parcel: read('var(--map-parcel)'),
    road: read('var(--map-road)'),
    roadEdge: read('var(--map-road-edge)'),
    majorRoad: read('var(--map-major-road)'),
    highway: read('var(--map-highway)'),
    highwayEdge: read('var(--map-highway-edge)'),
    rail: read('var(--map-rail)'),
    label: read('var(--map-label)'),
  }));
}

/** Each color, such as `var(--step-1)`, with the same color as MapLibre takes it. */
export function readColors(within: HTMLElement, colors: readonly string[]): ReadonlyMap<string, string> {
  return withColorReader(
    within,
    (read) => new Map([...new Set(colors)].map((color) => [color, read(color)])),
  );
}

function withColorReader<Colors>(
  within: HTMLElement,
  readAll: (read: (color: string) => string) => Colors,
): Colors {
  const probe = document.createElement('span');
  within.append(probe);
  const colors = readAll((color) => {
    probe.style.color = color;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return colors;
}
