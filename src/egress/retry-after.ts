/** How long a Retry-After header (RFC 9110, section 10.2.3: seconds or a date) says to wait, in ms; null without one. */
export function retryAfterMs(header: string | readonly string[] | undefined, now: number): number | null {
  const text = [header ?? ''].flat()[0].trim();
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
