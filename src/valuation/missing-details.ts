import { ATTRIBUTES, type Attribute } from '../domain/property.ts';
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

/** What an unknown attribute may turn out to be, and what the home would then be valued at. */
export interface PlausibleValue extends ValueRange {
  readonly value: number;
  /** Chance that it is this one, by the neighbors that stand in for the home; sum 1. */
  readonly weight: number;
}

/** What not knowing one attribute costs. */
export interface MissingDetail {
  readonly attribute: Attribute;
  /** Rising. */
  readonly values: readonly PlausibleValue[];
  /**
   * How much narrower the 90 % range is on average over the values than without knowing; negative where knowing would
   * widen it. What several attributes would save together is not the sum: each is told as if it alone became known.
   */
  readonly narrowerByUsd: number;
}

export interface MissingDetails extends ValueRange {
  /** Of every attribute that neighbors filled in, the dearest first. */
  readonly costs: readonly MissingDetail[];
}

/**
 * Most values that an attribute is tried at: the medians of its fifths. A home with nothing known but its rooms has a
 * dozen unknown attributes, which makes 45 values at once.
 */
const MOST_VALUES = 5;

/**
 * What each attribute that neighbors filled in costs in range. The neighbors' values, by their worth, are what it may
 * be; the home is valued again with each, as if a request had told it, all else as unknown as before.
 */
export function missingDetails(
  market: BoundMarket,
  home: Home,
  sources: AttributeSources,
  moment: Moment,
): MissingDetails {
  const [asAsked] = valueHomes(market, [home], sources, moment);
  const { subject } = asAsked;
  const unknown = ATTRIBUTES.filter((attribute) => isImputed(subject, attribute)).map((attribute) => ({
    attribute,
    plausible: plausibleValues(subject, attribute),
  }));
  const trials = unknown.flatMap(({ attribute, plausible }) =>
    plausible.map(({ value }) => ({ ...home, attributes: { ...home.attributes, [attribute]: value } })),
  );
  const valued = trials.length === 0 ? [] : valueHomes(market, trials, sources, moment).map(rangeOf);
  const range = rangeOf(asAsked);
  let at = 0;
  const costs = unknown.map(({ attribute, plausible }): MissingDetail => {
    const values = plausible.map((tried) => ({ ...tried, ...valued[at++] }));
    const known = values.reduce((sum, { weight, ...tried }) => sum + weight * widthOf(tried), 0);
    return { attribute, values, narrowerByUsd: Math.round(widthOf(range) - known) };
  });
  return { ...range, costs: costs.sort((a, b) => b.narrowerByUsd - a.narrowerByUsd) };
}

/** Whether neighbors told anything of it. */
function isImputed({ inputs }: ImputedSubject, attribute: Attribute): boolean {
  const input = inputs.find((one) => one.attribute === attribute);
  return input?.source === 'comparables' && (input.support ?? 0) > 0;
}

/**
 * What the neighbors have, rising: every value where they are few, else the median of each fifth of the neighbors by
 * weight.
 */
export function plausibleValues(
  { variants }: Pick<ImputedSubject, 'variants'>,
  attribute: Attribute,
): { readonly value: number; readonly weight: number }[] {
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
  return all.length <= MOST_VALUES ? all : mediansOfFifths(all);
}

function mediansOfFifths(
  rising: readonly { readonly value: number; readonly weight: number }[],
): { readonly value: number; readonly weight: number }[] {
  const merged = new Map<number, number>();
  let reached = 0;
  let at = 0;
  for (let fifth = 0; fifth < MOST_VALUES; fifth++) {
    const middle = (fifth + 0.5) / MOST_VALUES;
    while (at < rising.length - 1 && reached + rising[at].weight < middle) reached += rising[at++].weight;
    const { value } = rising[at];
    merged.set(value, (merged.get(value) ?? 0) + 1 / MOST_VALUES);
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
