/** Why there is no value: the Bureau's annotation, or the result of Plumbline's own arithmetic. */
export const NULL_REASONS = [
  /** "-": no or too few sample cases to estimate it. */
  'too_few_sample_cases',
  /** "N": suppressed, because the area has too few cases. */
  'suppressed',
  /** "(X)": the figure does not exist for this line. */
  'not_applicable',
  /** Empty: the Bureau does not publish this figure for this area. */
  'not_published',
  /** No table of this variable is loaded for this area and year. */
  'not_loaded',
  /** A percentage whose base is 0. */
  'base_is_zero',
] as const;
export type NullReason = (typeof NULL_REASONS)[number];

export interface CensusCell {
  readonly value: number | null;
  /** At 90% confidence, as published; null if the Bureau gives none. */
  readonly marginOfError: number | null;
  readonly nullReason: NullReason | null;
  /** A median in an open-ended interval: "250,000+" is at least 250,000, "2,500-" is at most 2,500. */
  readonly bound: 'at_least' | 'at_most' | null;
}

export function knownCell(value: number, marginOfError: number | null = null): CensusCell {
  return { value, marginOfError, nullReason: null, bound: null };
}

export function unknownCell(nullReason: NullReason): CensusCell {
  return { value: null, marginOfError: null, nullReason, bound: null };
}

/** A share of a base in percent, with two decimals; unknown if either is unknown or the base is 0. */
export function percentageOf(part: CensusCell, base: CensusCell): CensusCell {
  if (part.value === null) return unknownCell(part.nullReason ?? 'not_published');
  if (base.value === null) return unknownCell(base.nullReason ?? 'not_published');
  if (base.value === 0) return unknownCell('base_is_zero');
  const share = part.value / base.value;
  const margin = shareMargin(share, part.marginOfError, base.marginOfError, base.value);
  return knownCell(toHundredths(100 * share), margin === null ? null : toHundredths(100 * margin));
}

/**
 * Margin of error of a proportion (ACS General Handbook 2020, chapter 8): √(MOE(x)² − p²·MOE(y)²) / y, with a
 * plus if the radicand is negative. For p = 1 the margin is MOE(x) / y (ACS, Accuracy of the Data, on
 * proportions), because the formula would give 0.
 */
function shareMargin(
  share: number,
  partMargin: number | null,
  baseMargin: number | null,
  base: number,
): number | null {
  if (partMargin === null || baseMargin === null) return null;
  if (share === 1) return partMargin / base;
  const ofPart = partMargin ** 2;
  const ofBase = share ** 2 * baseMargin ** 2;
  return Math.sqrt(ofPart >= ofBase ? ofPart - ofBase : ofPart + ofBase) / base;
}

function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
