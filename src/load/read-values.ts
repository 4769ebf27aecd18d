import type { Day } from '../domain/day.ts';
import { propertyTypeOf } from '../domain/property-type-words.ts';
import type { PropertyType } from '../domain/property.ts';
import { PlumblineError } from '../errors.ts';
import type { Intervals, ValuedSales } from '../valuation/ratio-study/cases.ts';
import { amountOf, dateOf, numberOf } from './rows/cell-values.ts';
import { openTable } from '../tables/open-table.ts';
import { reject, RowRejection } from './rejections.ts';
import type { OnBytes, TableRow } from '../tables/table.ts';

/** Names under which a file may give each column; the first is the one to write. A backtest's own sales.csv is read as it is. */
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

const REQUIRED = ['value', 'price', 'soldOn'] as const satisfies readonly (keyof typeof NAMES)[];
/** Rejected rows that are reported individually. */
const MAX_REJECTIONS_LISTED = 5;

type Cell = (column: keyof typeof NAMES) => string;

interface ValuedSale {
  readonly value: number;
  readonly price: number;
  readonly soldOn: Day;
  readonly type: PropertyType | null;
  readonly lat: number;
  readonly lon: number;
  readonly low: number;
  readonly high: number;
  readonly fsd: number;
}

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
    for (const row of batch) {
      const sale = readRow(row, positions);
      if (!(sale instanceof RowRejection)) {
        sales.push(sale);
        continue;
      }
      rejected[sale.reason] = (rejected[sale.reason] ?? 0) + 1;
      if (firstRejected.length < MAX_REJECTIONS_LISTED) {
        firstRejected.push(
          `line ${row.line}: ${sale.reason}, ${sale.field ?? 'row'} "${sale.value.slice(0, 60)}"`,
        );
      }
    }
  }
  return { ...columnsOf(sales, positions), rejected, firstRejected };
}

type Positions = ReadonlyMap<keyof typeof NAMES, number>;

function positionsOf(path: string, header: readonly string[]): Positions {
  const at = new Map(header.map((name, i) => [name.trim().toLowerCase(), i]));
  const positions = new Map<keyof typeof NAMES, number>();
  for (const [column, names] of Object.entries(NAMES) as [keyof typeof NAMES, readonly string[]][]) {
    const name = names.find((candidate) => at.has(candidate));
    if (name !== undefined) positions.set(column, at.get(name) ?? 0);
  }
  const lacking = REQUIRED.filter((column) => !positions.has(column)).map((column) => NAMES[column][0]);
  if (lacking.length > 0) {
    throw new PlumblineError(
      'usage',
      `${path} has no column ${lacking.join(', ')}. A ratio study needs value, sale_price and sale_date. It has: ${header.join(', ')}.`,
    );
  }
  return positions;
}

function readRow(row: TableRow, positions: Positions): ValuedSale | RowRejection {
  const cell: Cell = (column) => row.cells[positions.get(column) ?? -1] ?? '';
  try {
    return valuedSaleOf(cell);
  } catch (failure) {
    if (failure instanceof RowRejection) return failure;
    throw failure;
  }
}

function valuedSaleOf(cell: Cell): ValuedSale {
  const price = amountOf(cell('price'), 'sale_price');
  if (price === null || price === 0) return reject('no_price', 'sale_price', cell('price'));
  const date = dateOf(cell('soldOn'), 'sale_date');
  if (date === null) return reject('no_date', 'sale_date', cell('soldOn'));
  const number = (column: 'lat' | 'lon' | 'low' | 'high' | 'fsd') =>
    numberOf(cell(column), NAMES[column][0]) ?? NaN;
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

function columnsOf(
  sales: readonly ValuedSale[],
  positions: Positions,
): Omit<ValuedSales, 'rejected' | 'firstRejected'> {
  const column = (of: (sale: ValuedSale) => number) => Float64Array.from(sales, of);
  const intervals: Intervals =
    positions.has('low') && positions.has('high')
      ? { 90: { low: column((sale) => sale.low), high: column((sale) => sale.high) } }
      : {};
  return {
    cases: {
      n: sales.length,
      price: column((sale) => sale.price),
      value: column((sale) => sale.value),
      intervals,
      fsd: positions.has('fsd') ? column((sale) => sale.fsd) : null,
    },
    soldOn: sales.map((sale) => sale.soldOn),
    types: sales.map((sale) => sale.type),
    lat: column((sale) => sale.lat),
    lon: column((sale) => sale.lon),
  };
}
