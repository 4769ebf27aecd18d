import type { Attribute } from '../domain/property.ts';
import { isOwnFeature } from '../domain/rent.ts';
import { percentileUsd } from './calibration/distribution.ts';
import type { AttributeSources } from './imputation/impute-subject.ts';
import { isNumber } from './model/feature-summary.ts';
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
  /** Text for a feature, also for one whose texts are numbers. */
  readonly value: number | string;
  /** Probability of this value, by the weights of the kNN donors; sums to 1. */
  readonly weight: number;
}

/** What can be unknown of a home: an attribute, or one of the market's own features. */
interface Detail {
  readonly name: { readonly attribute: Attribute } | { readonly feature: string };
  readonly valueOf: (home: Home) => number | string | null;
  readonly knowing: (home: Home, value: number | string) => Home;
}

export type MissingDetails = ReturnType<typeof missingDetails>;

/**
 * Most values tried for a detail: of numbers the medians of their fifths, else the most common ones. A home with
 * nothing known but its rooms has a dozen unknown attributes, which gives 45 values in one call.
 */
const MAX_VALUES = 5;

/**
 * The missing details that matter most. Each imputed attribute and feature is set to each value that the donors
 * have, as if the request had given it, and the home is valued again.
 */
export function missingDetails(market: BoundMarket, home: Home, sources: AttributeSources, moment: Moment) {
  const [asRequested] = valueHomes(market, [home], sources, moment);
  const unknown = imputedDetails(asRequested.subject).map((detail) => ({
    ...detail,
    plausible: plausibleValues(asRequested.subject, detail.valueOf),
  }));
  const trials = unknown.flatMap(({ knowing, plausible }) =>
    plausible.map(({ value }) => knowing(home, value)),
  );
  const valued = trials.length === 0 ? [] : valueHomes(market, trials, sources, moment).map(rangeOf);
  const range = rangeOf(asRequested);
  let at = 0;
  const details = unknown.map(({ name, plausible }) => {
    const values = plausible.map((tried) => ({ ...tried, ...valued[at++] }));
    const known = values.reduce((sum, { weight, ...tried }) => sum + weight * widthOf(tried), 0);
    // Mean narrowing over the values; negative where knowing the detail would widen the range.
    // Each detail is the only one that becomes known, so these do not add up.
    return { name, values, narrowerByUsd: Math.round(widthOf(range) - known) };
  });
  return {
    ...range,
    /** Every detail that was imputed from donors, the largest narrowing first. */
    details: details.sort((a, b) => b.narrowerByUsd - a.narrowerByUsd),
  };
}

/** Only details for which some donor has a value can be tried. */
function imputedDetails({ inputs, imputedFeatures }: ImputedSubject): Detail[] {
  const attributes = inputs.filter(({ source, support }) => source === 'comparables' && support);
  const features = imputedFeatures.filter((feature) => feature.support > 0 && isOwnFeature(feature));
  return [
    ...attributes.map(({ attribute }): Detail => ({
      name: { attribute },
      valueOf: (home) => home.attributes[attribute],
      knowing: (home, value) => ({
        ...home,
        attributes: { ...home.attributes, [attribute]: Number(value) },
      }),
    })),
    ...features.map(({ name }): Detail => ({
      name: { feature: name },
      valueOf: (home) => home.features[name] ?? null,
      knowing: (home, value) => ({ ...home, features: { ...home.features, [name]: String(value) } }),
    })),
  ];
}

/** The donors' values: numbers ascending, and where they are many, the medians of fifths by weight. */
export function plausibleValues(
  { variants }: Pick<ImputedSubject, 'variants'>,
  valueOf: Detail['valueOf'],
): WeightedValue[] {
  const weightOf = new Map<number | string, number>();
  for (const { home, weight } of variants) {
    const value = valueOf(home);
    if (value !== null) weightOf.set(value, (weightOf.get(value) ?? 0) + weight);
  }
  const all = [...weightOf].map(([value, weight]) => ({ value, weight }));
  if (!all.every(({ value }) => isNumber(String(value)))) {
    return normalized(all.sort((a, b) => b.weight - a.weight).slice(0, MAX_VALUES));
  }
  const rising = normalized(all.sort((a, b) => Number(a.value) - Number(b.value)));
  return rising.length <= MAX_VALUES ? rising : mediansOfFifths(rising);
}

function normalized(values: readonly WeightedValue[]): WeightedValue[] {
  const total = values.reduce((sum, { weight }) => sum + weight, 0);
  return values.map(({ value, weight }) => ({ value, weight: weight / total }));
}

function mediansOfFifths(rising: readonly WeightedValue[]): WeightedValue[] {
  const merged = new Map<number | string, number>();
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
