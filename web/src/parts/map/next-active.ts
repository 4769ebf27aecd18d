/** The choice after or before one in a list that goes round; −1 is the text itself. */
export function nextActive(active: number, count: number, step: 1 | -1): number {
  const places = count + 1;
  return ((((active + 1 + step) % places) + places) % places) - 1;
}
