import type { AdjustmentField } from '../../domain/adjustment-fields.ts';
import { CHANGE_CAUSES } from '../../domain/change-causes.ts';
import type { Day } from '../../domain/day.ts';
import { formatUsd } from '../../domain/display-format.ts';
import { RENOVATIONS } from '../../domain/renovation-assumptions.ts';
import { PlumblineError } from '../../errors.ts';
import { reshaped, wider, type Distribution } from '../calibration/distribution.ts';
import { adjustedPrice, logSteps } from '../comparables/adjustments.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { COMPARABLES } from '../comparables/comparables-constants.ts';
import { blendedUsd, estimateValues, type Estimate } from '../comparables/estimate.ts';
import {
  addedId,
  NO_CHOICE,
  priceUsdOf,
  withChoice,
  type AddedSale,
  type ComparableChoice,
} from '../comparables/sales-data.ts';
import { selectComparables, type ComparableSelection } from '../comparables/select-comparables.ts';
import { imputeSubject, type AttributeSources } from '../imputation/impute-subject.ts';
import type { Home, Moment } from '../subject.ts';
import { textAt } from '../typed-columns.ts';
import type { BoundMarket } from '../train-market.ts';
import {
  distributionWith,
  listComparables,
  valueHomes,
  type HomeValue,
  type ListedComparable,
} from '../value-home.ts';
import { selectionByPrice } from './price-selection.ts';
import { renovationsUsd, type Renovation } from './renovations.ts';

/** A home as a request and its record describe it. */
interface StatedHome {
  readonly home: Home;
  readonly sources: AttributeSources;
}

/** A sale that the market's data lack. */
interface StatedSale extends StatedHome {
  readonly soldOn: Day;
  readonly priceUsd: number;
}

/** A line of the adjustment grid of one sale, replaced. */
export interface Override {
  readonly row: number;
  readonly field: AdjustmentField;
  readonly amountUsd: number;
}

/** Changes of a valuation besides the home itself. Sales are rows of the market; added ones follow them. */
export interface HomeChanges extends Pick<ComparableChoice, 'pinned' | 'isFilled'> {
  readonly excluded: readonly number[];
  readonly added: readonly StatedSale[];
  /** Sales of the market that added ones state again: counted once. */
  readonly replaced: readonly number[];
  readonly overrides: readonly Override[];
  readonly renovations: readonly Renovation[];
}

export type ChangedHome = ReturnType<typeof valueChangedHome>;

/**
 * Values a home with changes next to its value without them. The difference is split by cause, to the dollar: each
 * share is the difference of two whole-dollar values, of which the later has one change more.
 *
 * @param original the home without corrected facts
 * @throws PlumblineError `invalid_changes` if an override does not fit the comparables
 */
export function valueChangedHome(
  market: BoundMarket,
  original: StatedHome,
  stated: StatedHome,
  moment: Moment,
  changes: HomeChanges,
) {
  const valueOf = ({ home, sources }: StatedHome) => valueHomes(market, [home], sources, moment)[0];
  const before = valueOf(original);
  const corrected = original === stated ? before : valueOf(stated);
  const replaced = changes.replaced.filter(
    (row) => !changes.pinned.includes(row) && !changes.excluded.includes(row),
  );
  const choice: ComparableChoice = {
    added: changes.added.map((sale) => predictedSale(market, sale, moment)),
    pinned: [...changes.pinned, ...changes.added.map((_, i) => market.columns.n + i)],
    excluded: new Set([...changes.excluded, ...replaced]),
    isFilled: changes.isFilled,
    overrideUsd: new Map(),
  };
  const chosenMarket = withComparables(market, choice);
  const chosen = estimateOf(chosenMarket, corrected, moment);
  const asChosen = { ...corrected, estimate: chosen };
  const listed = listSet(chosenMarket, asChosen, moment, chosen.raw.comparables);
  const items = withOverrides(market.columns, listed, changes.overrides);
  const overrideUsd = new Map(
    items.map(({ row, adjustedPriceUsd }, i) => [row, adjustedPriceUsd - listed[i].adjustedPriceUsd]),
  );
  const hasOverrides = changes.overrides.length > 0;
  const adjusted = hasOverrides
    ? estimateOf(withComparables(market, { ...choice, overrideUsd }), corrected, moment)
    : chosen;
  const renovated = renovationsUsd(changes.renovations, moment.asOf);
  const pointUsd = Math.max(1, adjusted.pointUsd + renovated.asIsUsd);
  const distribution = changedDistribution(market, corrected, adjusted);
  const withRenovations = (usd: number) => renovatedDistribution(distribution, adjusted.pointUsd, usd);
  const values = [
    before.estimate.pointUsd,
    corrected.estimate.pointUsd,
    keepingWeights(corrected.estimate, chosen),
    keepingWeights(corrected.estimate, adjusted),
    adjusted.pointUsd,
    pointUsd,
  ];
  return {
    before,
    value: {
      ...corrected,
      estimate: { ...adjusted, pointUsd, logPoint: Math.log(pointUsd) },
      distribution: withRenovations(renovated.asIsUsd),
    },
    /** Sums to the difference of the values. */
    split: CHANGE_CAUSES.map((cause, i) => ({ cause, amountUsd: values[i + 1] - values[i] })),
    items: items.map((item, i) => ({
      ...item,
      weight: adjusted.comparableWeights[i],
      /** Without overrides. */
      computedAdjustments: listed[i].adjustments,
    })),
    excluded: listExcluded(market, corrected, moment, changes.excluded),
    candidates: chosen.raw.comparables.candidates,
    renovations: {
      addedUsd: renovated.addedUsd,
      isPlanned: renovated.isPlanned,
      /** The value when the planned ones are done. */
      asRepaired: valueAsRepaired(pointUsd + renovated.plannedUsd, withRenovations, renovated),
    },
    selection: selectionOf(chosenMarket, asChosen, moment, replaced),
  };
}

function valueAsRepaired(
  pointUsd: number,
  withRenovations: (usd: number) => Distribution,
  { asIsUsd, plannedUsd }: ReturnType<typeof renovationsUsd>,
) {
  return { pointUsd: Math.max(1, pointUsd), distribution: withRenovations(asIsUsd + plannedUsd) };
}

function withComparables(market: BoundMarket, choice: ComparableChoice): BoundMarket {
  return { ...market, salesData: withChoice(market.salesData, choice) };
}

function estimateOf({ salesData, trained }: BoundMarket, { subject }: HomeValue, moment: Moment): Estimate {
  return estimateValues(salesData, trained, [subject], moment)[0];
}

/** An added sale with the model's value of its home, the mean over what may be unknown of it. */
function predictedSale({ salesData }: BoundMarket, sale: StatedSale, { knownBy }: Moment): AddedSale {
  const { soldOn, priceUsd } = sale;
  const moment = { asOf: soldOn, knownBy };
  const { home, variants } = imputeSubject(salesData, sale.home, sale.sources, moment);
  const predictions = salesData.predictor.predict(
    variants.map((variant) => variant.home),
    moment,
  );
  const logValue = predictions.reduce(
    (sum, { logValueAtTraining }, v) => sum + variants[v].weight * logValueAtTraining,
    0,
  );
  return { home, soldOn, priceUsd, logValue };
}

function listSet(market: BoundMarket, value: HomeValue, moment: Moment, found: ComparableSelection) {
  return listComparables(market, value, moment, found, [...Array(found.n).keys()]);
}

/** The grids with the replaced lines; the adjusted prices change by as much. */
function withOverrides(
  columns: SaleColumns,
  items: readonly ListedComparable[],
  overrides: readonly Override[],
): readonly ListedComparable[] {
  const missing = overrides.find(({ row }) => !items.some((item) => item.row === row));
  if (missing) {
    const { row } = missing;
    const id = row < columns.n ? textAt(columns.recordId, row) : addedId(row - columns.n);
    throw new PlumblineError(
      'invalid_changes',
      `An adjustment is of the sale ${id}, which is not among the comparables. Pin that sale, or leave the adjustment out.`,
    );
  }
  return items.map((item) => {
    const own = overrides.filter(({ row }) => row === item.row);
    if (own.length === 0) return item;
    const adjustments = item.adjustments.map((line) => {
      const override = own.find(({ field }) => field === line.field);
      return override ? { ...line, amount: override.amountUsd } : line;
    });
    const sum = adjustments.reduce((total, { amount }) => total + amount, 0);
    const adjustedPriceUsd = item.salePriceUsd + sum;
    if (adjustedPriceUsd < 1) {
      throw new PlumblineError(
        'invalid_changes',
        `The adjustments of the sale at ${formatUsd(item.salePriceUsd)} leave an adjusted price of ${formatUsd(adjustedPriceUsd)}. It must be positive.`,
      );
    }
    const [{ amount: marketConditions }] = adjustments;
    return {
      ...item,
      adjustments,
      adjustedPriceUsd,
      timeAdjustedPriceUsd: item.salePriceUsd + marketConditions,
    };
  });
}

/** The value with these comparables and the weights of the others; the model's value without comparables. */
function keepingWeights(kept: Estimate, { estimators: [model, comparables] }: Estimate): number {
  const { valueUsd } = comparables ?? model;
  return blendedUsd(model.valueUsd, valueUsd, kept.estimators[1]?.weight ?? 0);
}

/**
 * The distribution around the changed value. Never narrower than with the comparables of the search, on which the
 * calibration was learned: nothing measures whether someone's choice is better.
 */
function changedDistribution(market: BoundMarket, corrected: HomeValue, changed: Estimate): Distribution {
  const { estimate, spread, distribution } = corrected;
  if (changed === estimate) return distribution;
  const added = Math.max(0, comparablesVariance(changed, estimate) - comparablesVariance(estimate, estimate));
  const own = distributionWith(market, corrected.subject.home, changed, Math.hypot(spread, Math.sqrt(added)));
  return wider(own, distribution);
}

/**
 * Variance that the comparables' estimate adds to ln value. The variance of one sale is in proportion to
 * 1 / similarity (SIMILARITY), and that of a typical one is the squared spread of the reference set.
 */
function comparablesVariance(estimate: Estimate, reference: Estimate): number {
  const weight = estimate.estimators[1]?.weight ?? 0;
  const { comparables: typical } = reference.raw;
  if (weight === 0 || typical.n === 0) return 0;
  const costOf = ({ comparableWeights, raw }: Estimate, power: number) =>
    comparableWeights.reduce((sum, each, i) => sum + each ** power / raw.comparables.similarity[i], 0);
  const ofOneSale = reference.raw.comparablesSpread ** 2 / costOf(reference, 1);
  return weight ** 2 * ofOneSale * costOf(estimate, 2);
}

/** The distribution moved by what renovations add, and wider by the uncertainty of that. */
function renovatedDistribution(distribution: Distribution, pointUsd: number, addedUsd: number): Distribution {
  if (addedUsd === 0) return distribution;
  const movedUsd = Math.max(1, pointUsd + addedUsd);
  const sd = (RENOVATIONS.relativeSd * addedUsd) / movedUsd;
  return reshaped(distribution, movedUsd, Math.hypot(distribution.fsd, sd) / distribution.fsd);
}

/** The excluded sales as the grid would list them. */
function listExcluded(market: BoundMarket, value: HomeValue, moment: Moment, rows: readonly number[]) {
  if (rows.length === 0) return [];
  const only = withComparables(market, { ...NO_CHOICE, pinned: rows, isFilled: false });
  const { predicted } = value.estimate.raw;
  const subject = { home: value.subject.home, predicted };
  const found = selectComparables(only.salesData, subject, moment, { k: rows.length });
  return listSet(only, value, moment, found).map((item) => ({ ...item, weight: 0 }));
}

/** How many of the most similar sales show whether the most similar were excluded. */
const MOST_SIMILAR = { sales: 5, excluded: 2 } as const;

/** What the choice of comparables looks like. */
function selectionOf(market: BoundMarket, value: HomeValue, moment: Moment, replaced: readonly number[]) {
  const { salesData } = market;
  const { choice, columns } = salesData;
  const { comparables: set, predicted } = value.estimate.raw;
  if (choice.pinned.length === 0 && choice.excluded.size === 0) {
    return { byPrice: null, isMostSimilarExcluded: false };
  }
  const all = selectComparables(
    withChoice(salesData, { ...choice, pinned: [], excluded: new Set(), isFilled: true }),
    { home: value.subject.home, predicted },
    moment,
    { k: COMPARABLES.candidates[columns.kind] },
  );
  const least = set.n === 0 ? Infinity : set.similarity[set.n - 1];
  const logAdjustedOf = (row: number) => {
    const steps = logSteps(salesData, row, predicted, moment);
    return Math.log(adjustedPrice(priceUsdOf(salesData, row), steps).adjustedPriceUsd);
  };
  const chosen = Array.from(set.rows, (row, i) => ({
    similarity: set.similarity[i],
    logAdjusted: logAdjustedOf(row),
    isChosen: true,
  }));
  const others = Array.from(all.rows, (row, i) => ({ row, i, similarity: all.similarity[i] }))
    .filter(({ i, similarity }) => i < COMPARABLES.comparables || similarity >= least)
    .filter(({ row }) => !set.rows.includes(row))
    .map(({ row, similarity }) => ({ similarity, logAdjusted: logAdjustedOf(row), isChosen: false }));
  const mostSimilar = [...all.rows.subarray(0, MOST_SIMILAR.sales)];
  const excluded = mostSimilar.filter((row) => choice.excluded.has(row) && !replaced.includes(row));
  return {
    byPrice: selectionByPrice([...chosen, ...others]),
    isMostSimilarExcluded: excluded.includes(mostSimilar[0]) || excluded.length >= MOST_SIMILAR.excluded,
  };
}
