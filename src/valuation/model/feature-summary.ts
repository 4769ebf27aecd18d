import type { OwnFeature } from '../../domain/own-features.ts';
import type { FeatureColumn } from '../columns/sale-columns.ts';
import { FEATURES } from './constants.ts';

/** The texts of a market's own feature in some rows, such as those of a training sample. */
export interface FeatureSummary {
  readonly name: string;
  /** Nearly all texts are numbers. */
  readonly isNumber: boolean;
  /** Rows with a text. */
  readonly known: number;
  /** Rows by code. */
  readonly counts: Float64Array;
  /** The texts that occur. */
  readonly levels: readonly string[];
}

export function summarizeFeature(
  { name, levels, codes }: FeatureColumn,
  rows: Iterable<number>,
): FeatureSummary {
  const counts = new Float64Array(levels.length);
  for (const row of rows) if (codes[row] >= 0) counts[codes[row]]++;
  let known = 0;
  let numeric = 0;
  levels.forEach((level, code) => {
    known += counts[code];
    if (isNumber(level)) numeric += counts[code];
  });
  return {
    name,
    isNumber: known > 0 && numeric >= FEATURES.numericShare * known,
    known,
    counts,
    levels: levels.filter((_, code) => counts[code] > 0),
  };
}

/** The smallest and the largest number; null without one. */
export function rangeOfFeature({ levels }: FeatureSummary): { least: number; most: number } | null {
  const numbers = levels.filter(isNumber).map(Number);
  if (numbers.length === 0) return null;
  const least = numbers.reduce((a, b) => Math.min(a, b));
  return { least, most: numbers.reduce((a, b) => Math.max(a, b)) };
}

/** A category with more values is listed without them. */
const MOST_VALUES_LISTED = 20;

export function ownFeatureOf(summary: FeatureSummary, rowCount: number): OwnFeature {
  const { name, isNumber: isNumeric, known, levels } = summary;
  const range = isNumeric ? rangeOfFeature(summary) : null;
  const isListed = !isNumeric && levels.length <= MOST_VALUES_LISTED;
  return {
    name,
    kind: isNumeric ? 'number' : 'category',
    knownShare: Math.round((10_000 * known) / Math.max(1, rowCount)) / 10_000,
    minimum: range?.least ?? null,
    maximum: range?.most ?? null,
    values: isListed ? [...levels].sort() : null,
  };
}

export function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}
