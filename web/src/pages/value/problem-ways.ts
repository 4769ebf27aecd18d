/**
 * The day that a refusal names as the first that is served, if it is later than the one that was asked; null where it names none.
 * Other days of the sentence are no way on: the day asked is refused again.
 */
export function earliestDateIn(sentence: string, askedDay: string): string | null {
  const told = /\b(?:earliest|first)\b[^.;]*?\b(\d{4}-\d{2}-\d{2})\b/.exec(sentence);
  return told && told[1] > askedDay ? told[1] : null;
}
