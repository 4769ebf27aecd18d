/**
 * A file of named typed arrays with a JSON description: the format of snapshots, models and area layers. It
 * is designed to be mapped, not parsed: opening a million rows takes microseconds, because arrays are views
 * of the given bytes.
 *
 *   0  8 bytes  magic "PLUMBARC"
 *   8  u32      format version
 *  12  u32      length of the header in bytes
 *  16  header   JSON {meta, bytes, arrays: [[name, kind, offset, length], …]}, padded with spaces to 8 bytes
 *   …  arrays   little-endian, each starting at a multiple of 8, padded with zeros
 *
 * Equal input gives equal bytes, so a file can be named by its hash.
 */

export type ArchiveArray =
  Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

interface ArrayConstructor<A extends ArchiveArray> {
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A;
}

const KINDS = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
} as const satisfies Record<string, ArrayConstructor<ArchiveArray>>;

type Kind = keyof typeof KINDS;
type Entry = readonly [name: string, kind: Kind, offset: number, length: number];

export interface Archive<Meta = unknown> {
  readonly meta: Meta;
  readonly arrays: Readonly<Record<string, ArchiveArray>>;
}

const MAGIC = 'PLUMBARC';
const VERSION = 1;
const PREFIX_BYTES = 16;

/**
 * An archive as its parts in order, of which the arrays are views. Arrays are written in the order of their names.
 *
 * @param meta is written as JSON
 */
export function archiveParts(
  meta: object | null,
  arrays: Readonly<Record<string, ArchiveArray>>,
): readonly Uint8Array[] {
  const entries: Entry[] = [];
  const body: Uint8Array[] = [];
  let bodyBytes = 0;
  for (const name of Object.keys(arrays).sort()) {
    const { buffer, byteOffset, byteLength, length } = arrays[name];
    entries.push([name, kindOf(arrays[name]), bodyBytes, length]);
    body.push(
      new Uint8Array(buffer, byteOffset, byteLength),
      new Uint8Array(aligned(byteLength) - byteLength),
    );
    bodyBytes += aligned(byteLength);
  }
  const text = new TextEncoder().encode(JSON.stringify({ meta, bytes: bodyBytes, arrays: entries }));
  const header = new Uint8Array(PREFIX_BYTES + aligned(text.length)).fill(0x20);
  const view = new DataView(header.buffer);
  header.set(new TextEncoder().encode(MAGIC));
  view.setUint32(8, VERSION, true);
  view.setUint32(12, header.length - PREFIX_BYTES, true);
  header.set(text, PREFIX_BYTES);
  return [header, ...body];
}

/** An archive in one piece. `allocate` makes its bytes, such as in shared memory. */
export function packArchive(
  meta: object | null,
  arrays: Readonly<Record<string, ArchiveArray>>,
  allocate: (bytes: number) => Uint8Array = (bytes) => new Uint8Array(bytes),
): Uint8Array {
  const parts = archiveParts(meta, arrays);
  const packed = allocate(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    packed.set(part, at);
    at += part.length;
  }
  return packed;
}

/**
 * Views of `bytes`, which must not change afterward. Bytes that do not start at a multiple of 8 in their
 * buffer are copied once. The caller names the type of `meta` that was written, and checks that the archive is of its kind.
 */
export function unpackArchive<Meta>(bytes: Uint8Array): Archive<Meta> {
  const whole = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const { header, bodyStart } = readHeader<Meta>(whole);
  if (whole.byteLength !== bodyStart + header.bytes) {
    throw new Error(
      `The archive is ${whole.byteLength} bytes long and should be ${bodyStart + header.bytes}: it is cut short or damaged.`,
    );
  }
  const arrays: Record<string, ArchiveArray> = {};
  for (const [name, kind, offset, length] of header.arrays) {
    const constructor: ArrayConstructor<ArchiveArray> | undefined = KINDS[kind];
    if (!constructor || offset % 8 !== 0 || offset + length * constructor.BYTES_PER_ELEMENT > header.bytes) {
      throw new Error(`The archive is damaged: array "${name}" lies outside it.`);
    }
    arrays[name] = new constructor(whole.buffer, whole.byteOffset + bodyStart + offset, length);
  }
  return { meta: header.meta, arrays };
}

/** The named array, checked to be of the given kind: `takeArray(archive, 'lat', Float64Array)`. */
export function takeArray<A extends ArchiveArray>(
  archive: Archive,
  name: string,
  constructor: ArrayConstructor<A>,
): A {
  const array = archive.arrays[name];
  if (array instanceof constructor) return array;
  throw new Error(
    `The archive holds ${array ? `"${name}" as ${kindOf(array)}, not` : `no "${name}" as`} ${constructor.name}.`,
  );
}

interface Header<Meta> {
  readonly meta: Meta;
  readonly bytes: number;
  readonly arrays: readonly Entry[];
}

function readHeader<Meta>(bytes: Uint8Array): { header: Header<Meta>; bodyStart: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Text decoders reject bytes of a SharedArrayBuffer, so the few text bytes are copied.
  const textOf = (start: number, end: number) => new TextDecoder().decode(bytes.slice(start, end));
  if (bytes.byteLength < PREFIX_BYTES || textOf(0, 8) !== MAGIC) {
    throw new Error('These bytes are not a Plumbline archive.');
  }
  const version = view.getUint32(8, true);
  if (version !== VERSION) {
    throw new Error(`The archive has format version ${version}; this program reads version ${VERSION}.`);
  }
  const bodyStart = PREFIX_BYTES + view.getUint32(12, true);
  if (bytes.byteLength < bodyStart) throw new Error('The archive is cut short within its header.');
  try {
    const header: Header<Meta> = JSON.parse(textOf(PREFIX_BYTES, bodyStart));
    return { header, bodyStart };
  } catch (cause) {
    throw new Error('The archive is damaged: its header is not JSON.', { cause });
  }
}

function kindOf(array: ArchiveArray): Kind {
  // Not the name of the constructor: a Buffer is a Uint8Array too.
  const kind = array[Symbol.toStringTag];
  if (kind in KINDS) return kind as Kind;
  throw new Error(`A ${kind} cannot be archived.`);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/**
 * Returns arrays and numbers that follow from other data, by name. The same name gives the same object: it is computed once,
 * or read from the archive of those that were computed elsewhere, so that threads need not repeat long computations.
 */
export type Derive = <Parts extends { readonly [Key in keyof Parts]: ArchiveArray | number }>(
  name: string,
  compute: () => Parts,
) => Parts;

/** Computes everything itself. */
export function collectDerived() {
  const known = new Map<string, Readonly<Record<string, ArchiveArray | number>>>();
  const derive: Derive = (name, compute) => {
    const parts = known.get(name) ?? compute();
    known.set(name, parts);
    // The map holds parts of many types. Each name has one.
    return parts as ReturnType<typeof compute>;
  };
  return {
    derive,
    /** All of them, and more arrays, for `openDerived`. */
    pack(more: Readonly<Record<string, ArchiveArray>>, allocate?: (bytes: number) => Uint8Array): Uint8Array {
      const numbers: Record<string, Record<string, number>> = {};
      const arrays: Record<string, ArchiveArray> = { ...more };
      for (const [name, parts] of known) {
        numbers[name] = {};
        for (const [key, part] of Object.entries(parts)) {
          if (typeof part === 'number') numbers[name][key] = part;
          else arrays[`${name}/${key}`] = part;
        }
      }
      return packArchive(numbers, arrays, allocate);
    },
  };
}

/** Reads what `collectDerived` packed. The arrays are views of the archive. */
export function openDerived({ meta, arrays }: Archive): Derive {
  const known: Record<string, Record<string, ArchiveArray | number>> = {};
  for (const [name, numbers] of Object.entries(meta as Record<string, Record<string, number>>)) {
    known[name] = { ...numbers };
  }
  for (const [path, array] of Object.entries(arrays)) {
    const at = path.lastIndexOf('/');
    if (at >= 0) known[path.slice(0, at)][path.slice(at + 1)] = array;
  }
  return <Parts>(name: string) => {
    const parts = known[name];
    if (parts === undefined) throw new Error(`The archive holds no derived arrays named "${name}".`);
    // They were packed by the same program from parts of this type.
    return parts as Parts;
  };
}
