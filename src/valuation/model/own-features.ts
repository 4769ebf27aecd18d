import { FEATURES } from './constants.ts';
import type { FeatureColumn } from '../columns/sale-columns.ts';

/** How a market's own feature column becomes a number, decided by the training sample's texts. */
export type OwnFeaturePlan =
  | { readonly name: string; readonly kind: 'number' }
  /** `values[i]` is the number for `levels[i]`; other texts are unknown. */
  | {
      readonly name: string;
      readonly kind: 'level';
      readonly levels: readonly string[];
      readonly values: readonly number[];
    };

/**
 * Numeric where nearly all texts are numbers; else each level becomes its mean log price, so that
 * one cut of a tree separates expensive levels from cheap ones. Means are shrunk to the market's,
 * so that a rare level reveals nothing of its few sales. Null where the sample has no text.
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

/** The number for a text; NaN where it has none. */
export function ownValueOfText(feature: OwnFeaturePlan, text: string): number {
  if (feature.kind === 'number') return isNumber(text) ? Number(text) : NaN;
  const at = feature.levels.indexOf(text);
  return at < 0 ? NaN : feature.values[at];
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}
