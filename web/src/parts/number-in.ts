/** `$1,234`, `60%` and `−500` as numbers; NaN if the text is none. */
export function numberIn(text: string): number {
  const digits = text.replaceAll(/[$,%\s]/g, '').replace('−', '-');
  return digits === '' ? Number.NaN : Number(digits);
}

/** The same; null for a blank text. */
export function numberOrNull(text: string): number | null {
  return text.trim() === '' ? null : numberIn(text);
}

/** `-47,967`: how a field shows an amount. Empty for none. */
export function amountText(amount: number | null | undefined): string {
  return amount?.toLocaleString('en-US') ?? '';
}

/** `sentence`, which says what to enter, if the text is no number within the limits. Blank texts are not wrong. */
export function wrongNumber(
  text: string,
  [least, most]: readonly [number, number],
  sentence: string,
  isWhole = false,
): string | null {
  const value = numberOrNull(text);
  if (value === null) return null;
  const isRight = value >= least && value <= most && (!isWhole || Number.isInteger(value));
  return isRight ? null : sentence;
}
