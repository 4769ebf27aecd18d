import { ATTRIBUTES, type Attribute } from '../../domain/property.ts';
import { homeOfSale, placeOfSale } from '../columns/sale-columns.ts';
import type { SalesData } from './sales-data.ts';
import type { Home, Moment } from '../subject.ts';

/** One line of the sales comparison grid. Whole dollars. */
export interface Adjustment {
  /** 'time', then attributes and the market's own features that differ, last 'location'. */
  readonly field: string;
  readonly subject: number | string | null;
  readonly comp: number | string | null;
  readonly amount: number;
}

/** A comparable's price adjusted to the value date and to the subject; whole dollars. */
export interface AdjustedPrice {
  readonly salePriceUsd: number;
  readonly timeAdjustedPriceUsd: number;
  readonly adjustedPriceUsd: number;
}

/** Adjustments in ln USD: market change since the sale, then differences from the subject. */
export interface LogSteps {
  readonly time: number;
  readonly difference: number;
}

/**
 * Index change since the sale; prediction of the subject less out-of-fold prediction of the sale.
 */
export function logSteps(
  salesData: SalesData,
  row: number,
  logValueAtTraining: number,
  bias: number,
  moment: Moment,
): LogSteps {
  const { columns, predictor } = salesData;
  return {
    time: predictor.indexChange(placeOfSale(columns, row), columns.soldOn[row], moment.asOf),
    difference: logValueAtTraining - salesData.logValueOfSale(row) + bias,
  };
}

/** The prices that the estimator weighs, which are those of the adjustment grid. */
export function adjustedPrice(priceUsd: number, steps: LogSteps): AdjustedPrice {
  const salePriceUsd = Math.round(priceUsd);
  const timeAdjusted = salePriceUsd * Math.exp(steps.time);
  return {
    salePriceUsd,
    timeAdjustedPriceUsd: Math.max(1, Math.round(timeAdjusted)),
    adjustedPriceUsd: Math.max(1, Math.round(timeAdjusted * Math.exp(steps.difference))),
  };
}

/**
 * The grid lines of one comparable. Time comes first. Each attribute that is known of both homes
 * and differs gets what the model pays for changing it (Shapley value over two orders, forward and
 * reverse, at the comparable's place). 'location' is the rest: place, unlisted differences, bias
 * correction.
 *
 * Dollars are shared in proportion to ln USD, so that no line depends on its position, and rounded
 * by largest remainder: salePrice + Σ amount == adjustedPrice to the dollar.
 */
export function adjustComparable(
  salesData: SalesData,
  subject: Home,
  row: number,
  steps: LogSteps,
): readonly Adjustment[] {
  const prices = adjustedPrice(salesData.columns.priceUsd[row], steps);
  const comp = homeOfSale(salesData.columns, row);
  const changes = differencesOf(subject, comp);
  const shares = shapleyValues(salesData, subject, comp, changes);
  const logs = [...shares, steps.difference - shares.reduce((sum, log) => sum + log, 0)];
  const total = prices.adjustedPriceUsd - prices.timeAdjustedPriceUsd;
  // Logarithmic mean of the prices: dollars per ln USD between the two.
  const rate =
    Math.abs(steps.difference) < 1e-9
      ? prices.timeAdjustedPriceUsd
      : (prices.timeAdjustedPriceUsd * Math.expm1(steps.difference)) / steps.difference;
  const amounts = roundToTotal(
    logs.map((log) => log * rate),
    total,
  );
  return [
    line('time', null, null, prices.timeAdjustedPriceUsd - prices.salePriceUsd),
    ...changes.map((change, i) => line(change.field, change.subject, change.comp, amounts[i])),
    line('location', null, null, amounts[changes.length]),
  ];
}

function line(
  field: string,
  subject: Adjustment['subject'],
  comp: Adjustment['comp'],
  amount: number,
): Adjustment {
  // No −0, which would fail equality with 0.
  return { field, subject, comp, amount: amount === 0 ? 0 : amount };
}

/**
 * Whole numbers nearest to the shares that sum to `total`: floors, then one more for the largest
 * remainders (ties: first). The last share first takes up any difference between the shares' sum
 * and the total.
 */
export function roundToTotal(shares: readonly number[], total: number): number[] {
  const last = shares.length - 1;
  const exact = [...shares];
  exact[last] += total - shares.reduce((sum, share) => sum + share, 0);
  const whole = exact.map(Math.floor);
  let left = total - whole.reduce((sum, share) => sum + share, 0);
  const order = exact.map((_, i) => i).sort((a, b) => exact[b] - whole[b] - (exact[a] - whole[a]) || a - b);
  for (let i = 0; left > 0 && i < order.length; i++, left--) whole[order[i]]++;
  // What is left now is rounding error of sums of huge shares.
  whole[last] += left;
  return whole;
}

interface Difference {
  readonly field: string;
  readonly attribute: Attribute | null;
  readonly subject: number | string;
  readonly comp: number | string;
}

function differencesOf(subject: Home, comp: Home): Difference[] {
  const differences: Difference[] = [];
  for (const attribute of ATTRIBUTES) {
    const ours = subject.attributes[attribute];
    const theirs = comp.attributes[attribute];
    if (ours !== null && theirs !== null && ours !== theirs) {
      differences.push({ field: attribute, attribute, subject: ours, comp: theirs });
    }
  }
  for (const name of Object.keys(comp.features)) {
    const ours = subject.features[name];
    const theirs = comp.features[name];
    if (ours !== undefined && ours !== theirs) {
      differences.push({ field: name, attribute: null, subject: ours, comp: theirs });
    }
  }
  return differences;
}

/** What each change adds to the base prediction: mean of the forward and the reverse order. */
function shapleyValues(
  salesData: SalesData,
  subject: Home,
  comp: Home,
  changes: readonly Difference[],
): number[] {
  const shares = new Array<number>(changes.length).fill(0);
  if (changes.length === 0) return shares;
  const forward = changes.map((_, i) => i);
  const start = salesData.predictor.predictBase(comp);
  const end = salesData.predictor.predictBase(
    changes.reduce((home, change) => withChange(home, subject, change), comp),
  );
  for (const order of [forward, forward.toReversed()]) {
    let home = comp;
    let before = start;
    order.forEach((i, at) => {
      home = withChange(home, subject, changes[i]);
      const after = at === order.length - 1 ? end : salesData.predictor.predictBase(home);
      shares[i] += (after - before) / 2;
      before = after;
    });
  }
  return shares;
}

function withChange(home: Home, subject: Home, change: Difference): Home {
  if (change.attribute === null) {
    return { ...home, features: { ...home.features, [change.field]: subject.features[change.field] } };
  }
  return {
    ...home,
    attributes: { ...home.attributes, [change.attribute]: subject.attributes[change.attribute] },
  };
}
