import { asOfRows } from '../../src/valuation/columns/sale-columns.ts';
import { yearMonthOf } from '../../src/domain/day.ts';
import { sampleSales, shareFinding, valueSampled, type Finding, type SampledMarket } from './sampling.ts';

const HOMES = 100;
/** A home of this age has the price of a finished home, not of the land. */
const FEW_YEARS = 7;

/** Section 2: sales of land that are recorded with the home built on it later. */
export async function checkSalesUsed(market: SampledMarket): Promise<Finding[]> {
  const { columns, asOf } = market;
  const rows = [...asOfRows(columns, asOf)];
  const built = rows.filter((row) => columns.attributes.yearBuilt[row] > 2000);
  const isLand = (row: number): boolean =>
    yearMonthOf(columns.soldOn[row]).year < columns.attributes.yearBuilt[row];
  return [
    shareFinding(
      'sales before the year of construction that are used as sales of the home, of homes built after 2000',
      '0%',
      built.map(isLand),
    ),
    await checkNewest(market),
  ];
}

/** Homes built after 2000, valued as if built a few years ago, and as if built in the year of the as-of date. */
async function checkNewest(market: SampledMarket): Promise<Finding> {
  const { year } = yearMonthOf(market.asOf);
  const isLower: boolean[] = [];
  for (const { home } of sampleSales(market, ['houses'], Infinity)) {
    if (isLower.length === HOMES) break;
    if ((home.attributes.yearBuilt ?? 0) <= 2000) continue;
    const valueBuilt = async (yearBuilt: number): Promise<number> =>
      (await valueSampled(market, home, { yearBuilt })).valuation.pointValue;
    isLower.push((await valueBuilt(year)) < 0.85 * (await valueBuilt(year - FEW_YEARS)));
  }
  return shareFinding(
    `houses built after 2000: a value more than 15% lower if built in the as-of year instead of ${FEW_YEARS} years before`,
    '≤ 3%',
    isLower,
  );
}
