import { formatDay, type Day } from '../../domain/day.ts';
import type { ValueFormat } from '../../domain/value-format.ts';
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

/** Of a CSV file, which people read: a tenth of a percent of the value is 0.001. */
const CSV_FSD_DECIMALS = 4;

/** In the order of the columns. */
async function* rowsOf(format: ValueFormat, asOf: Day, pages: Pages): AsyncGenerator<readonly Cell[]> {
  const day = formatDay(asOf);
  const shown = (fsd: number | null): number | null =>
    fsd === null || format === 'parquet' ? fsd : Number(fsd.toFixed(CSV_FSD_DECIMALS));
  for await (const page of pages) {
    for (const { parcelId, valueUsd, lowUsd, highUsd, fsd, errorCode } of page) {
      yield [parcelId, day, valueUsd, lowUsd, highUsd, shown(fsd), errorCode];
    }
  }
}

/** The media types of a file with the values of a sweep. */
export const VALUE_FILE_TYPES = {
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv',
} as const satisfies Record<ValueFormat, string>;

/** The values of a sweep as a file, in pieces: bytes of Parquet, or text of CSV. */
export function writeValues(
  format: ValueFormat,
  asOf: Day,
  pages: Pages,
): AsyncGenerator<Uint8Array> | AsyncGenerator<string> {
  const rows = rowsOf(format, asOf, pages);
  return format === 'parquet' ? writeParquet(COLUMNS, rows) : writeCsv(COLUMNS, rows, '\n');
}

/** The values of a sweep, to be written to a file. */
export function tableOfValues(format: ValueFormat, asOf: Day, pages: Pages): WritableTable {
  return { columns: COLUMNS, rows: rowsOf(format, asOf, pages), point: null };
}
