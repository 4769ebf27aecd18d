import type { Attribute } from '../domain/property.ts';
import { percentileUsd } from './calibration/distribution.ts';
import type { AttributeSources } from './imputation/impute-subject.ts';
import type { ImputedSubject, Home, Moment } from './subject.ts';
import type { BoundMarket } from './train-market.ts';
import { valueHomes, type HomeValue } from './value-home.ts';

/** A point value with its 90 % range, whole USD. */
export interface ValueRange {
  readonly valueUsd: number;
  readonly lowUsd: number;
  readonly highUsd: number;
}

interface WeightedValue {
  readonly value: number;
  /** Probability of this value, by the weights of the kNN donors; sums to 1. */
  readonly weight: number;
}

export type MissingDetails = ReturnType<typeof missingDetails>;

/**
 * Most values tried for an attribute: the medians of its fifths. A home with nothing known but its
 * rooms has a dozen unknown attributes, which gives 45 values in one call.
 */
const MAX_VALUES = 5;

/**
 * The missing details that matter most. Each imputed attribute is set to each value that the donors
 * have, as if the request had given it, and the home is valued again.
 */
export function missingDetails(market: BoundMarket, home: Home, sources: AttributeSources, moment: Moment) {
  const [asAsked] = valueHomes(market, [home], sources, moment);
  const { subject } = asAsked;
  // Only attributes for which some donor has a value can be tried.
  const imputed = subject.inputs.filter(({ source, support }) => source === 'comparables' && support);
  const unknown = imputed.map(({ attribute }) => ({
    attribute,
    plausible: plausibleValues(subject, attribute),
  }));
  const trials = unknown.flatMap(({ attribute, plausible }) =>
    plausible.map(({ value }) => ({ ...home, attributes: { ...home.attributes, [attribute]: value } })),
  );
  const valued = trials.length === 0 ? [] : valueHomes(market, trials, sources, moment).map(rangeOf);
  const range = rangeOf(asAsked);
  let at = 0;
  const details = unknown.map(({ attribute, plausible }) => {
    const values = plausible.map((tried) => ({ ...tried, ...valued[at++] }));
    const known = values.reduce((sum, { weight, ...tried }) => sum + weight * widthOf(tried), 0);
    // Mean narrowing over the values; negative where knowing the attribute would widen the range.
    // Each attribute is the only one that becomes known, so these do not add up.
    return { attribute, values, narrowerByUsd: Math.round(widthOf(range) - known) };
  });
  return {
    ...range,
    /** Every attribute that was imputed from donors, the largest narrowing first. */
    details: details.sort((a, b) => b.narrowerByUsd - a.narrowerByUsd),
  };
}

/** The donors' values, ascending; where they are many, the medians of fifths by weight. */
export function plausibleValues(
  { variants }: Pick<ImputedSubject, 'variants'>,
  attribute: Attribute,
): WeightedValue[] {
  const weightOf = new Map<number, number>();
  let total = 0;
  for (const { home, weight } of variants) {
    const value = home.attributes[attribute];
    if (value === null) continue;
    weightOf.set(value, (weightOf.get(value) ?? 0) + weight);
    total += weight;
  }
  const all = [...weightOf]
    .sort((a, b) => a[0] - b[0])
    .map(([value, weight]) => ({ value, weight: weight / total }));
  return all.length <= MAX_VALUES ? all : mediansOfFifths(all);
}

function mediansOfFifths(rising: readonly WeightedValue[]): WeightedValue[] {
  const merged = new Map<number, number>();
  let reached = 0;
  let at = 0;
  for (let fifth = 0; fifth < MAX_VALUES; fifth++) {
    const middle = (fifth + 0.5) / MAX_VALUES;
    while (at < rising.length - 1 && reached + rising[at].weight < middle) reached += rising[at++].weight;
    const { value } = rising[at];
    merged.set(value, (merged.get(value) ?? 0) + 1 / MAX_VALUES);
  }
  return [...merged].map(([value, weight]) => ({ value, weight }));
}

function rangeOf({ estimate, distribution }: HomeValue): ValueRange {
  return {
    valueUsd: estimate.pointUsd,
    lowUsd: percentileUsd(distribution, 5),
    highUsd: percentileUsd(distribution, 95),
  };
}

function widthOf({ lowUsd, highUsd }: Pick<ValueRange, 'lowUsd' | 'highUsd'>): number {
  return highUsd - lowUsd;
}
