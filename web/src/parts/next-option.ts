/** The next or previous option of a suggestion list, which wraps around; −1 is the text itself. */
export function nextOption(option: number, count: number, step: 1 | -1): number {
  const places = count + 1;
  return ((((option + 1 + step) % places) + places) % places) - 1;
}
