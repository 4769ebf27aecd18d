/** `$1,234`, `60%` and `−500` as numbers; NaN if the text is none. */
export function numberIn(text: string): number {
  const digits = text.replaceAll(/[$,%\s]/g, '').replace('−', '-');
  return digits === '' ? Number.NaN : Number(digits);
}
