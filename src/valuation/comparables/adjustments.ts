import { ATTRIBUTES } from '../../domain/property.ts';
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

/** Adjustments in ln USD. */
type LogSteps = ReturnType<typeof logSteps>;

export function logSteps(
  salesData: SalesData,
  row: number,
  logValueAtTraining: number,
  bias: number,
  moment: Moment,
) {
  const { columns, predictor } = salesData;
  return {
    /** Index change since the sale. */
    time: predictor.indexChange(placeOfSale(columns, row), columns.soldOn[row], moment.asOf),
    /** Prediction of the subject less out-of-fold prediction of the sale. */
    difference: logValueAtTraining - salesData.logValueOfSale(row) + bias,
  };
}

/**
 * A comparable's price adjusted to the value date and to the subject, whole USD: what the
 * estimator weighs and the adjustment grid ends with.
 */
export function adjustedPrice(priceUsd: number, steps: LogSteps) {
  const salePriceUsd = Math.round(priceUsd);
  const timeAdjusted = salePriceUsd * Math.exp(steps.time);
  return {
    salePriceUsd,
    timeAdjustedPriceUsd: Math.max(1, Math.round(timeAdjusted)),
    adjustedPriceUsd: Math.max(1, Math.round(timeAdjusted * Math.exp(steps.difference))),
  };
}

/**
 * The grid lines of one comparable. Time comes first. Each attribute that is known of both homes and differs
 * gets what the model pays for changing it (Shapley value over two orders, forward and reverse, at the
 * comparable's place). 'location' is the rest: place, unlisted differences, bias correction.
 *
 * Dollars are shared in proportion to ln USD, so that no line depends on its position, and rounded by largest
 * remainder: salePrice + Σ amount == adjustedPrice to the dollar.
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
  const { difference } = steps;
  const { timeAdjustedPriceUsd } = prices;
  const rate =
    Math.abs(difference) < 1e-9
      ? timeAdjustedPriceUsd
      : (timeAdjustedPriceUsd * Math.expm1(difference)) / difference;
  const shareUsd = logs.map((log) => log * rate);
  const amounts = roundToTotal(shareUsd, total);
  const lines: Adjustment[] = [
    { field: 'time', subject: null, comp: null, amount: prices.timeAdjustedPriceUsd - prices.salePriceUsd },
    ...changes.map(({ field, subject: ours, comp: theirs }, i) => {
      return { field, subject: ours, comp: theirs, amount: amounts[i] };
    }),
    { field: 'location', subject: null, comp: null, amount: amounts[changes.length] },
  ];
  // No −0, which would fail equality with 0.
  return lines.map((line) => ({ ...line, amount: line.amount === 0 ? 0 : line.amount }));
}

/**
 * Whole numbers nearest to the shares that sum to `total`: floors, then one more for the largest
 * remainders (ties: first). The last share takes up what the shares' sum lacks.
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

type Difference = ReturnType<typeof differencesOf>[number];

/** Attributes and own features that are known of both homes and differ. */
function differencesOf(subject: Home, comp: Home) {
  const attributes = ATTRIBUTES.map((attribute) => {
    const [ours, theirs] = [subject.attributes[attribute], comp.attributes[attribute]];
    return { field: attribute as string, attribute, subject: ours, comp: theirs };
  });
  const features = Object.keys(comp.features).map((field) => {
    return { field, attribute: null, subject: subject.features[field] ?? null, comp: comp.features[field] };
  });
  return [...attributes, ...features].filter(
    ({ subject: ours, comp: theirs }) => ours !== null && theirs !== null && ours !== theirs,
  );
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
  const { predictor } = salesData;
  const forward = changes.map((_, i) => i);
  const start = predictor.predictBase(comp);
  const changed = changes.reduce((home, change) => withChange(home, subject, change), comp);
  const end = predictor.predictBase(changed);
  for (const order of [forward, forward.toReversed()]) {
    let home = comp;
    let before = start;
    order.forEach((i, at) => {
      home = withChange(home, subject, changes[i]);
      const after = at === order.length - 1 ? end : predictor.predictBase(home);
      shares[i] += (after - before) / 2;
      before = after;
    });
  }
  return shares;
}

function withChange(home: Home, { attributes, features }: Home, { attribute, field }: Difference): Home {
  return attribute === null
    ? { ...home, features: { ...home.features, [field]: features[field] } }
    : { ...home, attributes: { ...home.attributes, [attribute]: attributes[attribute] } };
}
