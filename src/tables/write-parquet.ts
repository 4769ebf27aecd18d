import { zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import type { ByteWriter } from 'hyparquet-writer';
import type { Cell } from './write-csv.ts';
import type { TableColumn } from './table-column.ts';

/** Rows of a row group: what is in memory at a time. Readers skip groups by their statistics. */
const GROUP_ROWS = 10_000;
/** Rows with long texts, such as whole responses, end a group earlier. */
const GROUP_CHARACTERS = 32 * 1024 * 1024;

const TYPES = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  yes_no: { type: 'BOOLEAN' },
} as const satisfies Record<TableColumn['type'], Partial<SchemaElement>>;

/** Rows as a Parquet file in pieces, one for each row group. Every column may have nulls. */
export async function* writeParquet(
  columns: readonly TableColumn[],
  rows: AsyncIterable<readonly Cell[]>,
): AsyncGenerator<Uint8Array> {
  const schema: SchemaElement[] = [
    { name: 'schema', num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...TYPES[type] })),
  ];
  // Few servers ever write such a file.
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema,
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    createdBy: 'Plumbline',
  });
  let group: (readonly Cell[])[] = [];
  let characters = 0;
  const writeGroup = async (): Promise<Uint8Array> => {
    const columnData = columns.map(({ name }, i) => ({ name, data: group.map((row) => row[i]) }));
    await file.write({ columnData, rowGroupSize: GROUP_ROWS });
    group = [];
    characters = 0;
    return takeBytes(writer);
  };
  for await (const row of rows) {
    group.push(row);
    for (const cell of row) if (typeof cell === 'string') characters += cell.length;
    if (group.length === GROUP_ROWS || characters >= GROUP_CHARACTERS) yield writeGroup();
  }
  if (group.length > 0) yield writeGroup();
  await file.finish();
  yield takeBytes(writer);
}

/** The bytes written since the last call. Offsets in the file keep counting. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}
