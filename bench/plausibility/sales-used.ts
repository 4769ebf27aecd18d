import { asOfRows } from '../../src/valuation/columns/sale-columns.ts';
import { yearMonthOf } from '../../src/domain/day.ts';
import { shareOf, type Finding, type SampledMarket } from './sampling.ts';

/** Section 2: sales of land that are recorded with the home built on it later. */
export function checkSalesUsed({ columns, asOf }: Pick<SampledMarket, 'columns' | 'asOf'>): Finding[] {
  const rows = [...asOfRows(columns, asOf)];
  const built = rows.filter((row) => columns.attributes.yearBuilt[row] > 2000);
  const isLand = (row: number): boolean =>
    yearMonthOf(columns.soldOn[row]).year < columns.attributes.yearBuilt[row];
  return [
    {
      check:
        'sales before the year of construction that are used as sales of the home, of homes built after 2000',
      measured: shareOf(built.map(isLand)),
      goal: '0%',
      n: built.length,
    },
  ];
}
