import { formatDay } from '../../../domain/day.ts';
import { PROPERTY_TYPES } from '../../../domain/property.ts';
import { SALE_FLAGS } from '../../../valuation/flags/sale-flags.ts';
import { textAt } from '../../../valuation/columns/string-column.ts';
import { csvLine } from './csv-line.ts';
import { STUDY_PERCENTILES } from './study-method.ts';
import type { TestedSales } from './tested-sales.ts';

/**
 * Every tested sale, or listing, as CSV, a line at a time, so that others can measure it. For listings `price` is the
 * rent and `sale_date` the listing date, so that `plumbline accuracy` reads both.
 */
export function* salesCsv(tested: TestedSales): Generator<string> {
  const names = Object.keys(tested.baselines);
  const percentiles = STUDY_PERCENTILES.map((level) => `p${String(level).replace('.', '_')}`);
  yield csvLine([
    'record_id',
    'sale_date',
    'price',
    'value',
    ...percentiles,
    'fsd',
    'property_type',
    'total_units',
    'bedrooms',
    'latitude',
    'longitude',
    'flag',
    'bundle',
    ...names,
  ]);
  for (let i = 0; i < tested.rows.length; i++) yield saleLine(tested, i, names);
}

function saleLine(tested: TestedSales, i: number, names: readonly string[]): string {
  const { columns, values } = tested;
  const row = tested.rows[i];
  return csvLine([
    textAt(columns.recordId, row),
    formatDay(columns.soldOn[row]),
    columns.priceUsd[row],
    values.valueUsd[i],
    ...values.percentilesUsd.map((column) => column[i]),
    Number(values.fsd[i].toFixed(5)),
    PROPERTY_TYPES[columns.type[row]],
    columns.attributes.totalUnits[row],
    columns.attributes.bedrooms[row],
    columns.lat[row],
    columns.lon[row],
    SALE_FLAGS[columns.flag[row]],
    tested.isBundle[i],
    ...names.map((name) => Math.round(tested.baselines[name][i])),
  ]);
}
