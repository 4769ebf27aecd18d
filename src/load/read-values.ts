import type { Day } from '../domain/day.ts';
import { propertyTypeOf } from '../domain/property-type-words.ts';
import type { PropertyType } from '../domain/property.ts';
import { usageError } from '../errors.ts';
import { openTable } from '../tables/open-table.ts';
import type { OnBytes } from '../tables/table.ts';
import type { ValuedSales } from '../valuation/ratio-study/cases.ts';
import { reject, RowRejection, shownValue } from './rejections.ts';
import { amountOf, dateOf, numberOf } from './rows/cell-values.ts';

/** Accepted names of each column; the documented one is first. The sales.csv of a backtest is read as it is. */
const NAMES = {
  value: ['value', 'estimated_value'],
  price: ['sale_price', 'price'],
  soldOn: ['sale_date'],
  type: ['property_type', 'type'],
  lat: ['latitude', 'lat'],
  lon: ['longitude', 'lon', 'lng'],
  low: ['low', 'estimated_value_low', 'p5'],
  high: ['high', 'estimated_value_high', 'p95'],
  fsd: ['fsd'],
} as const;
const REQUIRED = ['value', 'price', 'soldOn'] as const;

type Column = keyof typeof NAMES;
type NumberColumn = Exclude<Column, 'soldOn' | 'type'>;

interface ValuedSale extends Readonly<Record<NumberColumn, number>> {
  readonly soldOn: Day;
  readonly type: PropertyType | null;
}

/** Rejected rows that are reported individually. */
const MAX_REJECTIONS_LISTED = 5;

/**
 * Reads a table of values and prices. A row without a value counts as a miss. A row without a price or date
 * is rejected and counted.
 */
export async function readValues(path: string, onBytes: OnBytes): Promise<ValuedSales> {
  const table = await openTable(path, onBytes);
  const positions = positionsOf(path, table.columns);
  const sales: ValuedSale[] = [];
  const rejected: Record<string, number> = {};
  const firstRejected: string[] = [];
  for await (const batch of table.batches) {
    for (const { line, cells } of batch) {
      try {
        sales.push(readSale((column) => cells[positions.get(column) ?? -1] ?? ''));
      } catch (error) {
        if (!(error instanceof RowRejection)) throw error;
        const { reason, field, value } = error;
        rejected[reason] = (rejected[reason] ?? 0) + 1;
        if (firstRejected.length >= MAX_REJECTIONS_LISTED) continue;
        firstRejected.push(`line ${line}: ${reason}, ${field ?? 'row'} "${shownValue(value, 60)}"`);
      }
    }
  }
  const column = (name: NumberColumn): Float64Array => Float64Array.from(sales, (sale) => sale[name]);
  const hasInterval = positions.has('low') && positions.has('high');
  return {
    cases: {
      n: sales.length,
      price: column('price'),
      value: column('value'),
      intervals: hasInterval ? { 90: { low: column('low'), high: column('high') } } : {},
      fsd: positions.has('fsd') ? column('fsd') : null,
    },
    soldOn: sales.map((sale) => sale.soldOn),
    types: sales.map((sale) => sale.type),
    lat: column('lat'),
    lon: column('lon'),
    rejected,
    firstRejected,
  };
}

function positionsOf(path: string, header: readonly string[]): ReadonlyMap<Column, number> {
  const names = header.map((name) => name.trim().toLowerCase());
  const positions = new Map<Column, number>();
  for (const [column, accepted] of Object.entries(NAMES) as [Column, readonly string[]][]) {
    const name = accepted.find((candidate) => names.includes(candidate));
    if (name !== undefined) positions.set(column, names.lastIndexOf(name));
  }
  const lacking = REQUIRED.filter((column) => !positions.has(column)).map((column) => NAMES[column][0]);
  if (lacking.length === 0) return positions;
  throw usageError(
    `${path} has no column ${lacking.join(', ')}. A ratio study needs value, sale_price and sale_date. It has: ${header.join(', ')}.`,
  );
}

function readSale(cell: (column: Column) => string): ValuedSale {
  const price = amountOf(cell('price'), 'sale_price') || reject('no_price', 'sale_price', cell('price'));
  const date = dateOf(cell('soldOn'), 'sale_date') ?? reject('no_date', 'sale_date', cell('soldOn'));
  const number = (column: NumberColumn): number => numberOf(cell(column), NAMES[column][0]) ?? NaN;
  return {
    value: amountOf(cell('value'), 'value') ?? NaN,
    price,
    soldOn: date.day,
    type: propertyTypeOf(cell('type'), null),
    lat: number('lat'),
    lon: number('lon'),
    low: number('low'),
    high: number('high'),
    fsd: number('fsd'),
  };
}
