import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { dayOf, type Day } from '../src/domain/day.ts';
import { asOfRows, NEVER, type SaleColumns } from '../src/valuation/columns/sale-columns.ts';
import { assignFolds, crossFit, growFoldsHere } from '../src/valuation/model/cross-fit.ts';
import { featureColumns, planFeatures, readAsOfSample } from '../src/valuation/model/features.ts';
import { FIT_DEFAULTS } from '../src/valuation/model/fit-model.ts';
import type { ExternalIndexes } from '../src/valuation/price-index/external-index.ts';
import type { OwnFigure, PublishedFigure } from '../src/valuation/price-index/market-filter.ts';
import { middleOf, monthOf, type MonthNumber } from '../src/valuation/price-index/market-path.ts';
import { ownFigures } from '../src/valuation/price-index/own-figures.ts';
import { binColumns } from '../src/valuation/trees/bin-columns.ts';
import { DATA } from './accuracy-data.ts';

/** The metros of the real markets. */
export const CBSA = { milwaukee: '33340', king: '42644' } as const;

/** FHFA publishes a quarter about 58 days after its end. */
const PUBLISHED_AFTER_DAYS = 58;

export interface MetroFigure extends PublishedFigure {
  readonly availableOn: Day;
  readonly availableIn: MonthNumber;
}

/** FHFA's purchase-only index of each metro by its CBSA, seasonally adjusted. */
export function readMetroIndexes(): Map<string, MetroFigure[]> {
  const text = gunzipSync(readFileSync(new URL('index/fhfa_po_metro.csv.gz', DATA)));
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  const metros = new Map<string, MetroFigure[]>();
  for (const { cbsa, yr, qtr, index_sa: value } of rows) {
    const last = 3 * Number(qtr);
    const end = dayOf(Number(yr), last + 1, 1) - 1;
    const figure: MetroFigure = {
      month: Number(yr) * 12 + last - 2,
      series: 0,
      logValue: Math.log(Number(value)),
      periodMonths: 3,
      availableOn: end + PUBLISHED_AFTER_DAYS,
      availableIn: monthOf(end + PUBLISHED_AFTER_DAYS),
    };
    metros.set(cbsa, [...(metros.get(cbsa) ?? []), figure]);
  }
  return metros;
}

/** A metro's index as a market carries it. */
export function metroIndexes(cbsa: string): ExternalIndexes {
  const figures = readMetroIndexes().get(cbsa) ?? [];
  return {
    series: [{ name: `fhfa-purchase-only-${cbsa}`, periodMonths: 3 }],
    seriesCode: new Uint8Array(figures.length),
    day: Int32Array.from(figures, ({ month }) => Math.floor(middleOf(month))),
    logValue: Float64Array.from(figures, ({ logValue }) => logValue),
    availableOn: Int32Array.from(figures, ({ availableOn }) => availableOn),
  };
}

/** Quality-adjusted log prices: what is left of each price once trees explain attributes and place, out of fold. */
export function ownFiguresOf(columns: SaleColumns): OwnFigure[] {
  const rows = asOfRows(columns, NEVER - 1);
  const plan = planFeatures(columns, rows);
  const sales = readAsOfSample(columns, rows, plan);
  const table = binColumns(featureColumns(plan, columns, rows), rows.length);
  const data = {
    table,
    fold: assignFolds(sales.parcel, 5, 1),
    folds: 5,
    weights: null,
    growFolds: growFoldsHere,
  };
  const month = sales.soldOn.map(monthOf);
  let trend = new Map<MonthNumber, number>();
  let residual = sales.logPrice;
  for (const pass of [0, 1, 2]) {
    const flat = sales.logPrice.map((log, i) => log - (trend.get(month[i]) ?? 0));
    const { outOfFold } = crossFit(data, flat, (k) => ({
      ...FIT_DEFAULTS.indexTrees,
      monotone: null,
      seed: 10 * pass + k,
    }));
    residual = sales.logPrice.map((log, i) => log - outOfFold[i]);
    trend = new Map(ownFigures(sales.soldOn, residual).map((figure) => [figure.month, figure.mean]));
  }
  return ownFigures(sales.soldOn, residual);
}
