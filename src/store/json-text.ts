import type { JsonValue } from '../domain/json.ts';

/** JSON with members in order of their names: equal values are equal text on every engine and run. */
export function jsonText(value: JsonValue): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Parses such text. The tables hold only what `jsonText` wrote, and the caller names the type that was written. */
export function parseJsonText<T>(text: string): T {
  const value: T = JSON.parse(text);
  return value;
}
