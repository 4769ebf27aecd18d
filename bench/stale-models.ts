/**
 * Coverage of the 90% interval when the model is old. Models are trained at several dates of Milwaukee, King and
 * Ames, and value the sales of the month that begins 0, 3, 6, 12 and 24 months later: with newer sales as
 * comparables (the data go on) and without (the data stop).
 *
 *   node bench/stale-models.ts [milwaukee|king|ames]
 *
 * Small models (an eighth of the trees, 30 months of sales), whose intervals are calibrated in the same way.
 * KEEP=dir saves the trained markets for later runs. About fifteen minutes.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { addMonths, formatDay, type Day } from '../src/domain/day.ts';
import { percentileUsd } from '../src/valuation/calibration/distribution.ts';
import { homeOfSale, isUsable, type SaleColumns } from '../src/valuation/columns/sale-columns.ts';
import { propertyModelOf } from '../src/valuation/model/property-model.ts';
import { bindTrained, trainMarket, type BoundMarket } from '../src/valuation/train-market.ts';
import { decodeTrained, encodeTrained, type TrainedMarket } from '../src/valuation/trained-market.ts';
import { valueHome } from '../src/valuation/value-home.ts';
import { amesColumns, day, kingColumns, milwaukeeColumns } from './accuracy-data.ts';

const AGES_MONTHS = [0, 1, 3, 6, 12, 24];
const MOST_SALES = 250;

/** Training dates: `count` of them, `everyMonths` apart. */
const MARKETS: readonly {
  readonly name: string;
  readonly columns: () => SaleColumns;
  readonly first: string;
  readonly everyMonths: number;
  readonly count: number;
}[] = [
  { name: 'milwaukee', columns: milwaukeeColumns, first: '2011-01-01', everyMonths: 6, count: 24 },
  { name: 'king', columns: kingColumns, first: '2014-09-01', everyMonths: 1, count: 8 },
  { name: 'ames', columns: amesColumns, first: '2007-07-01', everyMonths: 3, count: 12 },
];

const builder = propertyModelOf({ effort: 0.12, windowMonths: 30 });

interface Valued {
  /** ln price − ln value. */
  readonly error: number;
  readonly isCovered: boolean;
  readonly width: number;
}

async function trainedAt(name: string, columns: SaleColumns, trainedOn: Day): Promise<TrainedMarket> {
  const kept = process.env.KEEP ? `${process.env.KEEP}/${name}-${formatDay(trainedOn)}.plb` : null;
  if (kept && existsSync(kept)) return decodeTrained(readFileSync(kept));
  const trained = await trainMarket(columns, trainedOn, { builder });
  if (kept) {
    mkdirSync(process.env.KEEP ?? '.', { recursive: true });
    writeFileSync(kept, encodeTrained(trained));
  }
  return trained;
}

function valueMonth(market: BoundMarket, from: Day, newestKnown: (soldOn: Day) => Day): Valued[] {
  const { columns } = market;
  const until = addMonths(from, 1);
  const rows = [...columns.soldOn.keys()].filter((row) => {
    const soldOn = columns.soldOn[row];
    return soldOn >= from && soldOn < until && isUsable(columns, row, market.trained.trainedOn);
  });
  const step = Math.max(1, rows.length / MOST_SALES);
  return Array.from({ length: Math.floor(rows.length / step) }, (_, i) => {
    const row = rows[Math.floor(i * step)];
    const asOf = columns.soldOn[row];
    const price = columns.priceUsd[row];
    const { estimate, distribution } = valueHome(
      market,
      homeOfSale(columns, row),
      {},
      {
        asOf,
        knownBy: newestKnown(asOf),
      },
    );
    const [low, high] = [percentileUsd(distribution, 5), percentileUsd(distribution, 95)];
    return {
      error: Math.log(price / estimate.pointUsd),
      isCovered: price >= low && price <= high,
      width: (high - low) / estimate.pointUsd,
    };
  });
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share: number) => (100 * share).toFixed(1).padStart(6);
const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

for (const { name, columns: read, first, everyMonths, count } of MARKETS) {
  if (process.argv[2] && process.argv[2] !== name) continue;
  const columns = read();
  const last = columns.soldOn.reduce((latest, soldOn) => Math.max(latest, soldOn), 0);
  const byCase = new Map<string, Valued[][]>();
  for (let o = 0; o < count; o++) {
    const start = addMonths(day(first), o * everyMonths);
    const trained = await trainedAt(name, columns, start - 1);
    const market = bindTrained(trained, columns, builder);
    for (const months of AGES_MONTHS) {
      const from = addMonths(start, months);
      if (addMonths(from, 1) > last + 2) continue;
      for (const [kind, knownBy] of [
        ['data go on', (soldOn: Day) => soldOn - 1],
        ['data stop', () => start - 1],
      ] as const) {
        const key = `${kind.padEnd(10)} ${String(months).padStart(2)} months`;
        const valued = valueMonth(market, from, knownBy);
        if (valued.length > 0) byCase.set(key, [...(byCase.get(key) ?? []), valued]);
      }
    }
    console.error(`${name}: trained ${formatDay(start - 1)}`);
  }
  for (const [key, origins] of [...byCase].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const all = origins.flat();
    const levels = origins.map((sales) => Math.abs(medianOf(sales.map(({ error }) => error))));
    const covered = origins.map((sales) => mean(sales.map(({ isCovered }) => Number(isCovered))));
    console.log(
      `${name.padEnd(10)} ${key}: ${origins.length} dates, ${all.length} sales, mean |level error| ${percent(mean(levels))}, ` +
        `90% interval covers ${percent(mean(all.map(({ isCovered }) => Number(isCovered))))} (worst date ${percent(Math.min(...covered))}), ` +
        `width ${percent(mean(all.map(({ width }) => width)))}`,
    );
  }
}
