/** An instant as responses write it: RFC 3339 in UTC, with milliseconds. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}
