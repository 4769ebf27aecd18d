import { formatDay, type Day } from '../../domain/day.ts';
import type { ParcelValue } from '../../store/tables/sweeps.ts';
import { writeRecord } from '../../tables/write-csv.ts';
import { writeParquet, type ParquetColumn } from '../../tables/write-parquet.ts';

type Pages = AsyncIterable<readonly ParcelValue[]>;

function columnsOf(asOf: Day): readonly ParquetColumn<ParcelValue>[] {
  const day = formatDay(asOf);
  return [
    { name: 'parcel_id', type: 'STRING', of: ({ parcelId }) => parcelId },
    { name: 'as_of_date', type: 'STRING', of: () => day },
    { name: 'point_value', type: 'DOUBLE', of: ({ valueUsd }) => valueUsd },
    { name: 'estimated_value_low', type: 'DOUBLE', of: ({ lowUsd }) => lowUsd },
    { name: 'estimated_value_high', type: 'DOUBLE', of: ({ highUsd }) => highUsd },
    { name: 'fsd', type: 'DOUBLE', of: ({ fsd }) => fsd },
    { name: 'error_code', type: 'STRING', of: ({ errorCode }) => errorCode },
  ];
}

/** The values of a sweep as a Parquet file, in pieces. */
export function writeValuesParquet(asOf: Day, pages: Pages): AsyncGenerator<Uint8Array> {
  return writeParquet(columnsOf(asOf), pages);
}

/** The values of a sweep as a CSV file, in pieces. */
export async function* writeValuesCsv(asOf: Day, pages: Pages): AsyncGenerator<string> {
  const columns = columnsOf(asOf);
  yield writeRecord(
    columns.map(({ name }) => name),
    '\n',
  );
  for await (const page of pages) {
    yield page
      .map((row) =>
        writeRecord(
          columns.map(({ of }) => of(row)),
          '\n',
        ),
      )
      .join('');
  }
}
