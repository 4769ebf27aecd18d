import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';

type Cell = string | number | null;

/** A column of a file: its name, its type, and its cell of a row. */
export interface ParquetColumn<Row> {
  readonly name: string;
  readonly type: 'STRING' | 'DOUBLE';
  readonly of: (row: Row) => Cell;
}

/** Writes rows as Parquet, in pieces: each page of rows is a row group, so that only one is in memory. */
export async function* writeParquet<Row>(
  columns: readonly ParquetColumn<Row>[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const dataOf = (rows: readonly Row[]) =>
    columns.map(({ name, type, of }) => ({ name, type, nullable: true, data: rows.map(of) }));
  const schema = schemaFromColumnData({ columnData: dataOf([]) });
  const file = new ParquetWriter({ writer, schema, createdBy: 'plumbline' });
  for await (const rows of pages) {
    await file.write({ columnData: dataOf(rows), rowGroupSize: Math.max(1, rows.length) });
    yield takeBytes(writer);
  }
  await file.finish();
  yield takeBytes(writer);
}

/** The bytes written since the last call. Offsets in the file keep counting. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}
