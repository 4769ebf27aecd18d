export type MapColors = ReturnType<typeof readMapColors>;

/**
 * The colors of the current theme in the form that MapLibre takes, which cannot read CSS variables. They are
 * read through an element, because `light-dark()` is resolved only where a color is used.
 */
export function readMapColors(within: HTMLElement) {
  const probe = document.createElement('span');
  within.append(probe);
  const read = (variable: string): string => {
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  };
  const colors = {
    ground: read('--map-ground'),
    edge: read('--edge'),
    house: read('--map-house'),
    text: read('--ink'),
    quiet: read('--quiet'),
    accent: read('--accent'),
    incident: read('--series-2'),
  };
  probe.remove();
  return colors;
}
