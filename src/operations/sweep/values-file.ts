import { formatDay, type Day } from '../../domain/day.ts';
import type { ParcelValue } from '../../store/tables/sweeps.ts';
import type { TableColumn } from '../../tables/table-column.ts';
import type { WritableTable } from '../../tables/write-table-file.ts';
import { writeCsv, type Cell } from '../../tables/write-csv.ts';
import { writeParquet } from '../../tables/write-parquet.ts';

type Pages = AsyncIterable<readonly ParcelValue[]>;

const COLUMNS: readonly TableColumn[] = [
  { name: 'parcel_id', type: 'text' },
  { name: 'as_of_date', type: 'text' },
  { name: 'point_value', type: 'number' },
  { name: 'estimated_value_low', type: 'number' },
  { name: 'estimated_value_high', type: 'number' },
  { name: 'fsd', type: 'number' },
  { name: 'error_code', type: 'text' },
];

/** In the order of the columns. */
async function* rowsOf(asOf: Day, pages: Pages): AsyncGenerator<readonly Cell[]> {
  const day = formatDay(asOf);
  for await (const page of pages) {
    for (const { parcelId, valueUsd, lowUsd, highUsd, fsd, errorCode } of page) {
      yield [parcelId, day, valueUsd, lowUsd, highUsd, fsd, errorCode];
    }
  }
}

/** The values of a sweep as a Parquet file, in pieces. */
export function writeValuesParquet(asOf: Day, pages: Pages): AsyncGenerator<Uint8Array> {
  return writeParquet(COLUMNS, rowsOf(asOf, pages));
}

/** The values of a sweep as a CSV file, in pieces. */
export function writeValuesCsv(asOf: Day, pages: Pages): AsyncGenerator<string> {
  return writeCsv(COLUMNS, rowsOf(asOf, pages), '\n');
}

/** The values of a sweep, to be written to a file. */
export function tableOfValues(asOf: Day, pages: Pages): WritableTable {
  return { columns: COLUMNS, rows: rowsOf(asOf, pages), point: null };
}
