import type { AdjustmentField } from '../../domain/adjustment-fields.ts';
import { yearMonthOf } from '../../domain/day.ts';
import { ATTRIBUTES, type Attribute } from '../../domain/property.ts';
import type { MixedHome, MixedSale } from '../model/predictor.ts';
import type { Home, ImputedSubject, Moment } from '../subject.ts';
import { ADJUSTMENTS } from './comparables-constants.ts';
import { logDifference, type PredictedValue } from './select-comparables.ts';
import { homeOf, placeOf, priceUsdOf, soldOnOf, type SalesData } from './sales-data.ts';

/** A line about the homes. Attributes without a line of their own are `other`. */
interface Difference {
  readonly field: AdjustmentField;
  readonly attribute: Attribute | null;
  /** Whether more of it never lowers a home's value. */
  readonly rises: boolean;
}

/** The differences between two homes, in the order of the appraisal form. */
const DIFFERENCES = [
  { field: 'location', attribute: null, rises: false },
  { field: 'site', attribute: 'lotSizeSqft', rises: true },
  { field: 'age', attribute: 'yearBuilt', rises: false },
  { field: 'condition', attribute: 'condition', rises: true },
  { field: 'bedrooms', attribute: 'bedrooms', rises: true },
  { field: 'baths', attribute: 'bathrooms', rises: true },
  { field: 'living_area', attribute: 'livingAreaSqft', rises: true },
  { field: 'other', attribute: null, rises: false },
] as const satisfies readonly Difference[];

const LOCATION = DIFFERENCES.findIndex(({ field }) => field === 'location');

type DifferenceField = (typeof DIFFERENCES)[number]['field'];

const OWN_LINE = new Map<Attribute, DifferenceField>(
  DIFFERENCES.flatMap(({ field, attribute }) => (attribute === null ? [] : [[attribute, field]])),
);

/** One line of the sales comparison grid. */
export interface Adjustment {
  readonly field: AdjustmentField;
  /** Age in years on the as-of date, else as the attribute. null: unknown, or a line without a value. */
  readonly subject: number | null;
  readonly comp: number | null;
  /** Whole dollars. */
  readonly amount: number;
  /** The attributes and features that differ within `other`. */
  readonly details: readonly Detail[];
}

interface Detail {
  readonly field: string;
  readonly subject: number | string | null;
  readonly comp: number | string | null;
}

/** Adjustments in ln USD. */
type LogSteps = ReturnType<typeof logSteps>;

export function logSteps(salesData: SalesData, row: number, predicted: PredictedValue, moment: Moment) {
  const place = placeOf(salesData, row);
  return {
    /** Index change since the sale. */
    time: salesData.predictor.indexChange(place, soldOnOf(salesData, row), moment.asOf, moment.knownBy),
    /** What the model pays for the differences. */
    difference: logDifference(salesData, predicted, row),
  };
}

/**
 * A comparable's price adjusted to the as-of date and to the subject, whole USD: what the
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

/** The grids of a home's comparables. One call of the model. */
export function adjustComparables(
  salesData: SalesData,
  subject: ImputedSubject,
  comparables: readonly { readonly row: number; readonly steps: LogSteps }[],
  moment: Moment,
): readonly (readonly Adjustment[])[] {
  const compared = comparables.map(({ row }) => {
    const comp = homeOf(salesData, row);
    const fields = differingFields(subject.home, comp);
    const sale = { row, comp, soldOn: soldOnOf(salesData, row) };
    return { comp, fields, homes: mixedHomes(subject.home, sale, fields) };
  });
  const mixed = compared.flatMap(({ homes }) => homes);
  const values = salesData.predictor.valuesBetween(subject.home, moment, mixed);
  let at = 0;
  return compared.map(({ comp, fields, homes }, i) => {
    const { row, steps } = comparables[i];
    const shares = logShares(subject.home, comp, fields, values.subarray(at, (at += homes.length)));
    const prices = adjustedPrice(priceUsdOf(salesData, row), steps);
    return gridOf(subject, comp, boundedLogs(shares, steps.difference), prices, steps, moment);
  });
}

/**
 * The grid of one comparable: market conditions, what the model pays for each difference between the homes, and
 * last what is unexplained: the effect of unknown attributes beyond their typical values.
 *
 * Dollars are shared in proportion to ln USD, so that no line depends on its position, and rounded by largest
 * remainder: salePrice + Σ amount == adjustedPrice to the dollar.
 */
function gridOf(
  subject: ImputedSubject,
  comp: Home,
  logs: readonly number[],
  prices: ReturnType<typeof adjustedPrice>,
  { difference }: LogSteps,
  moment: Moment,
): readonly Adjustment[] {
  const { timeAdjustedPriceUsd } = prices;
  // Logarithmic mean of the prices: dollars per ln USD between the two.
  const rate =
    Math.abs(difference) < 1e-9
      ? timeAdjustedPriceUsd
      : (timeAdjustedPriceUsd * Math.expm1(difference)) / difference;
  const amounts = roundToTotal(
    logs.map((log) => log * rate),
    prices.adjustedPriceUsd - timeAdjustedPriceUsd,
  );
  const shown = asKnown(subject);
  const year = yearMonthOf(moment.asOf).year;
  const ofDifference = ({ field, attribute }: Difference, home: Home): number | null => {
    const value = attribute === null ? null : home.attributes[attribute];
    return field === 'age' && value !== null ? Math.max(0, year - value) : value;
  };
  const nothing = { subject: null, comp: null, details: [] };
  const lines: Adjustment[] = [
    { ...nothing, field: 'market_conditions', amount: timeAdjustedPriceUsd - prices.salePriceUsd },
    ...DIFFERENCES.map((line, i) => ({
      field: line.field,
      subject: ofDifference(line, shown),
      comp: ofDifference(line, comp),
      amount: amounts[i],
      details: line.field === 'other' ? otherDetails(shown, comp) : [],
    })),
    { ...nothing, field: 'unexplained', amount: amounts[DIFFERENCES.length] },
  ];
  // No −0, which would fail equality with 0.
  return lines.map((line) => ({ ...line, amount: line.amount === 0 ? 0 : line.amount }));
}

/** What adjustments come to, in percent of the sale price. */
export function adjustmentTotals(
  salePriceUsd: number,
  adjustments: readonly Pick<Adjustment, 'field' | 'amount'>[],
) {
  const percentOf = (amounts: readonly number[]) => {
    const sum = amounts.reduce((total, amount) => total + amount, 0);
    return Math.round((1000 * sum) / salePriceUsd) / 10;
  };
  const all = adjustments.map(({ amount }) => amount);
  const others = adjustments.filter(({ field }) => field !== 'market_conditions').map(({ amount }) => amount);
  return {
    netAdjustmentPct: percentOf(all),
    grossAdjustmentPct: percentOf(all.map(Math.abs)),
    netAdjustmentPctWithoutMarketConditions: percentOf(others),
    grossAdjustmentPctWithoutMarketConditions: percentOf(others.map(Math.abs)),
  };
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

/** The subject with imputed attributes and features unknown again. */
function asKnown({ home, inputs, imputedFeatures }: ImputedSubject): Home {
  const attributes = { ...home.attributes };
  for (const { attribute, source } of inputs) if (source === 'comparables') attributes[attribute] = null;
  const isImputed = (name: string): boolean => imputedFeatures.some((feature) => feature.name === name);
  const features = Object.fromEntries(Object.entries(home.features).filter(([name]) => !isImputed(name)));
  return { ...home, attributes, features };
}

/** Attributes without their own line and own features that are known of both homes and differ. */
function otherDetails(subject: Home, comp: Home): Detail[] {
  const attributes = ATTRIBUTES.filter((attribute) => !OWN_LINE.has(attribute)).map((field) => {
    return { field, subject: subject.attributes[field], comp: comp.attributes[field] };
  });
  const features = Object.keys(comp.features).map((field) => {
    return { field, subject: subject.features[field] ?? null, comp: comp.features[field] };
  });
  const type = { field: 'propertyType', subject: subject.type, comp: comp.type };
  return [type, ...attributes, ...features].filter(({ subject: ours, comp: theirs }) => ours !== theirs);
}

function differingFields(subject: Home, comp: Home): readonly DifferenceField[] {
  return DIFFERENCES.map(({ field }) => field).filter(
    (field) => field === 'location' || field === 'other' || differs(field, subject, comp),
  );
}

/** The comparable with more and more fields of the subject in the order of the form, then in its reverse. */
function mixedHomes(
  subject: Home,
  sale: MixedSale,
  fields: readonly DifferenceField[],
): readonly MixedHome[] {
  const forward = fields.map((_, i) => fields.slice(0, i));
  const backward = fields.map((_, i) => fields.slice(i));
  return [...forward, ...backward].map((replaced) => mixedHome(subject, sale, new Set(replaced)));
}

/**
 * Ln USD of each of DIFFERENCES: what the model pays for replacing the sale's attributes by the subject's, as the
 * mean over the order of the form and its reverse (Shapley values over two orders).
 *
 * The model may pay less for more, as for more bedrooms in the same area, which are smaller rooms. No appraiser would
 * sign that as a line of its own, so it is left unexplained.
 *
 * @param values of `mixedHomes`
 */
function logShares(
  subject: Home,
  comp: Home,
  fields: readonly DifferenceField[],
  values: Float64Array,
): number[] {
  const n = fields.length;
  // Value n has all replaced, value 0 none.
  const [start, end] = [values[0], values[n]];
  return DIFFERENCES.map(({ field, attribute, rises }) => {
    const i = fields.indexOf(field);
    if (i < 0) return 0;
    const inOrder = (i === n - 1 ? end : values[i + 1]) - values[i];
    const inReverse = values[n + i] - (i === n - 1 ? start : values[n + i + 1]);
    const share = (inOrder + inReverse) / 2;
    const more = rises ? (subject.attributes[attribute] ?? NaN) - (comp.attributes[attribute] ?? NaN) : NaN;
    return more * share < 0 ? 0 : share;
  });
}

/**
 * The shares in the order of DIFFERENCES and the unexplained rest, which is bounded. What exceeds its bound first
 * reduces the shares of the other sign, to 0 at most, and then raises those of its own sign in proportion, so that no
 * share changes its sign. Without any of its own sign, apart from rounding errors, it is location.
 */
export function boundedLogs(shares: readonly number[], difference: number): number[] {
  const most = ADJUSTMENTS.mostUnexplained;
  const rest = difference - sumOf(shares);
  const excess = rest - Math.min(most, Math.max(-most, rest));
  const sizeOf = (sign: number) => sumOf(shares.map((share) => Math.max(0, sign * share)));
  const along = sizeOf(Math.sign(excess));
  const against = sizeOf(-Math.sign(excess));
  const left = Math.max(0, Math.abs(excess) - against);
  const reduced = left > 0 ? 0 : 1 - Math.abs(excess) / against;
  const raised = along > NEGLIGIBLE ? 1 + left / along : 1;
  const bounded = shares.map((share) => share * (share * excess < 0 ? reduced : raised));
  if (along <= NEGLIGIBLE) bounded[LOCATION] += Math.sign(excess) * left;
  return [...bounded, difference - sumOf(bounded)];
}

/** Ln USD: a dollar of a billion. Rounding errors of the model's sums are smaller. */
const NEGLIGIBLE = 1e-9;

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function differs(field: DifferenceField, subject: Home, comp: Home): boolean {
  return ATTRIBUTES.some(
    (attribute) =>
      OWN_LINE.get(attribute) === field && subject.attributes[attribute] !== comp.attributes[attribute],
  );
}

/** The comparable with these lines of the subject. */
function mixedHome(subject: Home, sale: MixedSale, replaced: ReadonlySet<DifferenceField>): MixedHome {
  const { comp } = sale;
  const isAtSubject = replaced.has('location');
  const hasSubjectsHistory = replaced.has('other');
  const place = isAtSubject ? subject : comp;
  const other = hasSubjectsHistory ? subject : comp;
  const attributes = { ...comp.attributes };
  for (const attribute of ATTRIBUTES) {
    if (replaced.has(OWN_LINE.get(attribute) ?? 'other'))
      attributes[attribute] = subject.attributes[attribute];
  }
  const { lat, lon, parcelId } = place;
  return {
    ...sale,
    isAtSubject,
    hasSubjectsHistory,
    home: { lat, lon, parcelId, type: other.type, attributes, features: other.features },
  };
}
