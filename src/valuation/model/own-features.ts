import { FEATURES } from './constants.ts';
import type { FeatureColumn } from '../columns/sale-columns.ts';

/** How a market's own feature column is read, decided by the pool's texts alone. */
export type OwnFeaturePlan =
  | { readonly name: string; readonly kind: 'number' }
  /** `values[i]` is the number that stands for `levels[i]`; other texts are unknown. */
  | {
      readonly name: string;
      readonly kind: 'level';
      readonly levels: readonly string[];
      readonly values: readonly number[];
    };

/**
 * A number where nearly all of the pool's texts are numbers; else levels in the order of their mean log price, so
 * that one cut of a tree parts dear levels from cheap ones. Means are shrunk to the pool's: rare levels stand in
 * the middle and give away nothing of their few sales. Null where the pool knows no text of it.
 */
export function planOwnFeature(
  feature: FeatureColumn,
  rows: Int32Array,
  logPrice: Float64Array,
): OwnFeaturePlan | null {
  const { name, levels, codes } = feature;
  const count = new Float64Array(levels.length);
  const sum = new Float64Array(levels.length);
  let mean = 0;
  for (let i = 0; i < rows.length; i++) {
    mean += logPrice[i] / rows.length;
    const code = codes[rows[i]];
    if (code < 0) continue;
    count[code]++;
    sum[code] += logPrice[i];
  }
  let known = 0;
  let numeric = 0;
  for (let code = 0; code < levels.length; code++) {
    known += count[code];
    if (isNumber(levels[code])) numeric += count[code];
  }
  if (known === 0) return null;
  if (numeric >= FEATURES.numericShare * known) return { name, kind: 'number' };
  const prior = FEATURES.levelPriorSales;
  const seen = levels
    .map((text, code) => ({
      text,
      n: count[code],
      value: (sum[code] + prior * mean) / (count[code] + prior),
    }))
    .filter(({ n }) => n > 0)
    .sort((a, b) => (a.text < b.text ? -1 : 1));
  return {
    name,
    kind: 'level',
    levels: seen.map(({ text }) => text),
    values: seen.map(({ value }) => value),
  };
}

/** The number that a text stands for; NaN where it says nothing. */
export function ownValueOfText(feature: OwnFeaturePlan, text: string): number {
  if (feature.kind === 'number') return isNumber(text) ? Number(text) : NaN;
  const at = feature.levels.indexOf(text);
  return at < 0 ? NaN : feature.values[at];
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}
