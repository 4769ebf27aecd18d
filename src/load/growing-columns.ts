/** Columns that grow a chunk at a time, so that nothing is copied: the values of records while files are read. */
const CHUNK_BITS = 14;
const CHUNK_ROWS = 1 << CHUNK_BITS;

type NumberChunk = Int16Array | Float32Array | Float64Array;
const MOST_INT16 = 0x7fff;
/** null in a chunk of whole numbers. In the others it is NaN. */
const NO_INT16 = -0x8000;

export interface NumberColumn {
  readonly at: (row: number) => number | null;
  readonly set: (row: number, value: number | null) => void;
}

/** Numbers or null, exactly. A chunk is as narrow as its values allow, and takes nothing while all are null. */
export function createNumberColumn(): NumberColumn {
  const chunks: (NumberChunk | undefined)[] = [];
  return {
    at(row) {
      const chunk = chunks[row >> CHUNK_BITS];
      return chunk === undefined ? null : valueAt(chunk, row & (CHUNK_ROWS - 1));
    },
    set(row, value) {
      const at = row >> CHUNK_BITS;
      let chunk = chunks[at];
      if (chunk === undefined) {
        if (value === null) return;
        chunk = chunks[at] = new Int16Array(CHUNK_ROWS).fill(NO_INT16);
      }
      while (!fits(chunk, value)) chunk = chunks[at] = widened(chunk);
      chunk[row & (CHUNK_ROWS - 1)] = value ?? (chunk instanceof Int16Array ? NO_INT16 : NaN);
    },
  };
}

function valueAt(chunk: NumberChunk, position: number): number | null {
  const value = chunk[position];
  return (chunk instanceof Int16Array ? value === NO_INT16 : Number.isNaN(value)) ? null : value;
}

function fits(chunk: NumberChunk, value: number | null): boolean {
  if (value === null || chunk instanceof Float64Array) return true;
  if (chunk instanceof Float32Array) return Math.fround(value) === value;
  return Number.isInteger(value) && Math.abs(value) <= MOST_INT16 && !Object.is(value, -0);
}

function widened(chunk: NumberChunk): NumberChunk {
  const wider = chunk instanceof Int16Array ? new Float32Array(CHUNK_ROWS) : new Float64Array(CHUNK_ROWS);
  for (let i = 0; i < CHUNK_ROWS; i++) wider[i] = valueAt(chunk, i) ?? NaN;
  return wider;
}

export interface CodedColumn<Value> {
  readonly at: (row: number) => Value | null;
  readonly set: (row: number, value: Value | null) => void;
}

/** Values of which many rows have the same, such as cities. Each is kept once. */
export function createCodedColumn<Value extends string>(): CodedColumn<Value> {
  const levels: Value[] = [];
  const codeOf = new Map<Value, number>();
  const codes = createNumberColumn();
  return {
    at(row) {
      const code = codes.at(row);
      return code === null ? null : levels[code];
    },
    set(row, value) {
      let code = value === null ? null : codeOf.get(value);
      if (value !== null && code === undefined) {
        code = levels.push(value) - 1;
        codeOf.set(value, code);
      }
      codes.set(row, code ?? null);
    },
  };
}

interface TextChunk {
  /** Where the text of each row ends. */
  readonly ends: Uint32Array;
  bytes: Buffer;
}

const FIRST_BYTES = CHUNK_ROWS * 8;
/** Bytes of UTF-8 for each unit of a text, at most. */
const MOST_BYTES_PER_UNIT = 3;

/** Texts that nearly all differ, such as ids, as UTF-8. They are added at the end and never changed. */
export function createTextColumn() {
  const chunks: TextChunk[] = [];
  let count = 0;
  return {
    push(text: string): void {
      const position = count++ & (CHUNK_ROWS - 1);
      if (position === 0) {
        const full = chunks.at(-1);
        if (full) full.bytes = Buffer.from(full.bytes.subarray(0, full.ends[CHUNK_ROWS - 1]));
        chunks.push({ ends: new Uint32Array(CHUNK_ROWS), bytes: Buffer.allocUnsafeSlow(FIRST_BYTES) });
      }
      const chunk = chunks[chunks.length - 1];
      const start = position === 0 ? 0 : chunk.ends[position - 1];
      const most = start + MOST_BYTES_PER_UNIT * text.length;
      if (most > chunk.bytes.length) {
        const more = Buffer.allocUnsafeSlow(Math.max(most, 2 * chunk.bytes.length));
        chunk.bytes.copy(more, 0, 0, start);
        chunk.bytes = more;
      }
      chunk.ends[position] = start + chunk.bytes.write(text, start);
    },
    at(row: number): string {
      const { ends, bytes } = chunks[row >> CHUNK_BITS];
      const position = row & (CHUNK_ROWS - 1);
      return bytes.toString('utf8', position === 0 ? 0 : ends[position - 1], ends[position]);
    },
  };
}
