/**
 * Coverage of the 90% interval when the model is old. Models are trained at several dates and value the sales of the
 * month that begins 0, 3, 6, 12 and 24 months later: with newer sales (the data go on) and without (they stop); where
 * there is one, also with FHFA's index of the metro as published at the time.
 *
 *   node bench/stale-models.ts milwaukee|king|ames      about fifteen minutes, five, five
 *   node bench/stale-models.ts steady|boom|crash|season|thin
 *
 * The latter are Milwaukee's homes with a planted price path in place of the market's: 4% a year; 15% a year for three
 * years; 15% a year, then 25% down in 18 months; a season of 8%; and one sale in 25.
 *
 * Small models (an eighth of the trees, 30 months of sales), whose intervals are calibrated in the same way.
 * KEEP=dir saves the trained markets for later runs.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { addMonths, formatDay, type Day } from '../src/domain/day.ts';
import { percentileUsd } from '../src/valuation/calibration/distribution.ts';
import {
  homeOfSale,
  isUsable,
  withholdRows,
  type SaleColumns,
} from '../src/valuation/columns/sale-columns.ts';
import { propertyModelOf } from '../src/valuation/model/property-model.ts';
import { MARKET_FILTER } from '../src/valuation/price-index/index-constants.ts';
import { filterMarket } from '../src/valuation/price-index/market-filter.ts';
import { logOn } from '../src/valuation/price-index/market-path.ts';
import { bindTrained, trainMarket, type BoundMarket } from '../src/valuation/train-market.ts';
import { decodeTrained, encodeTrained, type TrainedMarket } from '../src/valuation/trained-market.ts';
import { valueHome } from '../src/valuation/value-home.ts';
import { amesColumns, day, kingColumns, milwaukeeColumns } from './accuracy-data.ts';
import { CBSA, metroIndexes, ownFiguresOf } from './index-data.ts';

const AGES_MONTHS = [0, 1, 3, 6, 12, 24];
const MOST_SALES = 250;

interface Market {
  readonly columns: () => SaleColumns;
  readonly cbsa?: string;
  /** Training dates: `count` of them, `everyMonths` apart. */
  readonly first: string;
  readonly everyMonths: number;
  readonly count: number;
}

/** Ln price level of a planted market by years from 2011. */
type PlantedPath = (years: number) => number;

const planted = (path: PlantedPath, every = 1): Market => ({
  columns: () => withPath(path, every),
  first: '2013-02-01',
  everyMonths: 8,
  count: 12,
});

const MARKETS: Readonly<Record<string, Market>> = {
  milwaukee: {
    columns: milwaukeeColumns,
    cbsa: CBSA.milwaukee,
    first: '2010-01-01',
    everyMonths: 4,
    count: 39,
  },
  king: { columns: kingColumns, cbsa: CBSA.king, first: '2014-09-01', everyMonths: 1, count: 8 },
  ames: { columns: amesColumns, first: '2007-07-01', everyMonths: 3, count: 12 },
  steady: planted((years) => 0.04 * years),
  boom: planted((years) => 0.03 * years + 0.12 * Math.max(0, Math.min(3, years - 4))),
  crash: planted((years) => 0.15 * Math.min(5, years) - 0.29 * Math.max(0, Math.min(1, (years - 5) / 1.5))),
  season: planted((years) => 0.04 * years + 0.04 * Math.sin(2 * Math.PI * (years - 0.25))),
  thin: planted((years) => 0.04 * years, 25),
};

/** Milwaukee's sales with the market's own path replaced; one in `every`. */
function withPath(path: PlantedPath, every: number): SaleColumns {
  const columns = milwaukeeColumns();
  const market = filterMarket(ownFiguresOf(columns), [], MARKET_FILTER.saleSeason);
  const start = day('2011-01-01');
  const moved = (row: number) => {
    const soldOn = columns.soldOn[row];
    return path((soldOn - start) / 365.25) - logOn(market, soldOn) + logOn(market, start);
  };
  const priceUsd = columns.priceUsd.map((price, row) => Math.round(price * Math.exp(moved(row))));
  const left = Int32Array.from(columns.soldOn.keys()).filter((row) => columns.parcel[row] % every !== 0);
  return withholdRows({ ...columns, priceUsd }, left);
}

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

function valueMonth(market: BoundMarket, columns: SaleColumns, from: Day): Valued[] {
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
        knownBy: asOf - 1,
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

type Cases = Map<string, Valued[][]>;

/** The newest sales that a valuation knows, by case. */
const KNOWN = { 'data go on': Infinity, 'data stop': 0 } as const;

async function measure(
  cases: Cases,
  name: string,
  columns: SaleColumns,
  start: Day,
  suffix: string,
): Promise<void> {
  const trained = await trainedAt(`${name}${suffix}`, columns, start - 1);
  for (const [kind, later] of Object.entries(KNOWN)) {
    // Rows that stop are withheld; published figures go on until the day before each sale.
    const isLater = (row: number) => columns.availableOn[row] > start - 1 + later;
    const rows = Int32Array.from(columns.soldOn.keys()).filter(isLater);
    const market = bindTrained(trained, withholdRows(columns, rows), builder);
    for (const months of AGES_MONTHS) {
      const from = addMonths(start, months);
      const valued = valueMonth(market, columns, from);
      const key = `${(kind + suffix).padEnd(22)} ${String(months).padStart(2)} months`;
      if (valued.length > 0) cases.set(key, [...(cases.get(key) ?? []), valued]);
    }
  }
}

const [name = 'milwaukee'] = process.argv.slice(2);
const { columns: read, cbsa, first, everyMonths, count } = MARKETS[name];
const columns = read();
const cases: Cases = new Map();
for (let o = 0; o < count; o++) {
  const start = addMonths(day(first), o * everyMonths);
  await measure(cases, name, columns, start, '');
  if (cbsa) await measure(cases, name, { ...columns, indexes: metroIndexes(cbsa) }, start, ', with FHFA');
  console.error(`${name}: trained ${formatDay(start - 1)}`);
}
for (const [key, origins] of [...cases].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  const all = origins.flat();
  const levels = origins.map((sales) => Math.abs(medianOf(sales.map(({ error }) => error))));
  const covered = origins.map((sales) => mean(sales.map(({ isCovered }) => Number(isCovered))));
  console.log(
    `${name.padEnd(10)} ${key}: ${origins.length} dates, ${all.length} sales, MdAPE ${percent(medianOf(all.map(({ error }) => Math.abs(Math.expm1(-error)))))}, ` +
      `mean |level error| ${percent(mean(levels))}, 90% interval covers ${percent(mean(all.map(({ isCovered }) => Number(isCovered))))} ` +
      `(worst date ${percent(Math.min(...covered))}), width ${percent(mean(all.map(({ width }) => width)))}`,
  );
}
