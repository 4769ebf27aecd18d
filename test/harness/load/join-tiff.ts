/** A directory entry. */
export interface TiffTag {
  readonly type: keyof typeof TYPE_SIZES;
  readonly values: readonly number[] | string;
  /** The value count that the entry declares, if it differs from the real one. */
  readonly count?: number;
}

const TYPE_SIZES = { ascii: 1, short: 2, long: 4, double: 8, long8: 8 } as const;
const TYPE_NUMBERS = { ascii: 2, short: 3, long: 4, double: 12, long8: 16 } as const;

/** The parts of a file with one image. */
interface TiffParts {
  /** Strips or tiles as stored in the file. */
  readonly blocks: readonly Uint8Array[];
  /** Tags by number. The tags with block offsets must match `blockOffsets`. */
  readonly tags: ReadonlyMap<number, TiffTag>;
  readonly bigTiff?: boolean;
  /** The offset of the next directory, as the directory declares it. */
  readonly nextDirectory?: number | 'itself';
}

/** The file offset of each block. It is 0 for empty blocks, which the file omits. */
export function blockOffsets(blocks: readonly Uint8Array[], bigTiff = false): number[] {
  let at = headerBytes(bigTiff);
  return blocks.map((block) => {
    at += block.length;
    return block.length === 0 ? 0 : at - block.length;
  });
}

/** Builds a little-endian TIFF: header, blocks, directory, tag values. */
export function joinTiff(parts: TiffParts): Buffer {
  const body = Buffer.concat(parts.blocks);
  const directoryAt = headerBytes(parts.bigTiff) + body.length;
  return Buffer.concat([
    writeHeader(parts.bigTiff ?? false, directoryAt),
    body,
    writeDirectory(parts, directoryAt),
  ]);
}

const headerBytes = (bigTiff = false): number => (bigTiff ? 16 : 8);

function writeHeader(bigTiff: boolean, directoryAt: number): Buffer {
  const header = Buffer.alloc(bigTiff ? 16 : 8);
  header.write('II');
  header.writeUInt16LE(bigTiff ? 43 : 42, 2);
  if (bigTiff) {
    header.writeUInt16LE(8, 4);
    header.writeBigUInt64LE(BigInt(directoryAt), 8);
  } else header.writeUInt32LE(directoryAt, 4);
  return header;
}

function writeDirectory({ tags, bigTiff = false, nextDirectory = 0 }: TiffParts, at: number): Buffer {
  const numbers = [...tags.keys()].sort((a, b) => a - b);
  const [countBytes, entryBytes, fieldBytes] = bigTiff ? [8, 20, 8] : [2, 12, 4];
  const directory = Buffer.alloc(countBytes + entryBytes * numbers.length + fieldBytes);
  const writeField = (value: number, offset: number): void => {
    if (bigTiff) directory.writeBigUInt64LE(BigInt(value), offset);
    else directory.writeUInt32LE(value, offset);
  };
  if (bigTiff) writeField(numbers.length, 0);
  else directory.writeUInt16LE(numbers.length, 0);
  const beyond: Buffer[] = [];
  let beyondAt = at + directory.length;
  numbers.forEach((number, i) => {
    const tag = tags.get(number);
    if (!tag) return;
    const entry = countBytes + i * entryBytes;
    const values = encodeValues(tag);
    directory.writeUInt16LE(number, entry);
    directory.writeUInt16LE(TYPE_NUMBERS[tag.type], entry + 2);
    writeField(tag.count ?? tag.values.length, entry + 4);
    if (values.length <= fieldBytes) values.copy(directory, entry + 4 + fieldBytes);
    else {
      writeField(beyondAt, entry + 4 + fieldBytes);
      beyond.push(values);
      beyondAt += values.length;
    }
  });
  writeField(nextDirectory === 'itself' ? at : nextDirectory, directory.length - fieldBytes);
  return Buffer.concat([directory, ...beyond]);
}

function encodeValues({ type, values }: TiffTag): Buffer {
  if (typeof values === 'string') return Buffer.from(values, 'latin1');
  const bytes = Buffer.alloc(values.length * TYPE_SIZES[type]);
  values.forEach((value, i) => {
    const offset = i * TYPE_SIZES[type];
    if (type === 'short') bytes.writeUInt16LE(value, offset);
    else if (type === 'long') bytes.writeUInt32LE(value, offset);
    else if (type === 'double') bytes.writeDoubleLE(value, offset);
    else if (type === 'long8') bytes.writeBigUInt64LE(BigInt(value), offset);
    else bytes.writeUInt8(value, offset);
  });
  return bytes;
}
