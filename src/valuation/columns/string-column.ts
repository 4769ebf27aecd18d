/**
 * Texts of many rows in one buffer: row i is bytes offsets[i] … offsets[i+1], UTF-8. Snapshots are
 * mapped into memory, not parsed.
 */
export interface StringColumn {
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function stringColumnOf(texts: readonly string[]): StringColumn {
  const offsets = new Uint32Array(texts.length + 1);
  const parts = texts.map((text) => encoder.encode(text));
  for (let i = 0; i < parts.length; i++) offsets[i + 1] = offsets[i] + parts[i].length;
  const bytes = new Uint8Array(offsets[texts.length]);
  for (let i = 0; i < parts.length; i++) bytes.set(parts[i], offsets[i]);
  return { offsets, bytes };
}

export function textAt(column: StringColumn, row: number): string {
  return decoder.decode(column.bytes.subarray(column.offsets[row], column.offsets[row + 1]));
}
