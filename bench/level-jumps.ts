/**
 * Values after a planted jump of the price level: all prices of a market from some days before the training
 * date on are multiplied by the same factor, and the market is trained. Compared with prices are the homes sold
 * after the jump; homes sold in the year before it are compared with the jump times their values without it.
 *
 *   node bench/level-jumps.ts [milwaukee|king] [days=30,60,90] [jumps=-20,-10,0,10,20,35]
 *
 * Small models (an eighth of the trees).
 */
import { addMonths, formatDay, type Day } from '../src/domain/day.ts';
import { homeOfSale, isUsable, type SaleColumns } from '../src/valuation/columns/sale-columns.ts';
import { decodeModel } from '../src/valuation/model/market-model.ts';
import { propertyModelOf } from '../src/valuation/model/property-model.ts';
import { bindTrained, trainMarket, type BoundMarket } from '../src/valuation/train-market.ts';
import { valueHome } from '../src/valuation/value-home.ts';
import { day, kingColumns, milwaukeeColumns } from './accuracy-data.ts';

const builder = propertyModelOf({ effort: 0.12 });
const MOST_HOMES = 300;

function withJump(columns: SaleColumns, from: Day, factor: number): SaleColumns {
  return {
    ...columns,
    priceUsd: columns.priceUsd.map((price, row) =>
      columns.soldOn[row] >= from ? Math.round(price * factor) : price,
    ),
  };
}

function rowsBetween(columns: SaleColumns, trainedOn: Day, from: Day, until: Day): number[] {
  const rows = [...columns.soldOn.keys()].filter(
    (row) => columns.soldOn[row] >= from && columns.soldOn[row] < until && isUsable(columns, row, trainedOn),
  );
  const step = Math.max(1, rows.length / MOST_HOMES);
  return Array.from({ length: Math.floor(rows.length / step) }, (_, i) => rows[Math.floor(i * step)]);
}

const valueOf = (market: BoundMarket, row: number, asOf: Day) =>
  valueHome(market, homeOfSale(market.columns, row), {}, { asOf, knownBy: asOf }).estimate.pointUsd;
const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

const MARKETS: Readonly<Record<string, () => { columns: SaleColumns; trainedOn: Day }>> = {
  milwaukee: () => ({ columns: milwaukeeColumns(), trainedOn: day('2021-06-30') }),
  king: () => ({ columns: kingColumns(), trainedOn: day('2015-03-14') }),
};

const list = (text: string | undefined, standard: readonly number[]) =>
  text === undefined ? standard : text.split(',').map(Number);
const [what = 'milwaukee', daysText, jumpsText] = process.argv.slice(2);
const { columns, trainedOn } = MARKETS[what]();
async function train(of: SaleColumns): Promise<BoundMarket> {
  const trained = await trainMarket(of, trainedOn, { builder });
  return bindTrained(trained, of, builder);
}

const plain = await train(columns);
for (const days of list(daysText, [30, 60, 90])) {
  const from = trainedOn - days + 1;
  const after = rowsBetween(columns, trainedOn, from, trainedOn + 1);
  const before = rowsBetween(columns, trainedOn, addMonths(from, -12), from);
  for (const percent of list(jumpsText, [-20, -10, 0, 10, 20, 35])) {
    const factor = 1 + percent / 100;
    const changed = withJump(columns, from, factor);
    const market = percent === 0 ? plain : await train(changed);
    const sold = after.map((row) => valueOf(market, row, trainedOn) / changed.priceUsd[row]);
    const unsold = before.map(
      (row) => valueOf(market, row, trainedOn) / (valueOf(plain, row, trainedOn) * factor),
    );
    const { jumps } = decodeModel(market.trained.model).index;
    console.log(
      `${what}: ${percent}% ${days} days before training: sold after it ${medianOf(sold).toFixed(3)}, sold before it ${medianOf(unsold).toFixed(3)}, ` +
        `jumps ${jumps.map((jump) => `${formatDay(jump.day)} ${jump.size.toFixed(3)}`).join(', ') || 'none'}`,
    );
  }
}
