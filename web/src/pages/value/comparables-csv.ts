import type { ComparableRecord, RentComparable, SaleComparable } from '../../api/valuations.ts';
import type { csvOf } from '../../parts/save-csv.ts';

type Row = Parameters<typeof csvOf>[0][number];

/** The comparables as rows of a file, most similar first, with the names of the API and a column for each adjustment. */
export function comparableRows(
  items: readonly (SaleComparable | RentComparable)[],
  records: readonly ComparableRecord[],
): Row[] {
  const recordOf = new Map(records.map((record) => [record.comp_id, record]));
  const rows = items.map((item, at) => ({
    number: at + 1,
    ...Object.fromEntries(cellsOf(item)),
    ...('sale_date' in item ? priorSaleCells(recordOf.get(item.comp_id)) : {}),
  }));
  // Only those that the user chose have a choice.
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return rows.map((row) =>
    Object.fromEntries([...names].map((name) => [name, new Map(Object.entries(row)).get(name) ?? null])),
  );
}

function priorSaleCells(record: ComparableRecord | undefined): Row {
  const { sale_date, sale_price } = record?.prior_sale ?? {};
  return { prior_sale_date: sale_date ?? null, prior_sale_price: sale_price ?? null };
}

function cellsOf(item: SaleComparable | RentComparable): [string, Row[string]][] {
  return Object.entries(item).flatMap(([name, value]: [string, unknown]): [string, Row[string]][] => {
    if (name === 'adjustments')
      return item.adjustments.map(({ field, amount }) => [`adjustment_${field}`, amount]);
    if (typeof value === 'boolean') return [[name, String(value)]];
    return value === null || typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
  });
}
