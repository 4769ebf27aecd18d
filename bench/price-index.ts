/**
 * Error of the price level by horizon: the price index is carried on from monthly origins and compared with what the
 * market did.
 *
 *   node bench/price-index.ts milwaukee     own sales, and with FHFA's purchase-only index as published at the time
 *   node bench/price-index.ts metros        FHFA's 100 metros, index only
 *
 * Milwaukee's own figures are monthly means of out-of-fold residuals of all its sales (2004-2022): their change over
 * the horizon is what the forecasts are compared with. One minute.
 */
import { dayOf } from '../src/domain/day.ts';
import { MARKET_FILTER } from '../src/valuation/price-index/index-constants.ts';
import { filterMarket } from '../src/valuation/price-index/market-filter.ts';
import { monthOf, type MarketPath, type MonthNumber } from '../src/valuation/price-index/market-path.ts';
import { milwaukeeColumns } from './accuracy-data.ts';
import { CBSA, ownFiguresOf, readMetroIndexes, type MetroFigure } from './index-data.ts';

const HORIZONS = [1, 3, 6, 12, 24];
type Forecast = (origin: MonthNumber, horizon: number) => number;

interface Errors {
  readonly sum: number[];
  readonly squares: number[];
  readonly inside: number[];
  readonly stated: number[];
  readonly n: number[];
}

const none = (): Errors => ({
  sum: HORIZONS.map(() => 0),
  squares: HORIZONS.map(() => 0),
  inside: HORIZONS.map(() => 0),
  stated: HORIZONS.map(() => 0),
  n: HORIZONS.map(() => 0),
});

function print(name: string, { sum, squares, inside, stated, n }: Errors): void {
  const mean = (values: readonly number[], factor: number) =>
    values.map((value, h) => ((factor * value) / n[h]).toFixed(2).padStart(6)).join('');
  const rms = squares.map((value, h) => (100 * Math.sqrt(value / n[h])).toFixed(2).padStart(6)).join('');
  console.log(
    `${name.padEnd(26)} mean abs error, %${mean(sum, 100)}   RMS${rms}   in 90% band${mean(inside, 100)}   stated sd${mean(stated, 100)}   n ${n[0]}`,
  );
}

function milwaukee(): void {
  const figures = ownFiguresOf(milwaukeeColumns());
  const published = readMetroIndexes().get(CBSA.milwaukee) ?? [];
  const truth = new Map(figures.map(({ month, mean }) => [month, mean]));
  const paths = new Map<string, MarketPath>();
  const pathAt = (origin: MonthNumber, known: readonly MetroFigure[]): MarketPath => {
    const key = `${origin} ${known.length}`;
    const found = paths.get(key);
    if (found) return found;
    const own = figures.filter(({ month }) => month <= origin);
    const path = filterMarket(own, known, MARKET_FILTER.saleSeason);
    paths.set(key, path);
    return path;
  };
  const at = (path: MarketPath, values: Float64Array, month: MonthNumber) => values[month - path.firstMonth];
  const edge = (origin: MonthNumber) => {
    const last = figures.filter(({ month }) => month <= origin).slice(-2);
    return last.reduce((sum, { mean }) => sum + mean, 0) / last.length;
  };
  const methods: Record<string, { forecast: Forecast; path?: (o: MonthNumber, h: number) => MarketPath }> = {
    'no change': { forecast: edge },
    'last 12 months again': {
      forecast: (origin, h) => {
        const path = pathAt(origin, []);
        const growth = at(path, path.level, origin) - at(path, path.level, origin - 12);
        const season = at(path, path.log, origin + h) - at(path, path.level, origin + h);
        return at(path, path.level, origin) + (growth * h) / 12 + season;
      },
    },
    'filter, own sales': {
      forecast: (origin, h) => at(pathAt(origin, []), pathAt(origin, []).log, origin + h),
      path: (origin) => pathAt(origin, []),
    },
    // What is published until the value date counts, as for a model that is not trained again.
    'filter, with FHFA': {
      forecast: (origin, h) => {
        const path = pathAt(
          origin,
          published.filter(({ availableIn }) => availableIn <= origin + h),
        );
        return at(path, path.log, origin + h);
      },
      path: (origin, h) =>
        pathAt(
          origin,
          published.filter(({ availableIn }) => availableIn <= origin + h),
        ),
    },
  };
  const firstOrigin = monthOf(dayOf(2012, 1, 1));
  const lastOrigin = monthOf(dayOf(2021, 11, 1));
  for (const [name, { forecast, path }] of Object.entries(methods)) {
    const errors = none();
    for (let origin = firstOrigin; origin <= lastOrigin; origin++) {
      HORIZONS.forEach((h, i) => {
        const actual = figures.find(({ month }) => month === origin + h);
        if (!actual) return;
        const error = forecast(origin, h) - actual.mean;
        errors.sum[i] += Math.abs(error);
        errors.squares[i] += error ** 2;
        errors.n[i]++;
        if (!path) return;
        const stated = path(origin, h);
        const sd = Math.sqrt(at(stated, stated.variance, origin + h) + actual.standardError ** 2);
        errors.stated[i] += Math.sqrt(at(stated, stated.variance, origin + h));
        errors.inside[i] += Math.abs(error) <= 1.645 * sd ? 1 : 0;
      });
    }
    print(name, errors);
  }
  console.log(`months ${truth.size}`);
}

/**
 * Each metro's own quarterly index, 12 months ahead: the filter without own sales. Its 90% bands also in the crash,
 * without and with a stress of 1.5.
 */
function metros(): void {
  const [still, all, crash, stressed] = [none(), none(), none(), none()];
  const { gapStepSd, publishedSd } = MARKET_FILTER;
  for (const quarters of readMetroIndexes().values()) {
    const truth = new Map(quarters.map(({ month, logValue }) => [month, logValue]));
    for (let origin = 1997 * 12 + 1; origin <= 2024 * 12 + 10; origin += 3) {
      const known = quarters.filter(({ month }) => month <= origin);
      if (known.at(-1)?.month !== origin) continue;
      const { level, variance, firstMonth } = filterMarket([], known, null);
      const isCrash = origin >= 2006 * 12 && origin < 2012 * 12;
      const last = known.at(-1)?.logValue ?? NaN;
      HORIZONS.forEach((h, i) => {
        const actual = truth.get(origin + h);
        if (actual === undefined) return;
        const change = (values: Float64Array) =>
          values[origin + h - firstMonth] - values[origin - firstMonth];
        const forecast = last + change(level);
        for (const [errors, value, stress] of [
          [still, last, 0],
          [all, forecast, 1],
          ...(isCrash
            ? ([
                [crash, forecast, 1],
                [stressed, forecast, 1.5],
              ] as const)
            : []),
        ] as const) {
          const error = value - actual;
          const noise = h * gapStepSd ** 2 + 2 * publishedSd[3] ** 2;
          const sd = Math.sqrt(stress ** 2 * change(variance) + noise);
          errors.sum[i] += Math.abs(error);
          errors.squares[i] += error ** 2;
          errors.inside[i] += Math.abs(error) <= 1.645 * sd ? 1 : 0;
          errors.stated[i] += sd;
          errors.n[i]++;
        }
      });
    }
  }
  print('no change', still);
  print('filter', all);
  print('filter, 2006 to 2011', crash);
  print('the same, stress 1.5', stressed);
}

if (process.argv[2] === 'metros') metros();
else milwaukee();
